"""Rankings of systems: means, rank ranges, head-to-head tests, significance clusters."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from metrics_app.stats.adjustment import adjust_p
from metrics_app.stats.item_scores import ItemScores
from metrics_app.stats.mean_interval import estimate_mean
from metrics_app.stats.results import NAN, Estimate, TestResult
from metrics_app.stats.samples import Floats
from metrics_app.stats.signed_rank import sign_test, wilcoxon_signed_rank
from metrics_app.stats.t_tests import one_sample_t_test

PairedTest = Literal["wilcoxon", "sign", "t"]
Ints = npt.NDArray[np.int64]

# Means over judges that differ by this share of themselves are one mean, summed in another order.
ROUNDING = 1e-11


@dataclass(frozen=True, slots=True)
class RankedSystem:
    """One system's place.

    Attributes
    ----------
    system : hashable
    mean : Estimate
        Mean over items with a t interval.
    rank : int
        1 is best; systems with equal means share the better rank.
    rank_range : tuple of int
        Interval of the rank over resampled items.
    cluster : int
        Systems of cluster 1 are all significantly better than those of cluster 2, and so on.
    """

    system: Hashable
    mean: Estimate
    rank: int
    rank_range: tuple[int, int]
    cluster: int


@dataclass(frozen=True, eq=False)
class HeadToHead:
    """All pairs of systems on the items they share, row against column.

    Attributes
    ----------
    systems : tuple
        In the order of the ranking.
    difference : numpy.ndarray, shape (n, n)
        Mean difference, row minus column; NaN without a shared item.
    n_better, n_items : numpy.ndarray of int, shape (n, n)
        Items on which the row is above the column, and items shared.
    p, p_adjusted : numpy.ndarray, shape (n, n)
        Two-sided p of the paired test, as it is and corrected for all pairs that could be tested;
        NaN where there was no test (no shared item, or no difference on any).
    """

    systems: tuple[Hashable, ...]
    difference: Floats
    n_better: Ints
    n_items: Ints
    p: Floats
    p_adjusted: Floats


@dataclass(frozen=True, eq=False)
class Ranking:
    """Systems from best to worst.

    Attributes
    ----------
    systems : tuple of RankedSystem
        Systems without any score come last, undefined, in no cluster (0).
    head_to_head : HeadToHead
    method : str
        The whole method in words.
    undefined : str or None
        ``all_missing`` without a score, ``too_few_units`` with a single system.
    n_undefined : int
        Pairs of systems without a test.
    """

    systems: tuple[RankedSystem, ...]
    head_to_head: HeadToHead
    method: str
    undefined: str | None = None
    n_undefined: int = 0


@dataclass(frozen=True, slots=True)
class RankingOptions:
    """How a ranking is made.

    Attributes
    ----------
    test : {"wilcoxon", "sign", "t"}
        Paired test on the items that two systems share.
    adjustment : {"holm", "BH", "bonferroni"}
        Correction for all pairs.
    alpha : float
        Level of the clusters.
    confidence : float
        Coverage of the intervals of means and ranks.
    n_resamples : int
        Draws of items for the rank ranges.
    """

    test: PairedTest = "wilcoxon"
    adjustment: str = "holm"
    alpha: float = 0.05
    confidence: float = 0.95
    n_resamples: int = 1000

    def __post_init__(self) -> None:
        if self.test not in _TESTS:
            raise ValueError(f"test must be wilcoxon, sign or t, not {self.test!r}")
        if not 0 < self.alpha < 1 or not 0 < self.confidence < 1 or self.n_resamples < 1:
            raise ValueError("alpha and confidence must lie between 0 and 1, resamples above 0")


def rank_systems(
    scores: ItemScores, *, rng: np.random.Generator, options: RankingOptions | None = None
) -> Ranking:
    """Rank systems by their mean score over items; higher is better.

    Parameters
    ----------
    scores : ItemScores
        Missing scores are left out of means; pairs rest on the items that both systems have.
    rng : numpy.random.Generator
        Draws items for the rank ranges.
    options : RankingOptions, optional

    Returns
    -------
    Ranking

    Notes
    -----
    Clusters follow the WMT evaluations (Koehn 2012): a line is drawn below a system where it and
    every system above are significantly better than each one below. Rank ranges are percentiles
    of ranks over items drawn with replacement, a system's rank being 1 + the systems above it.
    """
    chosen = options or RankingOptions()
    means = _means(scores.values)
    order, ranks = _places(means)
    ordered = scores.values[:, order]
    names = tuple(scores.systems[i] for i in order.tolist())
    pairs = head_to_head(ordered, names, test=chosen.test, adjustment=chosen.adjustment)
    ranges = _rank_ranges(ordered, rng, chosen)
    has_scores = ~np.isnan(means[order])
    clusters = _clusters(pairs, has_scores, chosen.alpha)
    systems = tuple(
        RankedSystem(
            name,
            estimate_mean(
                "mean", column, method=f"mean over items, {scores.method}",
                confidence=chosen.confidence,
            ),
            int(rank), bounds, cluster,
        )
        for name, column, rank, bounds, cluster in zip(
            names, ordered.T, ranks, ranges, clusters, strict=True
        )
    )  # fmt: skip
    reason = (
        None if has_scores.sum() > 1 else "too_few_units" if has_scores.any() else "all_missing"
    )
    n_pairs = len(names) * (len(names) - 1) // 2
    return Ranking(
        systems,
        pairs,
        method=_describe(scores, chosen),
        undefined=reason,
        n_undefined=n_pairs - int((~np.isnan(pairs.p)).sum()) // 2,
    )


def head_to_head(
    values: Floats,
    systems: tuple[Hashable, ...],
    *,
    test: PairedTest = "wilcoxon",
    adjustment: str = "holm",
) -> HeadToHead:
    """Test every pair of columns on the rows that both have, and correct for all pairs."""
    n = len(systems)
    first, second = np.triu_indices(n, 1)
    difference, p = np.full((n, n), NAN), np.full((n, n), NAN)
    n_better, n_items = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        gaps, grains = _shared_gaps(values[:, i], values[:, j])
        n_items[i, j] = n_items[j, i] = len(gaps)
        n_better[i, j], n_better[j, i] = (grains > 0).sum(), (grains < 0).sum()
        if len(gaps):
            difference[i, j], difference[j, i] = gaps.mean(), -gaps.mean()
        if grains.any():
            p[i, j] = p[j, i] = _TESTS[test](grains).p
    adjusted = np.full((n, n), NAN)
    corrected = adjust_p(p[first, second], method=adjustment)
    adjusted[first, second] = [NAN if one is None else one for one in corrected]
    adjusted[second, first] = adjusted[first, second]
    return HeadToHead(systems, difference, n_better, n_items, p, adjusted)


def _shared_gaps(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return differences on shared items: as they are, and in grains of rounding, whole numbers."""
    known = ~(np.isnan(first) | np.isnan(second))
    gaps = first[known] - second[known]
    grain = ROUNDING * np.abs(np.concatenate([first[known], second[known], [0.0]])).max()
    return gaps, np.asarray(np.round(gaps / grain)) if grain else gaps


_TESTS: dict[str, Callable[[Floats], TestResult]] = {
    "wilcoxon": wilcoxon_signed_rank,
    "sign": sign_test,
    "t": one_sample_t_test,
}


def _means(values: Floats) -> Floats:
    known = ~np.isnan(values)
    n = known.sum(axis=0)
    return np.asarray(
        np.divide(np.where(known, values, 0).sum(axis=0), n, out=np.full(len(n), NAN), where=n > 0)
    )


def _places(means: Floats) -> tuple[Ints, Ints]:
    """Return systems from best to worst and their ranks; equal means keep the given order."""
    known = np.flatnonzero(~np.isnan(means))
    order = known[np.argsort(-means[known], kind="stable")]
    grain = ROUNDING * np.abs(means[known]).max(initial=0.0)
    drops = -np.diff(means[order], prepend=np.inf)
    group = np.cumsum(drops > grain)
    order = order[np.lexsort((order, group))]
    ranks = np.searchsorted(group, group) + 1
    unknown = np.flatnonzero(np.isnan(means))
    last = np.full(len(unknown), len(known) + 1)
    return np.concatenate([order, unknown]), np.concatenate([ranks, last])


def _ranks(means: Floats) -> Ints:
    """Return ranks of rows of means, the best 1, ties the better rank, unknown ones last."""
    grain = ROUNDING * np.nanmax(np.abs(means), initial=0.0) or 1.0
    lowered = np.where(np.isnan(means), np.inf, -np.round(means / grain))
    return np.asarray(rankdata(lowered, method="min", axis=1), dtype=np.int64)


def _rank_ranges(
    values: Floats, rng: np.random.Generator, options: RankingOptions
) -> list[tuple[int, int]]:
    n_items, n_systems = values.shape
    if not n_items:
        return [(1, n_systems)] * n_systems
    # How often each item is drawn; sums over drawn items are then one matrix product.
    drawn = rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=options.n_resamples)
    known = ~np.isnan(values)
    n = drawn @ known.astype(np.float64)
    sums = drawn @ np.where(known, values, 0)
    means = np.divide(sums, n, out=np.full(n.shape, NAN), where=n > 0)
    tail = (1 - options.confidence) / 2
    low, high = np.quantile(_ranks(means), [tail, 1 - tail], axis=0, method="inverted_cdf")
    return list(zip(low.astype(int).tolist(), high.astype(int).tolist(), strict=True))


def _clusters(pairs: HeadToHead, has_scores: npt.NDArray[np.bool_], alpha: float) -> list[int]:
    """Return the cluster of each system, 0 where it has no score."""
    beats = (pairs.p_adjusted < alpha) & (pairs.difference > 0)
    known = np.flatnonzero(has_scores)
    clusters, current = [0] * len(pairs.systems), 1
    for place, system in enumerate(known.tolist()):
        if place and beats[np.ix_(known[:place], known[place:])].all():
            current += 1
        clusters[system] = current
    return clusters


def _describe(scores: ItemScores, options: RankingOptions) -> str:
    left_out = (
        f"; {len(scores.left_out)} judges without variance left out" if scores.left_out else ""
    )
    return (
        f"mean over items, {scores.method}{left_out}; {options.test} test of pairs on shared "
        f"items, two-sided, {options.adjustment} over all pairs, clusters at {options.alpha:g}; "
        f"rank ranges from {options.n_resamples} draws of items, {options.confidence:.0%} "
        "percentiles"
    )
