"""Rank tests of independent groups and of repeated measures: no normal errors needed."""

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats

from metrics_app.stats.repeated_measures import complete_rows
from metrics_app.stats.results import NAN, TestResult
from metrics_app.stats.samples import Floats, Values, as_groups, present
from metrics_app.stats.tails import (
    Alternative,
    NullDistribution,
    as_method,
    drawn_sums,
    require_alternative,
)

# R's rule: exact for samples under 50 without ties.
_EXACT_BELOW = 50


def kruskal_wallis(
    groups: Mapping[str, Values], *, correct_ties: bool = True, unit: str = ""
) -> TestResult:
    """Return Kruskal and Wallis' rank test of two or more independent groups.

    Parameters
    ----------
    groups : mapping of name to values
        None or NaN is missing, is left out and counted.
    correct_ties : bool
        Divide H by 1 - sum(t^3 - t) / (N^3 - N).

    Returns
    -------
    TestResult
        H, chi squared with k - 1 degrees of freedom; ``effects`` has epsilon_squared_ranks
        = H (N + 1) / (N^2 - 1) and eta_squared_ranks = (H - k + 1) / (N - k). Undefined where all
        values are equal (``no_variance``) or a group is empty (``too_few_units``).
    """
    data = as_groups(groups)
    pooled, k = data.pooled, len(data.samples)
    reason = data.problem or ("no_variance" if np.ptp(pooled) == 0 else None)
    value, p, effects = NAN, NAN, {}
    if not reason:
        value = _h(pooled, data.sizes, correct_ties=correct_ties)
        p = float(stats.chi2.sf(value, k - 1))
        n = pooled.size
        effects = {"epsilon_squared_ranks": value / (n - 1)}
        if n > k:
            effects["eta_squared_ranks"] = (value - k + 1) / (n - k)
    return TestResult(
        "kruskal_wallis",
        value,
        df=(k - 1,),
        p=p,
        method=f"Kruskal-Wallis H, ties {'corrected' if correct_ties else 'not corrected'}, "
        "chi squared approximation",
        unit=unit,
        groups=data.names,
        group_means=data.means,
        effects=effects,
        undefined=reason,
        n=pooled.size,
        n_missing=data.n_missing,
    )


def _h(pooled: Floats, sizes: Sequence[int], *, correct_ties: bool) -> float:
    n = pooled.size
    ranks = np.split(stats.rankdata(pooled), np.cumsum(sizes)[:-1])
    spread = sum(part.size * (part.mean() - (n + 1) / 2) ** 2 for part in ranks)
    h = 12 / (n * (n + 1)) * float(spread)
    return h / (1 - _tie_sum(pooled) / (n**3 - n)) if correct_ties else h


def _tie_sum(values: Floats) -> float:
    counts = np.unique(values, return_counts=True)[1].astype(np.float64)
    return float((counts**3 - counts).sum())


def mann_whitney(
    x: Values,
    y: Values,
    *,
    alternative: Alternative = "two-sided",
    method: str = "auto",
    continuity: bool = True,
    unit: str = "",
) -> TestResult:
    """Return Mann and Whitney's U of two independent samples.

    Parameters
    ----------
    x, y : values
        None or NaN is missing, is left out and counted.
    alternative : {"two-sided", "greater", "less"}
        ``greater`` says that x tends to be the larger.
    method : {"auto", "exact", "normal approximation"}
        Exact counts every allocation of the observed ranks, ties included. ``auto`` is exact for
        samples under 50 without ties, as in R.
    continuity : bool
        Half a step towards the mean, in the normal approximation.

    Returns
    -------
    TestResult
        U of x: the pairs in which x is larger, ties half. ``effects`` has rank_biserial
        = 2 U / (n1 n2) - 1 and probability_of_superiority = U / (n1 n2). All values equal: U is
        n1 n2 / 2 and p is 1. An empty sample gives ``too_few_units``.
    """
    require_alternative(alternative)
    method = as_method(method)
    (first, gone_x), (second, gone_y) = present(x, "x"), present(y, "y")
    if not (first.size and second.size):
        return TestResult("mann_whitney", NAN, undefined="too_few_units", unit=unit)
    ranks = stats.rankdata(np.concatenate([first, second]))
    n, n_pairs = ranks.size, first.size * second.size
    ties = _tie_sum(ranks)
    small = max(first.size, second.size) < _EXACT_BELOW and not ties
    rank_sum = float(ranks[: first.size].sum())
    u = rank_sum - first.size * (first.size + 1) / 2
    null = NullDistribution(alternative, continuity)
    if method == "exact" or (method == "auto" and small):
        p, facts, how = null.exact(drawn_sums(ranks, first.size), rank_sum)
    else:
        variance = n_pairs / 12 * (n + 1 - ties / (n * (n - 1)))
        # Rounding may leave a trace of variance where all values tie.
        p, facts, how = null.normal(u - n_pairs / 2, variance**0.5 if np.ptp(ranks) else 0.0)
    return TestResult(
        "mann_whitney",
        u,
        p=p,
        method=f"Mann-Whitney U of the first sample, {how}, ties corrected",
        unit=unit,
        group_means=(float(first.mean()), float(second.mean())),
        effects={"rank_biserial": 2 * u / n_pairs - 1, "probability_of_superiority": u / n_pairs},
        n=n,
        n_missing=gone_x + gone_y,
        details={"u_y": n_pairs - u, **facts},
    )


def friedman(ratings: Sequence[Values] | Floats, *, unit: str = "") -> TestResult:
    """Return Friedman's rank test of conditions judged within blocks.

    Parameters
    ----------
    ratings : n blocks x k conditions
        A block with a missing cell is left out whole and counted.

    Returns
    -------
    TestResult
        Chi squared with k - 1 degrees of freedom, corrected for ties; ``effects`` has Kendall's
        W. Undefined where every block ties throughout (``no_variance``), or there are fewer than
        two conditions or no complete block (``too_few_units``).
    """
    table, n_missing = complete_rows(ratings)
    n, k = table.shape
    reason = "too_few_units" if n < 1 or k < 2 else None
    value = NAN
    if not reason:
        ranks = stats.rankdata(table, axis=1)
        spread = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
        within = float(((ranks - (k + 1) / 2) ** 2).sum()) / (k - 1)
        reason = None if within else "no_variance"
        value = spread / within if within else NAN
    return TestResult(
        "friedman",
        value,
        df=(k - 1,),
        p=NAN if reason else float(stats.chi2.sf(value, k - 1)),
        method="Friedman's chi squared, ties corrected, incomplete blocks left out",
        unit=unit,
        effects={} if reason else {"kendall_w": value / (n * (k - 1))},
        undefined=reason,
        n=n,
        n_missing=n_missing,
    )
