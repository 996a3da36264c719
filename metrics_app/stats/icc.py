"""Intraclass correlation, one-way and two-way, single and average ratings.

Names are those of McGraw and Wong (1996): ICC(1), ICC(A) for absolute agreement, ICC(C) for
consistency, of single ratings (``,1``) or of the mean of k (``,k``). Shrout and Fleiss (1979) call
ICC(1,1), ICC(A,1), ICC(C,1) ICC1, ICC2, ICC3; ICC(C,1) has the same estimate under random and
fixed raters.
"""

import math

import numpy as np
from scipy import stats

from metrics_app.stats.described import not_applicable, sizes, undefined_estimate
from metrics_app.stats.mean_squares import (
    MeanSquares,
    icc_of,
    oneway_features,
    oneway_squares,
    twoway_features,
    twoway_squares,
)
from metrics_app.stats.results import Estimate
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.units import complete_units, units_of

FORMS = ("ICC(1,1)", "ICC(1,k)", "ICC(A,1)", "ICC(A,k)", "ICC(C,1)", "ICC(C,k)")
_ALIASES = {
    "ICC1": "ICC(1,1)",
    "ICC1k": "ICC(1,k)",
    "ICC2": "ICC(A,1)",
    "ICC2k": "ICC(A,k)",
    "ICC3": "ICC(C,1)",
    "ICC3k": "ICC(C,k)",
    "ICC(2,1)": "ICC(A,1)",
    "ICC(2,k)": "ICC(A,k)",
    "ICC(3,1)": "ICC(C,1)",
    "ICC(3,k)": "ICC(C,k)",
}


def icc(table: RatingTable, *, form: str = "ICC(A,1)", confidence: float = 0.95) -> Estimate:
    """Return an intraclass correlation with its F interval and p-value.

    Parameters
    ----------
    table : RatingTable
        Ratings on points or a range. The two-way forms use the units that every rater rated; the
        one-way form uses all units with two ratings or more, whoever gave them.
    form : str
        One of `FORMS`, or its name by Shrout and Fleiss (``ICC2``, ``ICC2k``, ...).
    confidence : float
        Coverage of the interval.

    Returns
    -------
    Estimate
        p is one-sided, F(n - 1, (n - 1)(k - 1)), or F(n - 1, n (k - 1)) one-way. The interval of
        ICC(A,k) steps up the bounds of ICC(A,1) as psych and pingouin do; ``details`` hold the
        direct one of irr (after McGraw and Wong) under ``ci_mcgraw_wong``. Negative estimates
        stay negative.

    Raises
    ------
    ValueError
        For an unknown form.
    """
    form = _ALIASES.get(form, form)
    if form not in FORMS:
        raise ValueError(f"form must be one of {', '.join(FORMS)}, not {form!r}")
    if reason := not_applicable(table, "ordinal", takes_range=True):
        return undefined_estimate("icc", table, reason)
    squares, n_used = _mean_squares(table, form)
    if reason := _reason(squares, n_used):
        return undefined_estimate("icc", table, reason)
    value = float(icc_of(squares, form))
    if math.isnan(value):
        return undefined_estimate("icc", table, "no_variance")
    ci = _interval(squares, form, value, confidence)
    left_out = table.n_units - n_used
    return Estimate(
        statistic="icc",
        value=value,
        ci=ci,
        ci_method="F" + (", step-up of single-rating bounds" if form == "ICC(A,k)" else ""),
        confidence=confidence,
        p=_p(squares, form),
        method=f"{form}, {_layout(form)}; {left_out} units left out; p one-sided",
        details=_details(squares, form, value, confidence),
        **{**sizes(table), "n_units": n_used},
    )


def _mean_squares(table: RatingTable, form: str) -> tuple[MeanSquares, int]:
    if form.startswith("ICC(1"):
        units = units_of(table)
        sums = units.times @ oneway_features(units.size, units.total, units.square)
        return oneway_squares(sums), int(sums[0])
    values, times = complete_units(table)
    if not times.size:
        return twoway_squares(np.zeros(3 + table.n_raters)), 0
    # Ratings are centred first, so that a large offset costs no digits.
    return twoway_squares(times @ twoway_features(values - values.mean())), int(times.sum())


def _reason(squares: MeanSquares, n_used: int) -> str | None:
    if not n_used:
        return "incomplete"
    if n_used < 2:
        return "too_few_units"
    between = [squares.rows, squares.columns, squares.error]
    return "no_variance" if not any(np.nan_to_num(part) > 0 for part in between) else None


def _layout(form: str) -> str:
    layouts = {
        "1": "one-way random",
        "A": "two-way, absolute agreement",
        "C": "two-way, consistency",
    }
    single = "single rating" if form.endswith(",1)") else "mean of k ratings"
    return f"{layouts[form[4]]}, {single}"


def _degrees(squares: MeanSquares, form: str) -> tuple[float, float]:
    n, k = float(squares.n), float(squares.k)
    return n - 1, n * (k - 1) if form[4] == "1" else (n - 1) * (k - 1)


def _p(squares: MeanSquares, form: str) -> float:
    if not squares.error:
        return 0.0 if squares.rows else math.nan
    return float(stats.f.sf(squares.rows / squares.error, *_degrees(squares, form)))


def _interval(
    squares: MeanSquares, form: str, value: float, confidence: float
) -> tuple[float, float] | None:
    if not squares.error:
        return (1.0, 1.0) if value == 1.0 else None
    k = float(squares.k)
    bounds: tuple[float, ...]
    if form[4] == "A":
        single = float(icc_of(squares, "ICC(A,1)"))
        bounds = _agreement_bounds(squares, single, confidence)
    else:
        bounds = _f_bounds(squares, form, confidence)
    if form.endswith(",k)"):
        bounds = tuple(_quotient(bound * k, 1 + bound * (k - 1)) for bound in bounds)
    # Far below zero the approximation fails, and a bound beyond -1 / (k - 1) is stepped up to the
    # other side of the pole: what does not hold the estimate, or is not finite, is no interval.
    low, high = bounds
    return (low, high) if low <= value <= high and math.isfinite(high - low) else None


def _quotient(above: float, below: float) -> float:
    # Units without any variance put bounds at the pole.
    return above / below if below else math.nan


def _f_bounds(squares: MeanSquares, form: str, confidence: float) -> tuple[float, float]:
    df = _degrees(squares, form)
    upper, k = (1 + confidence) / 2, float(squares.k)
    observed = float(squares.rows / squares.error)
    low = observed / float(stats.f.ppf(upper, *df))
    high = observed * float(stats.f.ppf(upper, *df[::-1]))
    return (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)


def _agreement_bounds(squares: MeanSquares, value: float, confidence: float) -> tuple[float, float]:
    """Return the bounds of ICC(A,1) with Satterthwaite's degrees of freedom (McGraw, Wong)."""
    n, k = float(squares.n), float(squares.k)
    rows, columns, error = float(squares.rows), float(squares.columns), float(squares.error)
    a = _quotient(k * value, n * (1 - value))
    df = _satterthwaite(squares, a, 1 + a * (n - 1))
    upper = (1 + confidence) / 2
    low = float(stats.f.ppf(upper, n - 1, df))
    high = float(stats.f.ppf(upper, df, n - 1))
    noise = k * columns + (k * n - k - n) * error
    return (
        _quotient(n * (rows - low * error), low * noise + n * rows),
        _quotient(n * (high * rows - error), noise + n * high * rows),
    )


def _satterthwaite(squares: MeanSquares, a: float, b: float) -> float:
    n, k = float(squares.n), float(squares.k)
    columns, error = a * float(squares.columns), b * float(squares.error)
    spread = columns**2 / (k - 1) + error**2 / ((n - 1) * (k - 1))
    return _quotient((columns + error) ** 2, spread)


def _details(squares: MeanSquares, form: str, value: float, confidence: float) -> dict[str, object]:
    found: dict[str, object] = {
        "form": form,
        "ms_rows": float(squares.rows),
        "ms_error": float(squares.error),
        "k": float(squares.k),
    }
    if form[4] != "1":
        found["ms_columns"] = float(squares.columns)
    if form == "ICC(A,k)" and squares.error:
        found["ci_mcgraw_wong"] = _mcgraw_wong(squares, value, confidence)
    return found


def _mcgraw_wong(squares: MeanSquares, value: float, confidence: float) -> tuple[float, float]:
    n = float(squares.n)
    rows, columns, error = float(squares.rows), float(squares.columns), float(squares.error)
    # irr takes the average coefficient into the degrees of freedom of the single one; with its own
    # (McGraw and Wong 1996, table 7) the interval would equal the step-up exactly.
    a = _quotient(float(squares.k) * value, n * (1 - value))
    df = _satterthwaite(squares, a, 1 + a * (n - 1))
    upper = (1 + confidence) / 2
    low, high = float(stats.f.ppf(upper, n - 1, df)), float(stats.f.ppf(upper, df, n - 1))
    return (
        _quotient(n * (rows - low * error), low * (columns - error) + n * rows),
        _quotient(n * (high * rows - error), columns - error + n * high * rows),
    )
