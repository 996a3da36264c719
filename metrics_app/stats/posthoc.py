"""Which groups differ, after an analysis of variance: Tukey and Kramer's comparisons."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from scipy import stats

from metrics_app.stats.effects import VarianceShares
from metrics_app.stats.results import NAN, TestResult
from metrics_app.stats.samples import Groups, Values, as_groups, is_constant


def tukey_hsd(
    groups: Mapping[str, Values], *, confidence: float = 0.95, unit: str = ""
) -> list[TestResult]:
    """Return Tukey's honest comparison of every two groups, Kramer's (1956) for unequal sizes.

    Parameters
    ----------
    groups : mapping of name to values
        None or NaN is missing, is left out and counted.
    confidence : float
        Simultaneous coverage of all the intervals.

    Returns
    -------
    list of TestResult
        One per pair A before B in the order of the groups: ``groups`` is (A, B), ``value``
        is mean(B) - mean(A), ``ci`` its simultaneous interval, ``p`` from the studentized range.
        Undefined with ``too_few_units`` and ``no_variance`` as the one-way analysis; without
        variance within the groups p is 0 where means differ.
    """
    data = as_groups(groups)
    reason = data.problem
    if not reason and data.pooled.size <= len(data.names):
        reason = "too_few_units"
    if not reason and is_constant(data.pooled):
        reason = "no_variance"
    if reason:
        return [
            TestResult("tukey_hsd", NAN, groups=pair, undefined=reason, unit=unit)
            for pair in combinations(data.names, 2)
        ]
    shares = VarianceShares.of(data)
    k, df = len(data.names), shares.df_within
    quantile = float(stats.studentized_range.ppf(confidence, k, df))
    scale = _Scale(shares.ms_within, k, df, quantile)
    return [_compare(data, pair, scale, unit) for pair in combinations(range(k), 2)]


@dataclass(frozen=True, slots=True)
class _Scale:
    ms_within: float
    k: int
    df: float
    quantile: float


def _compare(data: Groups, pair: tuple[int, int], scale: _Scale, unit: str) -> TestResult:
    a, b = pair
    difference = data.means[b] - data.means[a]
    se = math.sqrt(scale.ms_within / 2 * (1 / data.sizes[a] + 1 / data.sizes[b]))
    q = abs(difference) / se if se else (math.inf if difference else 0.0)
    p = float(stats.studentized_range.sf(q, scale.k, scale.df)) if math.isfinite(q) else 0.0
    return TestResult(
        "tukey_hsd",
        difference,
        df=(scale.k, scale.df),
        p=min(1.0, max(0.0, p)),
        ci=(difference - scale.quantile * se, difference + scale.quantile * se),
        method="Tukey-Kramer, studentized range, p and intervals simultaneous over all pairs",
        unit=unit,
        groups=(data.names[a], data.names[b]),
        group_means=(data.means[a], data.means[b]),
        n=data.sizes[a] + data.sizes[b],
        details={"q": q, "se": se},
    )
