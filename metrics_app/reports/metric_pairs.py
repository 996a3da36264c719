"""All pairs of metrics: is the correlation of one with people higher than that of the other."""

from collections.abc import Iterator
from math import comb
from typing import Any

import numpy as np

from metrics_app.loaders.evaluation import Evaluation, Floats
from metrics_app.reports.correlation import LEVELS, ordered_dimensions
from metrics_app.reports.groups import Groups, named_groups
from metrics_app.reports.options import ReportOptions, stream
from metrics_app.reports.rows.metric_pairs import MetricPairRow
from metrics_app.stats.correlation_permutation import Contest, compare_metrics
from metrics_app.stats.results import TestResult, as_plain
from metrics_app.stats.swaps import Swaps

STATISTIC = "kendall_tau_b"
# What all tests together may take before they have to be asked for.
MOST_SECONDS = 3.0
# Measured, 1,000 swaps: of a pair at all, and of each of its cells on each dimension.
_SECONDS_A_PAIR = 0.015
_SECONDS_A_CELL = 8e-6


def metric_pair_rows(evaluation: Evaluation, options: ReportOptions) -> Iterator[MetricPairRow]:
    """Yield the test of every two metrics, by dimension, group of judges and level.

    PERM-BOTH of Kendall's tau-b (Deutsch, Dror and Roth 2021), Holm over all pairs of metrics
    within a dimension. What would take long waits to be asked for, with the estimated seconds.
    """
    if len(evaluation.metrics) < 2:
        return
    seconds = estimated_seconds(evaluation, options.n_resamples)
    places = [(level, *named) for level in LEVELS for named in named_groups(evaluation)]
    waits = seconds > MOST_SECONDS and not options.takes_time
    for level, name, groups in places:
        if waits:
            details = {"estimated_seconds": seconds / len(places)}
            yield _undefined(evaluation, ("", name, level), "on_request", details=details)
        else:
            yield from _tested(evaluation, (name, level), groups, options)


def estimated_seconds(evaluation: Evaluation, n_resamples: int) -> float:
    """Return about how long all tests take."""
    n_pairs = comb(len(evaluation.metrics), 2)
    n_cells = len(evaluation.systems) * len(evaluation.items)
    n_dimensions = len(ordered_dimensions(evaluation))
    a_pair = _SECONDS_A_PAIR + _SECONDS_A_CELL * n_cells * n_dimensions
    n_places = len(LEVELS) * len(named_groups(evaluation))
    return n_places * n_pairs * a_pair * n_resamples / 1_000


def _tested(
    evaluation: Evaluation, place: tuple[str, str], groups: Groups, options: ReportOptions
) -> Iterator[MetricPairRow]:
    name, level = place
    scores = {metric: _turned(evaluation, metric) for metric in evaluation.metrics}
    unscored = np.isnan(np.stack(list(scores.values()))).any(axis=0)
    # Dimensions that were rated on the same outputs share their swaps, and most of the work.
    alike: dict[bytes, dict[str, Floats]] = {}
    for dimension in ordered_dimensions(evaluation):
        human = evaluation.human_scores(dimension, groups)
        alike.setdefault((unscored | np.isnan(human)).tobytes(), {})[dimension] = human
    for gone, people in alike.items():
        complete = ~np.frombuffer(gone, dtype=np.bool_).reshape(unscored.shape)
        if not np.any(complete):
            for dimension in people:
                yield _undefined(evaluation, (dimension, name, level), "no_shared_output")
            continue
        # Systems and items without a complete output say nothing, and would only be drawn.
        shown = np.any(complete, axis=1)
        systems = evaluation.systems_by_name
        part = np.ix_(systems[shown[systems]], np.flatnonzero(np.any(complete, axis=0)))
        found = compare_metrics(
            {metric: own[part] for metric, own in scores.items()},
            {dimension: human[part] for dimension, human in people.items()},
            Contest(level, STATISTIC, Swaps(n_resamples=options.n_resamples)),
            rng=stream(options.seed, "metric pairs", name, level),
        )
        shape = complete[part].shape
        for (first, second, dimension), result in found.items():
            yield _row(result, (first, second), (dimension, name, level), shape)


def _turned(evaluation: Evaluation, metric: str) -> Floats:
    """Return a metric's scores so that more is better."""
    scores = evaluation.metric_scores(metric)
    return -scores if metric in evaluation.lower_is_better else scores


def _row(
    result: TestResult, pair: tuple[str, str], place: tuple[str, str, str], shape: tuple[int, ...]
) -> MetricPairRow:
    dimension, name, level = place
    details = {key: as_plain(result.details[key]) for key in ("p_greater", "n_undefined")}
    return MetricPairRow(
        metrics=pair,
        dimension=dimension,
        group=name,
        level=level,
        statistic=STATISTIC,
        value=as_plain(result.value),
        p=as_plain(result.p),
        p_adjusted=as_plain(result.details["p_adjusted"]),
        n_systems=shape[0],
        n_items=shape[1],
        n_missing=result.n_missing,
        undefined=result.undefined,
        method=f"{result.method}; p adjusted after Holm over all pairs of metrics",
        details=details,
    )


def _undefined(
    evaluation: Evaluation,
    place: tuple[str, str, str],
    reason: str,
    **more: Any,  # noqa: ANN401 -- fields of the row
) -> MetricPairRow:
    dimension, name, level = place
    return MetricPairRow(
        metrics=evaluation.metrics,
        dimension=dimension,
        group=name,
        level=level,
        statistic=STATISTIC,
        value=None,
        p=None,
        p_adjusted=None,
        n_systems=len(evaluation.systems),
        n_items=len(evaluation.items),
        n_missing=0,
        undefined=reason,
        **more,
    )
