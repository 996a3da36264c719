"""Permutation tests: is one metric's correlation with people higher than another's.

Both metrics are standardized over the whole table (population standard deviation), then scores
are swapped between them as `swaps` says, and the difference of the correlations is compared with
what it is after swaps (Deutsch, Dror and Roth 2021).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from metrics_app.stats.adjustment import adjust_p
from metrics_app.stats.correlation import require_coefficient
from metrics_app.stats.levels import LEVELS, correlate
from metrics_app.stats.results import NAN, Estimate, TestResult
from metrics_app.stats.samples import Floats
from metrics_app.stats.scores import ScoreMatrix, as_matrix
from metrics_app.stats.swapped_levels import standardize, swapped_differences
from metrics_app.stats.swapped_taus import swapped_tau_differences
from metrics_app.stats.swaps import Masks, Swaps

STATISTIC = "permutation_test_correlation_difference"
# Differences that differ by rounding only are equal.
_ROUNDING = 1e-12
_SINGLE_ROUNDING = 1e-6


@dataclass(frozen=True, slots=True)
class Contest:
    """What is compared: the level, the coefficient, the swaps and the correction.

    Attributes
    ----------
    level : {"system", "summary", "global"}
    coefficient : str
    swaps : Swaps
    correction : {"holm", "BH", "bonferroni"}
        For the p-values of all pairs of metrics within a dimension.
    """

    level: str
    coefficient: str
    swaps: Swaps = field(default_factory=Swaps)
    correction: str = "holm"

    def __post_init__(self) -> None:
        """Refuse an unknown level or coefficient before anything is computed."""
        if self.level not in LEVELS:
            raise ValueError(f"level must be one of {list(LEVELS)}, not {self.level!r}")
        require_coefficient(self.coefficient)
        adjust_p([], method=self.correction)

    @property
    def counts_signs(self) -> bool:
        """Whether all pairs of metrics are compared at once, by signs in single precision."""
        return self.level == "summary" and self.coefficient in ("kendall_tau_a", "kendall_tau_b")


def permutation_test(
    metrics: tuple[Floats, Floats],
    human: Floats,
    contest: Contest,
    *,
    rng: np.random.Generator | None = None,
) -> TestResult:
    """Return the permutation test of two metrics' correlations with people.

    Parameters
    ----------
    metrics : two arrays, systems x items
    human : array, systems x items
        NaN is missing; a cell missing in any of the three is left out of all.
    contest : Contest
    rng : numpy.random.Generator
        Needed where there are too many swaps to count them all.

    Returns
    -------
    TestResult
        ``value`` is the first correlation minus the second. ``p`` is two-sided, the share of
        swaps with a difference at least as large; ``details`` has p_greater (the first is the
        higher) and, for random swaps, p_plain without the added one. Swaps in which a correlation
        is undefined are left out and counted in ``details["n_undefined"]``. Undefined where one of
        the correlations is, for its reason; ``all_missing`` where no cell has all three scores.
    """
    found = compare_metrics(
        {"first": metrics[0], "second": metrics[1]}, {"human": human}, contest, rng=rng
    )
    return found["first", "second", "human"]


def compare_metrics(
    metrics: Mapping[str, Floats],
    people: Mapping[str, Floats],
    contest: Contest,
    *,
    rng: np.random.Generator | None = None,
) -> dict[tuple[str, str, str], TestResult]:
    """Return the permutation test of every two metrics for every dimension, on the same swaps.

    Parameters
    ----------
    metrics, people : mapping of name to array, systems x items
        NaN is missing; a cell missing in any series is left out of all, and counted.
    contest, rng
        As for `permutation_test`.

    Returns
    -------
    dict of TestResult
        By (first metric, second metric, dimension); ``details["p_adjusted"]`` is corrected for
        all pairs of metrics within the dimension.

    Raises
    ------
    ValueError
        For tables of different shapes, fewer than two metrics, or draws without a generator.
    """
    scores, dimensions = _complete(metrics, people)
    shape = scores.shape[1:]
    if np.isnan(scores).all():
        names = ((*pair, dimension) for dimension in people for pair in combinations(metrics, 2))
        return {(a, b, dimension): _nothing((a, b), shape) for a, b, dimension in names}
    none = np.zeros((1, *shape), dtype=bool)
    # Swaps are held against the difference as it comes out of the same arithmetic.
    goal = _differences(scores, dimensions, none, contest)
    tally = _Tally(goal, _SINGLE_ROUNDING if contest.counts_signs else _ROUNDING)
    for masks in contest.swaps.masks(shape, rng):
        tally.add(_differences(scores, dimensions, masks, contest))
    n_missing = int(np.isnan(scores[0]).sum())
    found = {}
    for d, (dimension, human) in enumerate(zip(people, dimensions, strict=True)):
        observed = [_observed(one, human, contest) for one in scores]
        results = [
            replace(
                _result(both, tally.at(d, pair), contest, shape),
                groups=names,
                n=shape[0] * shape[1] - n_missing,
                n_missing=n_missing,
            )
            for pair, (names, both) in enumerate(
                zip(combinations(metrics, 2), combinations(observed, 2), strict=True)
            )
        ]
        adjusted = adjust_p([one.p for one in results], method=contest.correction)
        for result, p in zip(results, adjusted, strict=True):
            details = {**result.details, "p_adjusted": NAN if p is None else p}
            key = (result.groups[0], result.groups[1], dimension)
            found[key] = replace(result, details=details)
    return found


def _complete(
    metrics: Mapping[str, Floats], people: Mapping[str, Floats]
) -> tuple[Floats, list[Floats]]:
    """Return standardized metrics and the people's scores with the same cells missing."""
    tables = {name: as_matrix(part, name) for name, part in [*metrics.items(), *people.items()]}
    shapes = {name: table.shape for name, table in tables.items()}
    if len(set(shapes.values())) > 1:
        raise ValueError(f"the tables must have the same systems and items: {shapes}")
    if len(metrics) < 2:
        raise ValueError("two metrics are needed for a comparison")
    gone = np.isnan(np.stack(list(tables.values()))).any(axis=0)
    masked = {name: np.where(gone, np.nan, table) for name, table in tables.items()}
    return np.stack([standardize(masked[name]) for name in metrics]), [
        masked[name] for name in people
    ]


def _nothing(names: tuple[str, str], shape: tuple[int, int]) -> TestResult:
    """Return the test of two metrics that share no cell with people."""
    n_missing = shape[0] * shape[1]
    details = {"p_adjusted": NAN}
    return TestResult(
        STATISTIC, NAN, undefined="all_missing", groups=names, n_missing=n_missing, details=details
    )


def _differences(scores: Floats, people: list[Floats], masks: Masks, contest: Contest) -> Floats:
    """Return first minus second correlation, dimensions x pairs of metrics x swaps."""
    level, coefficient = contest.level, contest.coefficient
    if contest.counts_signs:
        return swapped_tau_differences(scores, people, masks, coefficient)
    return np.stack(
        [
            swapped_differences((x, y), people, masks, level, coefficient)
            for x, y in combinations(scores, 2)
        ],
        axis=1,
    )


def _observed(metric: Floats, human: Floats, contest: Contest) -> Estimate:
    """Return the correlation before any swap, in double precision."""
    matrix = ScoreMatrix.from_arrays(metric, human)
    return correlate(matrix, level=contest.level, coefficient=contest.coefficient)


class _Tally:
    """How many swaps gave at least the observed difference."""

    def __init__(self, goal: Floats, slack: float) -> None:
        self.goal, self.slack = goal, slack
        self.either, self.above, self.defined, self.seen = (
            np.zeros(goal.shape[:2], dtype=np.int64) for _ in range(4)
        )

    def add(self, swapped: Floats) -> None:
        """Count the swaps of one part."""
        self.either += (np.abs(swapped) >= np.abs(self.goal) - self.slack).sum(axis=2)
        self.above += (swapped >= self.goal - self.slack).sum(axis=2)
        self.defined += (~np.isnan(swapped)).sum(axis=2)
        self.seen += swapped.shape[2]

    def at(self, dimension: int, pair: int) -> dict[str, int]:
        """Return the counts of one comparison by name."""
        names = ("either", "above", "defined", "seen")
        return {name: int(getattr(self, name)[dimension, pair]) for name in names}


def _result(
    observed: tuple[Estimate, Estimate],
    counts: dict[str, int],
    contest: Contest,
    shape: tuple[int, int],
) -> TestResult:
    first, second = observed
    value = first.value - second.value
    added = 0 if contest.swaps.is_exact(shape) else 1
    defined = counts["defined"]
    reason = first.undefined or second.undefined or (None if defined else "constant_input")
    p, p_greater, p_plain = NAN, NAN, NAN
    if not reason:
        p = (counts["either"] + added) / (defined + added)
        p_greater = (counts["above"] + added) / (defined + added)
        p_plain = counts["either"] / defined
    return TestResult(
        STATISTIC,
        NAN if reason else value,
        p=p,
        method=f"difference of {contest.level}-level {contest.coefficient}, two-sided, "
        f"{contest.swaps.words(shape)}, metrics standardized over the whole table",
        unit=contest.level,
        undefined=reason,
        details={
            "p_greater": p_greater,
            "p_plain": p_plain,
            "n_undefined": counts["seen"] - defined,
        },
    )
