"""One evaluation in, one report out: the same for a page, a command and the API."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from typing import Any

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.agreement import agreement_rows, people_and_model_rows
from metrics_app.reports.bias import bias_rows
from metrics_app.reports.chapters import CHAPTERS
from metrics_app.reports.comparison import comparison_rows
from metrics_app.reports.contract import (
    AgreementRow,
    ContrastRow,
    CorrelationRow,
    RankingRow,
    Report,
)
from metrics_app.reports.correlation import (
    correlation_rows,
    dimension_correlation_rows,
    group_correlation_rows,
    ordered_dimensions,
)
from metrics_app.reports.faults import Faults
from metrics_app.reports.findings import finding_rows
from metrics_app.reports.groups import Groups, parts
from metrics_app.reports.means import mean_rows
from metrics_app.reports.options import ReportOptions, stream
from metrics_app.reports.overview import overview
from metrics_app.reports.prediction import predictor_sets
from metrics_app.reports.provenance import code_version, data_hash
from metrics_app.reports.ranking import ranking_rows

# Lists of the same step: by the list's name, what to call it, and what computes it.
_COMPARED: tuple[tuple[str, str, Callable[[Evaluation], Iterable[Any]]], ...] = (
    ("comparison", "Tests of means", comparison_rows),
    ("bias", "Experts and crowd", bias_rows),
    ("group_correlation", "Correlation of groups", group_correlation_rows),
    ("dimension_correlation", "Correlation of dimensions", dimension_correlation_rows),
)
# Told how many steps are done, of how many, and what comes next.
Progress = Callable[[int, int, str], None]


def silent(_done: int, _total: int, _stage: str) -> None:
    """Take a progress and say nothing."""


def build_report(
    evaluation: Evaluation,
    options: ReportOptions,
    *,
    generated_at: datetime,
    progress: Progress = silent,
) -> Report:
    """Compute every list of the report.

    Parameters
    ----------
    progress : callable
        Called between the steps; what it raises ends the work.

    Raises
    ------
    ValueError
        For options that name what the evaluation does not have.

    Notes
    -----
    Every part draws from its own stream of random numbers, derived from the seed and the part's
    place, so that a part gives the same numbers whatever else is computed.

    A numeric fault ends its part alone: a finding ``block_failed`` says which and why, and the
    log has the traceback.
    """
    predictor_sets(evaluation, options)  # a name that is no metric ends it here, by its ValueError
    steps, faults = _Steps(evaluation, progress), Faults()
    lists: dict[str, Any] = {}
    steps.begin("Means")
    lists["means"] = faults.rows("Means", lambda: mean_rows(evaluation))
    lists["agreement"] = _agreement(evaluation, options, steps, faults)
    lists["ranking"], lists["contrasts"] = _ranking(evaluation, options, steps, faults)
    steps.begin("Experts and crowd")
    for name, stage, rows in _COMPARED:
        lists[name] = faults.rows(stage, partial(rows, evaluation))
    lists["correlation"] = _correlation(evaluation, options, steps, faults)
    for chapter in CHAPTERS:
        steps.begin(chapter.stage)
        compute = partial(chapter.rows, evaluation, options)
        lists[chapter.name] = faults.rows(chapter.stage, compute)
    steps.begin("Findings")
    findings = faults.rows("Findings", lambda: finding_rows(evaluation))
    return Report(
        study=evaluation.study,
        generated_at=generated_at.isoformat(),
        code_version=code_version(),
        data_hash=data_hash(evaluation),
        seed=options.seed,
        overview=overview(evaluation, options.n_resamples),
        findings=(*faults.findings, *findings),
        **lists,
    )


class _Steps:
    """Counts the steps of a report and tells the progress what comes next."""

    def __init__(self, evaluation: Evaluation, progress: Progress) -> None:
        self._progress = progress
        self._done = 0
        self.parts = list(parts(evaluation))
        self._total = 4 + len(self.parts) + len(evaluation.metrics) + len(CHAPTERS)

    def begin(self, stage: str) -> None:
        self._progress(self._done, self._total, stage)
        self._done += 1


def _agreement(
    evaluation: Evaluation, options: ReportOptions, steps: _Steps, faults: Faults
) -> tuple[AgreementRow, ...]:
    found: list[AgreementRow] = []
    for dimension, name, groups in steps.parts:
        stage = f"Agreement: {dimension}, {name}"
        steps.begin(stage)
        compute = partial(
            agreement_rows,
            evaluation.rating_table(dimension, groups),
            place=(dimension, name),
            rng=stream(options.seed, "agreement", dimension, name),
            n_resamples=options.n_resamples,
        )
        found += faults.rows(stage, compute)
    found += faults.rows("Agreement: people and models", lambda: people_and_model_rows(evaluation))
    return tuple(found)


def _ranking(
    evaluation: Evaluation, options: ReportOptions, steps: _Steps, faults: Faults
) -> tuple[tuple[RankingRow, ...], tuple[ContrastRow, ...]]:
    steps.begin("Ranking")
    rows: list[RankingRow] = []
    contrasts: list[ContrastRow] = []
    ordered = ordered_dimensions(evaluation)
    for dimension, name, groups in steps.parts:
        if dimension in ordered:
            compute = partial(_ranked, evaluation, (dimension, name), groups, options)
            for ranked, pairs in faults.rows(f"Ranking: {dimension}, {name}", compute):
                rows += ranked
                contrasts += pairs
    return tuple(rows), tuple(contrasts)


def _ranked(
    evaluation: Evaluation, place: tuple[str, str], groups: Groups, options: ReportOptions
) -> Iterator[tuple[list[RankingRow], list[ContrastRow]]]:
    rng = stream(options.seed, "ranking", *place)
    yield ranking_rows(evaluation, place, groups, rng=rng, n_resamples=options.n_resamples)


def _correlation(
    evaluation: Evaluation, options: ReportOptions, steps: _Steps, faults: Faults
) -> tuple[CorrelationRow, ...]:
    found: list[CorrelationRow] = []
    for metric in evaluation.metrics:
        stage = f"Metric: {metric}"
        steps.begin(stage)
        compute = partial(correlation_rows, evaluation, metric, takes_time=options.takes_time)
        found += faults.rows(stage, compute)
    return tuple(found)
