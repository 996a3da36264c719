"""Bootstrap intervals of a metric's correlation with people.

What is resampled is what the finding is meant to hold for: other systems (BOOT-SYSTEMS), other
items (BOOT-ITEMS), or both at once (BOOT-BOTH), each drawn with replacement and independently of
the other (Deutsch, Dror and Roth 2021).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from metrics_app.stats.columns import correlate_columns
from metrics_app.stats.intervals import percentile_interval
from metrics_app.stats.levels import correlate
from metrics_app.stats.resampled_columns import Side, prepare
from metrics_app.stats.resampled_means import AT_ONCE, mean_correlations
from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats
from metrics_app.stats.scores import ScoreMatrix

Resampled = Literal["systems", "items", "both"]
Indices = npt.NDArray[np.int_]

# So many replicates of a usual study stay in the processor's cache; of a large one, so many cells
# of all series together stay within some hundred megabytes.
_REPLICATES_AT_ONCE = 142
_CELLS_AT_ONCE = 20_000_000


@dataclass(frozen=True, slots=True)
class Question:
    """Which correlation is asked for, and what is resampled for its interval."""

    level: str
    coefficient: str
    resample: Resampled = "both"
    confidence: float = 0.95

    def __post_init__(self) -> None:
        """Refuse an unknown way of resampling."""
        if self.resample not in get_args(Resampled):
            raise ValueError(f"resample must be systems, items or both, not {self.resample!r}")


def bootstrap_correlation(
    matrix: ScoreMatrix, question: Question, *, rng: np.random.Generator, n_resamples: int = 1_000
) -> Estimate:
    """Return a correlation with its percentile interval from resampled systems, items, or both.

    Parameters
    ----------
    matrix : ScoreMatrix
    question : Question
    rng : numpy.random.Generator
        Source of every draw.
    n_resamples : int

    Returns
    -------
    Estimate
        ``se`` is the standard deviation over resamples. Resamples in which the correlation is
        undefined are left out and counted in ``n_undefined``; at the summary level
        ``details["n_undefined_groups"]`` counts the items without a correlation.
    """
    found = bootstrap_correlations(
        {"": matrix.metric}, {"": matrix.human}, question, rng=rng, n_resamples=n_resamples
    )
    return found["", ""]


def bootstrap_correlations(
    metrics: Mapping[str, Floats],
    people: Mapping[str, Floats],
    question: Question,
    *,
    rng: np.random.Generator,
    n_resamples: int = 1_000,
) -> dict[tuple[str, str], Estimate]:
    """Return `bootstrap_correlation` of every metric with every dimension, on the same resamples.

    Parameters
    ----------
    metrics, people : mapping of name to array, systems x items
        All of the same systems and items; NaN is missing.

    Returns
    -------
    dict of Estimate
        By (metric, dimension); undefined where there is no system or no item.
    """
    pairs = {
        (metric, dimension): ScoreMatrix.from_arrays(x, z)
        for metric, x in metrics.items()
        for dimension, z in people.items()
    }
    if not pairs:
        return {}
    shape = next(iter(pairs.values())).metric.shape
    if not min(shape):
        return {
            key: correlate(pair, level=question.level, coefficient=question.coefficient)
            for key, pair in pairs.items()
        }
    draws = _Draws.of(rng, n_resamples, shape, question.resample)
    replicates: dict[tuple[str, str], list[Floats]] = {key: [] for key in pairs}
    at_once = (
        question.level == "summary"
        and question.coefficient in AT_ONCE
        and all(pair.complete.all() for pair in pairs.values())
    )
    for part in draws.parts(len(metrics) + len(people) if at_once else 2):
        if at_once:
            found = _at_once(pairs, part, question.coefficient)
        else:
            sides = _Sides(part.system_counts, question.coefficient)
            found = [_replicate(pair, part, question, sides) for pair in pairs.values()]
        for values, new in zip(replicates.values(), found, strict=True):
            values.append(new)
    return {
        key: _estimate(pair, question, np.concatenate(replicates[key]))
        for key, pair in pairs.items()
    }


def _at_once(
    pairs: Mapping[tuple[str, str], ScoreMatrix], draws: "_Draws", coefficient: str
) -> Iterable[Floats]:
    """Return the replicates of every pair in order, all made at once."""
    metrics = {metric: pair.metric for (metric, _), pair in pairs.items()}
    people = {dimension: pair.human for (_, dimension), pair in pairs.items()}
    counts = (draws.system_counts, draws.item_counts)
    means = mean_correlations(list(metrics.values()), list(people.values()), counts, coefficient)
    return means.reshape(len(means), -1).T


@dataclass(frozen=True, slots=True)
class _Draws:
    """Which systems and items each replicate holds, replicates x systems and x items."""

    systems: Indices
    items: Indices

    @classmethod
    def of(
        cls, rng: np.random.Generator, n: int, shape: tuple[int, ...], resample: str
    ) -> "_Draws":
        systems, items = (
            # What is not resampled stays as it is in every replicate.
            np.tile(np.arange(size), (n, 1)) if kept else rng.integers(size, size=(n, size))
            for size, kept in zip(shape, (resample == "items", resample == "systems"), strict=True)
        )
        return cls(systems, items)

    def parts(self, n_series: int) -> Iterator["_Draws"]:
        """Yield the replicates in parts of which so many series fit the memory."""
        n_cells = self.systems.shape[1] * self.items.shape[1] * n_series
        step = min(_REPLICATES_AT_ONCE, max(1, _CELLS_AT_ONCE // n_cells))
        for start in range(0, len(self.systems), step):
            rows = slice(start, start + step)
            yield _Draws(self.systems[rows], self.items[rows])

    @property
    def system_counts(self) -> Indices:
        """How often each replicate holds each system."""
        return _counts(self.systems)

    @property
    def item_counts(self) -> Indices:
        """How often each replicate holds each item."""
        return _counts(self.items)


def _counts(indices: Indices) -> Indices:
    n, size = indices.shape
    flat = (indices + size * np.arange(n)[:, None]).ravel()
    return np.bincount(flat, minlength=n * size).reshape(n, size)


class _Sides:
    """Prepared sides of complete series, each made once for all its partners."""

    def __init__(self, counts: Indices, coefficient: str) -> None:
        self.counts, self.coefficient = counts, coefficient
        self.made: dict[int, Side | None] = {}

    def of(self, pair: ScoreMatrix) -> tuple[Side | None, Side | None]:
        """Return both sides of a pair, from the store where neither has a gap."""
        series = (pair.metric, pair.human)
        if pair.complete.all():
            for one in series:
                if id(one) not in self.made:
                    self.made[id(one)] = prepare(one, self.counts, self.coefficient)
            return self.made[id(series[0])], self.made[id(series[1])]
        x, z = (
            prepare(np.where(pair.complete, one, np.nan), self.counts, self.coefficient)
            for one in series
        )
        return x, z


def _replicate(pair: ScoreMatrix, draws: _Draws, question: Question, sides: _Sides) -> Floats:
    if question.level == "summary":
        by_item = _by_item(pair, draws, question, sides)
        return _mean_over_items(by_item, draws.item_counts)
    there = pair.complete
    if question.level == "system":
        counts = draws.item_counts.astype(np.float64)
        size = counts @ there.T
        x, z = (
            np.where(size > 0, counts @ np.where(there, one, 0).T / np.maximum(size, 1), np.nan)
            for one in (pair.metric, pair.human)
        )
        x, z = (np.take_along_axis(one, draws.systems, axis=1).T for one in (x, z))
    else:
        cells = (draws.systems[:, :, None], draws.items[:, None, :])
        x, z = (one[cells].reshape(len(draws.systems), -1).T for one in (pair.metric, pair.human))
    return correlate_columns(x, z, question.coefficient)


def _mean_over_items(by_item: Floats, counts: Indices) -> Floats:
    """Return each replicate's mean over the items it holds, undefined ones left out."""
    undefined = np.isnan(by_item)
    weights = np.where(undefined, 0, counts)
    total = weights.sum(axis=1)
    sums = np.einsum("bi,bi->b", weights, np.where(undefined, 0, by_item))
    return np.where(total > 0, sums / np.maximum(total, 1), np.nan)


def _by_item(pair: ScoreMatrix, draws: _Draws, question: Question, sides: _Sides) -> Floats:
    """Return the correlation within each item on the resampled systems, replicates x items."""
    x, z = sides.of(pair)
    if x is not None and z is not None:
        return x.correlate(z)
    n = len(draws.systems)
    a, b = (
        one[draws.systems].transpose(1, 0, 2).reshape(one.shape[0], -1)
        for one in (pair.metric, pair.human)
    )
    return correlate_columns(a, b, question.coefficient).reshape(n, -1)


def _estimate(pair: ScoreMatrix, question: Question, replicates: Floats) -> Estimate:
    plain = correlate(pair, level=question.level, coefficient=question.coefficient)
    defined = replicates[~np.isnan(replicates)]
    n_undefined = replicates.size - defined.size
    words = f"bootstrap over {question.resample}, {replicates.size} resamples"
    return replace(
        plain,
        se=float(defined.std(ddof=1)) if defined.size > 1 else NAN,
        ci=percentile_interval(defined, question.confidence),
        ci_method=f"percentile {words}, {n_undefined} undefined left out",
        confidence=question.confidence,
        n_undefined=n_undefined,
        details={**plain.details, "n_undefined_groups": plain.n_undefined},
    )
