"""A mean with its t interval."""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats, exact_mean, present


def estimate_mean(
    statistic: str,
    values: Sequence[float | None] | Floats,
    *,
    method: str,
    confidence: float = 0.95,
    undefined: str = "all_missing",
) -> Estimate:
    """Return the mean of independent values with a t interval.

    Parameters
    ----------
    statistic : str
        Registered name of what is averaged.
    values : sequence of float
        None and NaN are missing, left out and counted.
    method : str
        What the values are, in words.
    confidence : float
        Coverage of the interval.
    undefined : str
        Reason code where there is no value.

    Returns
    -------
    Estimate
        Undefined without a value; one value has no standard error. The
        standard deviation is the detail ``sd``.
    """
    known, n_missing = present(values)
    n = len(known)
    if not n:
        return Estimate(statistic, NAN, method=method, undefined=undefined, n_missing=n_missing)
    mean = exact_mean(known)
    sd = float(np.sqrt(((known - mean) ** 2).sum() / (n - 1))) if n > 1 else NAN
    se = sd / np.sqrt(n)
    margin = float(stats.t.ppf((1 + confidence) / 2, n - 1) * se) if n > 1 else NAN
    return Estimate(
        statistic,
        mean,
        se=float(se),
        ci=(mean - margin, mean + margin) if n > 1 else None,
        ci_method="t" if n > 1 else "",
        confidence=confidence,
        method=method,
        n_units=n,
        n_missing=n_missing,
        details={"sd": sd},
    )
