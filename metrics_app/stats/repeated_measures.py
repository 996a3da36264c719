"""One-way analysis of variance with repeated measures, and its corrections for sphericity."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from metrics_app.stats.results import NAN, TestResult
from metrics_app.stats.samples import Floats, Values, is_constant
from metrics_app.stats.scores import as_matrix


def complete_rows(ratings: Sequence[Values] | Floats) -> tuple[Floats, int]:
    """Return the rows without a missing cell, and how many rows were left out."""
    table = as_matrix(ratings, "ratings")
    kept = ~np.isnan(table).any(axis=1)
    return table[kept], int((~kept).sum())


def repeated_measures_anova(ratings: Sequence[Values] | Floats, *, unit: str = "") -> TestResult:
    """Return the analysis of variance of conditions measured on the same units.

    Parameters
    ----------
    ratings : n units x k conditions
        A unit with a missing cell is left out whole (listwise) and counted.

    Returns
    -------
    TestResult
        F with k - 1 and (n - 1)(k - 1) degrees of freedom. ``details`` has gg_epsilon
        (Greenhouse and Geisser 1959) and hf_epsilon (Huynh and Feldt 1976, at most 1), p_gg and
        p_hf with both degrees of freedom shrunk by them, and the sums of squares; ``effects`` has
        partial_eta_squared and generalized_eta_squared (Olejnik and Algina 2003). Undefined with
        ``too_few_units`` (n or k below 2) and ``no_variance``; F is infinite without error.
    """
    table, n_missing = complete_rows(ratings)
    n, k = table.shape
    reason = "too_few_units" if min(n, k) < 2 else None
    if not reason and is_constant(table.ravel()):
        reason = "no_variance"
    if reason:
        return TestResult(
            "repeated_measures_anova", NAN, undefined=reason, unit=unit, n=n, n_missing=n_missing
        )
    sums = _sums_of_squares(table)
    df = (k - 1.0, (k - 1.0) * (n - 1))
    if not sums["ss_condition"] and not sums["ss_error"]:
        reason = "no_variance"
    ratio = _ratio(sums, df)
    rest = sums["ss_condition"] + sums["ss_error"]
    return TestResult(
        "repeated_measures_anova",
        ratio,
        df=df,
        p=float(stats.f.sf(ratio, *df)),
        method="repeated-measures analysis of variance, F test; Greenhouse-Geisser and Huynh-Feldt "
        "corrections; incomplete units left out",
        unit=unit,
        group_means=tuple(table.mean(axis=0).tolist()),
        effects={
            "partial_eta_squared": sums["ss_condition"] / rest if rest else NAN,
            "generalized_eta_squared": sums["ss_condition"] / (rest + sums["ss_unit"]),
        },
        undefined=reason,
        n=n,
        n_missing=n_missing,
        details={**sums, **_sphericity(table, ratio, df)},
    )


def _sums_of_squares(table: Floats) -> dict[str, float]:
    n, k = table.shape
    centred = table - table.mean()
    of_units, of_conditions = centred.mean(axis=1), centred.mean(axis=0)
    error = centred - of_units[:, None] - of_conditions
    sums = {
        "ss_condition": n * float((of_conditions**2).sum()),
        "ss_unit": k * float((of_units**2).sum()),
        "ss_error": float((error**2).sum()),
    }
    # What rounding leaves of an exact zero is no variance.
    floor = 1e-28 * float((table**2).sum())
    return {name: value if value > floor else 0.0 for name, value in sums.items()}


def _ratio(sums: dict[str, float], df: tuple[float, float]) -> float:
    if sums["ss_error"]:
        return sums["ss_condition"] / df[0] / (sums["ss_error"] / df[1])
    return math.inf if sums["ss_condition"] else NAN


def _sphericity(table: Floats, ratio: float, df: tuple[float, float]) -> dict[str, float]:
    n, k = table.shape
    covariance = np.atleast_2d(np.cov(table, rowvar=False))
    centred = covariance - covariance.mean(axis=0) - covariance.mean(axis=1)[:, None]
    centred = centred + covariance.mean()
    squares = float((centred**2).sum())
    if not squares or math.isinf(ratio):
        return dict.fromkeys(("gg_epsilon", "hf_epsilon", "p_gg", "p_hf"), NAN)
    gg = float(np.trace(centred)) ** 2 / ((k - 1) * squares)
    below = (k - 1) * (n - 1 - (k - 1) * gg)
    hf = min(1.0, (n * (k - 1) * gg - 2) / below) if below > 0 else 1.0
    return {
        "gg_epsilon": gg,
        "hf_epsilon": hf,
        "p_gg": float(stats.f.sf(ratio, gg * df[0], gg * df[1])),
        "p_hf": float(stats.f.sf(ratio, hf * df[0], hf * df[1])),
    }
