"""Analysis of variance between independent groups: one-way, Welch's, and two-way.

Values are centred before squares are summed, so that a large offset costs no digits (NIST StRD).
The unit of analysis is the caller's to say: single ratings of one judge are not independent, means
per output or per item are closer to it.
"""

import math
from collections.abc import Mapping

import numpy as np
from scipy import stats

from metrics_app.stats.effects import VarianceShares
from metrics_app.stats.results import NAN, TestResult
from metrics_app.stats.samples import Groups, Values, as_groups, is_constant


def oneway_anova(groups: Mapping[str, Values], *, unit: str = "") -> TestResult:
    """Return the one-way analysis of variance of independent groups.

    Parameters
    ----------
    groups : mapping of name to values
        None or NaN is missing, is left out and counted.
    unit : str
        Unit of analysis, for the record: ``rating``, ``output_mean``, ``item_mean``.

    Returns
    -------
    TestResult
        F with its two degrees of freedom; ``effects`` has eta_squared, omega_squared,
        epsilon_squared; ``details`` has ss_between, ss_within, ms_between, ms_within and
        group_sizes. F is infinite (p = 0) where only the means differ, and undefined
        (``no_variance``) where nothing does; fewer than two groups with a value, or as many
        groups as values, give ``too_few_units``.

    Raises
    ------
    ValueError
        For an infinite number or text; the message names the group and the place.
    """
    data = as_groups(groups)
    reason = _why_undefined(data)
    if reason:
        return _undefined("oneway_anova", data, unit, reason)
    shares = VarianceShares.of(data)
    ratio = shares.ms_between / shares.ms_within if shares.ms_within else math.inf
    return TestResult(
        "oneway_anova",
        ratio,
        df=(shares.df_between, shares.df_within),
        p=float(stats.f.sf(ratio, shares.df_between, shares.df_within)),
        method="one-way analysis of variance, F test",
        unit=unit,
        groups=data.names,
        group_means=data.means,
        effects=shares.effects,
        n=data.pooled.size,
        n_missing=data.n_missing,
        details={**shares.as_details(), "group_sizes": data.sizes},
    )


def welch_anova(groups: Mapping[str, Values], *, unit: str = "") -> TestResult:
    """Return Welch's (1951) analysis of variance, which lets the groups' variances differ.

    Parameters are those of `oneway_anova`. Every group needs two values (``too_few_units``) and
    some variance (``no_variance``), since each is weighted by n / variance.
    """
    data = as_groups(groups)
    reason = data.problem
    if not reason and min(data.sizes) < 2:
        reason = "too_few_units"
    if not reason and any(is_constant(sample) for sample in data.samples):
        reason = "no_variance"
    if reason:
        return _undefined("welch_anova", data, unit, reason)
    ratio, df = _welch_ratio(data)
    return TestResult(
        "welch_anova",
        ratio,
        df=df,
        p=float(stats.f.sf(ratio, *df)),
        method="Welch's analysis of variance for unequal variances, F test",
        unit=unit,
        groups=data.names,
        group_means=data.means,
        effects=VarianceShares.of(data).effects,
        n=data.pooled.size,
        n_missing=data.n_missing,
        details={"group_sizes": data.sizes},
    )


def _welch_ratio(data: Groups) -> tuple[float, tuple[float, float]]:
    k = len(data.samples)
    sizes = np.array(data.sizes)
    offset = data.pooled.mean()
    means = np.array([(sample - offset).mean() for sample in data.samples])
    weights = sizes / np.array([sample.var(ddof=1) for sample in data.samples])
    centre = np.average(means, weights=weights)
    between = float((weights * (means - centre) ** 2).sum()) / (k - 1)
    imbalance = float(((1 - weights / weights.sum()) ** 2 / (sizes - 1)).sum())
    within = 1 + 2 * (k - 2) / (k**2 - 1) * imbalance
    return between / within, (k - 1.0, (k**2 - 1) / (3 * imbalance))


def _why_undefined(data: Groups) -> str | None:
    if data.problem:
        return data.problem
    if data.pooled.size <= len(data.samples):
        return "too_few_units"
    return "no_variance" if is_constant(data.pooled) else None


def _undefined(statistic: str, data: Groups, unit: str, reason: str) -> TestResult:
    return TestResult(
        statistic,
        NAN,
        method=f"{statistic}, undefined",
        unit=unit,
        groups=data.names,
        group_means=data.means,
        undefined=reason,
        n=data.pooled.size,
        n_missing=data.n_missing,
        details={"group_sizes": data.sizes},
    )
