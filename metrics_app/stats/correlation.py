"""Correlation of two series: Pearson, Spearman and Kendall's tau a, b and c.

Ties are ties of exact doubles. Missing values leave their pair out, and the result counts them.
A constant series has no correlation: the value is NaN with the reason ``constant_input``, only
tau a, whose denominator counts all pairs, is 0. Two pairs always give 1 or -1 (p = 1) and the
result says so in ``details["uninformative"]``.
"""

import math
from collections.abc import Callable
from typing import Literal, Protocol

import numpy as np
from scipy import special, stats

from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats, Values, is_constant, paired

Coefficient = Literal["pearson", "spearman", "kendall_tau_a", "kendall_tau_b", "kendall_tau_c"]


class Correlation(Protocol):
    """A coefficient as a function of two series of equal length."""

    def __call__(self, x: Values, y: Values, *, confidence: float = 0.95) -> Estimate:
        """Return the coefficient of x and y."""


def pearson(x: Values, y: Values, *, confidence: float = 0.95) -> Estimate:
    """Return Pearson's product-moment correlation.

    Parameters
    ----------
    x, y : sequence of float, length n
        None or NaN is missing; a pair with a missing value is left out and counted.
    confidence : float
        Coverage of the interval by Fisher's z, standard error 1 / sqrt(n - 3), for n > 3.

    Returns
    -------
    Estimate
        ``p`` is two-sided, from t with n - 2 degrees of freedom. Undefined for n < 2
        (``too_few_units``) and for a constant series (``constant_input``).

    Raises
    ------
    ValueError
        For unequal lengths or an infinite number.
    """
    return _estimate("pearson", paired(x, y), confidence)


def spearman(x: Values, y: Values, *, confidence: float = 0.95) -> Estimate:
    """Return Spearman's rank correlation: Pearson's on average ranks.

    Parameters, errors and undefined cases are those of `pearson`. The interval is Fisher's z with
    the standard error sqrt((1 + r^2 / 2) / (n - 3)) of Bonett and Wright (2000); ``p`` is the
    two-sided t approximation.
    """
    return _estimate("spearman", paired(x, y), confidence)


def kendall_tau_a(x: Values, y: Values, *, confidence: float = 0.95) -> Estimate:
    """Return Kendall's tau a: concordant minus discordant pairs, over all pairs.

    The interval of the three taus is Fisher's z with the standard error sqrt(.437 / (n - 4)) of
    Fieller, Hartley and Pearson (1957), for n > 4. ``p`` is two-sided: exact without ties and up
    to 33 pairs (or at most one discordant pair), else normal with the variance corrected for ties.
    """
    return _estimate("kendall_tau_a", paired(x, y), confidence)


def kendall_tau_b(x: Values, y: Values, *, confidence: float = 0.95) -> Estimate:
    """Return Kendall's tau b, corrected for ties on both sides (see `kendall_tau_a`)."""
    return _estimate("kendall_tau_b", paired(x, y), confidence)


def kendall_tau_c(x: Values, y: Values, *, confidence: float = 0.95) -> Estimate:
    """Return Stuart's tau c, for tables with unequal numbers of rows and columns."""
    return _estimate("kendall_tau_c", paired(x, y), confidence)


COEFFICIENTS: dict[str, Correlation] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall_tau_a": kendall_tau_a,
    "kendall_tau_b": kendall_tau_b,
    "kendall_tau_c": kendall_tau_c,
}


def require_coefficient(name: str) -> None:
    """Raise ValueError unless name is a coefficient of this module."""
    if name not in COEFFICIENTS:
        raise ValueError(f"there is no coefficient {name!r}: choose one of {list(COEFFICIENTS)}")


def _estimate(name: str, pairs: tuple[Floats, Floats, int], confidence: float) -> Estimate:
    x, y, n_missing = pairs
    n = x.size
    label, value_and_p = _METHODS[name]
    reason = _why_undefined(name, x, y)
    value, p = (NAN, NAN) if reason else value_and_p(x, y)
    ci, ci_method = _fisher_interval(name, value, n, confidence)
    return Estimate(
        name,
        value,
        ci=ci,
        ci_method=ci_method,
        confidence=confidence,
        p=p,
        method=f"{label}, two-sided p, {n_missing} incomplete pairs left out",
        undefined=reason,
        n_units=n,
        n_missing=n_missing,
        details={"uninformative": True} if n == 2 and not reason else {},
    )


def _why_undefined(name: str, x: Floats, y: Floats) -> str | None:
    if x.size < 2:
        return "too_few_units"
    if name == "kendall_tau_a":
        return None
    # Ranks see the last bit; a product moment of rounding noise means nothing.
    flat = is_constant if name == "pearson" else _all_equal
    return "constant_input" if flat(x) or flat(y) else None


def _all_equal(values: Floats) -> bool:
    return bool((values == values[0]).all())


def _pearson(x: Floats, y: Floats) -> tuple[float, float]:
    if x.size == 2:
        return float(np.sign(x[1] - x[0]) * np.sign(y[1] - y[0])), 1.0
    dx, dy = _centred(x), _centred(y)
    r = float((dx @ dy) / math.sqrt((dx @ dx) * (dy @ dy)))
    # The last bits of a straight line are rounding, and a p of 1e-8 would come of them.
    r = math.copysign(1.0, r) if abs(r) > 1 - 1e-15 else r
    return r, moment_p(r, x.size)


def _centred(values: Floats) -> Floats:
    """Return the deviations from the mean, scaled so that their squares stay in range."""
    deviations = values - values.mean()
    exponent = int(np.frexp(np.abs(deviations).max())[1])
    return np.asarray(np.ldexp(deviations, -exponent))


def moment_p(r: float, n: int) -> float:
    """Return the two-sided p-value of a product-moment correlation r of n > 2 pairs."""
    half = n / 2 - 1
    return float(min(1.0, 2 * special.betainc(half, half, (1 - abs(r)) / 2)))


def _spearman(x: Floats, y: Floats) -> tuple[float, float]:
    return _pearson(stats.rankdata(x), stats.rankdata(y))


def _tau_a(x: Floats, y: Floats) -> tuple[float, float]:
    if _all_equal(x) or _all_equal(y):
        return 0.0, NAN
    tau, p = _tau_b(x, y)
    all_pairs = math.comb(x.size, 2)
    untied = [all_pairs - _tied_pairs(series) for series in (x, y)]
    # scipy counts the discordant pairs in n log n steps; their surplus is a whole number.
    surplus = round(tau * math.sqrt(untied[0]) * math.sqrt(untied[1]))
    return surplus / all_pairs, p


def _tied_pairs(series: Floats) -> int:
    counts = np.unique(series, return_counts=True)[1]
    return int((counts * (counts - 1) // 2).sum())


def _tau_b(x: Floats, y: Floats) -> tuple[float, float]:
    result = stats.kendalltau(x, y, variant="b")
    return float(result.statistic), float(result.pvalue)


def _tau_c(x: Floats, y: Floats) -> tuple[float, float]:
    result = stats.kendalltau(x, y, variant="c")
    return float(result.statistic), float(result.pvalue)


_METHODS: dict[str, tuple[str, Callable[[Floats, Floats], tuple[float, float]]]] = {
    "pearson": ("Pearson's r, t test", _pearson),
    "spearman": ("Spearman's rho on average ranks, t approximation", _spearman),
    "kendall_tau_a": ("Kendall's tau a, exact or normal", _tau_a),
    "kendall_tau_b": ("Kendall's tau b, exact or normal", _tau_b),
    "kendall_tau_c": ("Stuart's tau c, exact or normal", _tau_c),
}


def _fisher_interval(
    name: str, value: float, n: int, confidence: float
) -> tuple[tuple[float, float] | None, str]:
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, not {confidence}")
    lost = 4 if name.startswith("kendall") else 3
    if math.isnan(value) or n <= lost:
        return None, ""
    if abs(value) == 1:
        return (value, value), "Fisher's z, degenerate at 1"
    factor = {"pearson": 1.0, "spearman": 1 + value**2 / 2}.get(name, 0.437)
    reach = stats.norm.ppf((1 + confidence) / 2) * math.sqrt(factor / (n - lost))
    centre = math.atanh(value)
    return (math.tanh(centre - reach), math.tanh(centre + reach)), "Fisher's z"
