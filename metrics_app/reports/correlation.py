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


def correlation_rows(evaluation: Evaluation, metric: str) -> Iterator[CorrelationRow]:
    """Yield a metric's correlation with every dimension, by group, level and coefficient."""
    scores = evaluation.metric_scores(metric)
    human = HumanScores(evaluation)
    for dimension in ordered_dimensions(evaluation):
        for name, groups in named_groups(evaluation):
            matrix = _matrix(evaluation, scores, human(dimension, groups))
            for level, result in _levels(matrix, LEVELS):
                yield CorrelationRow(
                    metric=metric,
                    dimension=dimension,
                    group=name,
                    level=level,
                    n_missing=result.n_missing,
                    method=result.method,
                    **_numbers(result),
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
            for level, result in _levels(matrix, (*LEVELS, "global")):
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
