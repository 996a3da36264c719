"""Intervals from resamples: percentile, and bias-corrected and accelerated (BCa)."""

import math

import numpy as np
from scipy import stats

from metrics_app.stats.scales import Floats


def percentile_interval(sampled: Floats, confidence: float) -> tuple[float, float] | None:
    """Return the percentile interval of the defined resamples; None where there is none.

    Source: Efron and Tibshirani (1993), chapter 13.
    """
    ordered = np.sort(sampled[~np.isnan(sampled)])
    if not ordered.size:
        return None
    return _quantile(ordered, (1 - confidence) / 2), _quantile(ordered, (1 + confidence) / 2)


def _quantile(ordered: Floats, share: float) -> float:
    """Return the quantile of numpy's default rule, which is slow to call on few numbers."""
    place = share * (ordered.size - 1)
    first = math.floor(place)
    low, high = float(ordered[first]), float(ordered[min(first + 1, ordered.size - 1)])
    return low + (place - first) * (high - low)


def bca_interval(
    sampled: Floats,
    value: float,
    without_one: Floats,
    times: Floats,
    confidence: float,
) -> tuple[float, float] | None:
    """Return the BCa interval; None where the resamples or the jackknife do not define one.

    Parameters
    ----------
    sampled : array of float, shape (n_resamples,)
        Values in the resamples; NaN where undefined, which are left out.
    value : float
        The estimate.
    without_one : array of float, shape (n_rows,)
        Values without one unit of each row.
    times : array of float, shape (n_rows,)
        Units in each row.
    confidence : float
        Coverage.

    Notes
    -----
    Source: Efron (1987). Resamples equal to the estimate count half, which matters for ratings,
    where ties are common.
    """
    defined = sampled[~np.isnan(sampled)]
    if not defined.size or math.isnan(value):
        return None
    below = float(np.mean(defined < value) + np.mean(defined == value) / 2)
    if not 0 < below < 1:
        return None
    bias, acceleration = float(stats.norm.ppf(below)), _acceleration(without_one, times)
    tails = stats.norm.ppf(np.array([(1 - confidence) / 2, (1 + confidence) / 2]))
    shifted = bias + (bias + tails) / (1 - acceleration * (bias + tails))
    bounds = np.quantile(defined, stats.norm.cdf(shifted))
    return float(bounds[0]), float(bounds[1])


def _acceleration(without_one: Floats, times: Floats) -> float:
    is_defined = ~np.isnan(without_one)
    values, weights = without_one[is_defined], times[is_defined]
    if not weights.sum():
        return 0.0
    distance = values @ weights / weights.sum() - values
    spread = float(weights @ distance**2)
    # Where no unit moves the estimate there is nothing to accelerate.
    return float(weights @ distance**3) / (6 * spread**1.5) if spread > 0 else 0.0


def jackknife_error(without_one: Floats, times: Floats) -> float:
    """Return the jackknife standard error; NaN where leaving a unit out leaves nothing defined."""
    n = float(times.sum())
    if n < 2 or np.isnan(without_one).any():
        return math.nan
    distance = without_one - without_one @ times / n
    return float(np.sqrt((n - 1) / n * (times @ distance**2)))
