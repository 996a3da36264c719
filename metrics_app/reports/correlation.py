"""Metrics against people, dimensions against each other, groups of judges against each other."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.contract import (
    CorrelationRow,
    DimensionCorrelationRow,
    GroupCorrelationRow,
)
from metrics_app.reports.groups import Groups, named_groups
from metrics_app.stats.levels import correlate
from metrics_app.stats.results import Estimate, as_plain
from metrics_app.stats.scores import ScoreMatrix

Floats = npt.NDArray[np.float64]
STATISTICS = ("pearson", "spearman", "kendall_tau_b")
LEVELS = ("system", "summary")
GLOBAL = "global"
# What all outputs at once may take before they have to be asked for; measured for one output,
# metric and dimension, all three coefficients.
MOST_SECONDS = 3.0
_SECONDS_AN_OUTPUT = 9e-7


class HumanScores:
    """The outputs' mean ratings by dimension and groups, computed once each."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._known: dict[tuple[str, Groups], Floats] = {}

    def __call__(self, dimension: str, groups: Groups) -> Floats:
        """Return systems x items."""
        key = (dimension, groups)
        if key not in self._known:
            self._known[key] = self._evaluation.human_scores(dimension, groups)
        return self._known[key]


def correlation_rows(
    evaluation: Evaluation, metric: str, *, takes_time: bool = False
) -> Iterator[CorrelationRow]:
    """Yield a metric's correlation with every dimension, by group, level and coefficient.

    On very many outputs the global level waits until it is asked for by ``takes_time``.
    """
    scores = evaluation.metric_scores(metric)
    human = HumanScores(evaluation)
    seconds = estimated_seconds(evaluation)
    waits = seconds > MOST_SECONDS and not takes_time
    levels = LEVELS if waits else (*LEVELS, GLOBAL)
    n_parts = len(ordered_dimensions(evaluation)) * len(named_groups(evaluation))
    for dimension in ordered_dimensions(evaluation):
        for name, groups in named_groups(evaluation):
            place: dict[str, Any] = {"metric": metric, "dimension": dimension, "group": name}
            matrix = _matrix(evaluation, scores, human(dimension, groups))
            for level, result in _levels(matrix, levels):
                yield CorrelationRow(
                    level=level,
                    n_missing=result.n_missing,
                    method=result.method,
                    **place,
                    **_numbers(result),
                )
            if waits:
                share = seconds / (n_parts * len(evaluation.metrics) * len(STATISTICS))
                yield from _waiting(place, matrix, share)


def estimated_seconds(evaluation: Evaluation) -> float:
    """Return about how long the global level takes for all metrics, dimensions and groups."""
    n_parts = len(ordered_dimensions(evaluation)) * len(named_groups(evaluation))
    n_outputs = len(evaluation.systems) * len(evaluation.items)
    return _SECONDS_AN_OUTPUT * n_outputs * n_parts * len(evaluation.metrics)


def _waiting(
    place: dict[str, Any], matrix: ScoreMatrix, seconds: float
) -> Iterator[CorrelationRow]:
    for statistic in STATISTICS:
        yield CorrelationRow(
            **place,
            level=GLOBAL,
            statistic=statistic,
            value=None,
            ci=None,
            p=None,
            n_systems=len(matrix.systems),
            n_items=len(matrix.items),
            n_undefined=0,
            undefined="on_request",
            details={"estimated_seconds": seconds},
        )


def dimension_correlation_rows(evaluation: Evaluation) -> Iterator[DimensionCorrelationRow]:
    """Yield the correlation of every two dimensions, by group, level and coefficient."""
    human = HumanScores(evaluation)
    for first, second in combinations(ordered_dimensions(evaluation), 2):
        for name, groups in named_groups(evaluation):
            matrix = _matrix(evaluation, human(first, groups), human(second, groups))
            for level, result in _levels(matrix, LEVELS):
                yield DimensionCorrelationRow(
                    dimensions=(first, second), group=name, level=level, **_numbers(result)
                )


def group_correlation_rows(evaluation: Evaluation) -> Iterator[GroupCorrelationRow]:
    """Yield the correlation of every two groups of judges, by dimension, level, coefficient.

    Systems with equal means tie exactly, whatever the numbers of judges. Against metrics the
    means stay as they are, since published values rest on them.
    """
    human = evaluation.comparable_scores
    for dimension in ordered_dimensions(evaluation):
        for first, second in combinations(evaluation.groups, 2):
            matrix = _matrix(evaluation, human(dimension, [first]), human(dimension, [second]))
            for level, result in _levels(matrix, (*LEVELS, GLOBAL)):
                yield GroupCorrelationRow(
                    dimension=dimension, groups=(first, second), level=level, **_numbers(result)
                )


def ordered_dimensions(evaluation: Evaluation) -> list[str]:
    """Return the dimensions whose values have an order: means and ranks need one."""
    scales = evaluation.scales
    return [d for d in evaluation.dimensions if scales[d].measurement != "nominal"]


def _matrix(evaluation: Evaluation, metric: Floats, human: Floats) -> ScoreMatrix:
    return ScoreMatrix(metric, human, evaluation.systems, evaluation.items)


def _levels(matrix: ScoreMatrix, levels: tuple[str, ...]) -> Iterator[tuple[str, Estimate]]:
    for level in levels:
        for statistic in STATISTICS:
            yield level, correlate(matrix, level=level, coefficient=statistic)


def _numbers(result: Estimate) -> dict[str, Any]:
    return {
        "statistic": result.statistic,
        "value": as_plain(result.value),
        "ci": result.ci,
        "ci_method": result.ci_method,
        "p": as_plain(result.p),
        "n_systems": result.details["n_systems"],
        "n_items": result.details["n_items"],
        "n_undefined": result.n_undefined,
        "undefined": result.undefined,
    }
