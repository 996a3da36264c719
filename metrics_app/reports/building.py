"""One evaluation in, one report out: the same for a page, a command and the API."""

from collections.abc import Callable, Iterator
from datetime import datetime
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
from metrics_app.reports.findings import finding_rows
from metrics_app.reports.groups import parts
from metrics_app.reports.means import mean_rows
from metrics_app.reports.options import ReportOptions, stream
from metrics_app.reports.overview import overview
from metrics_app.reports.provenance import code_version, data_hash
from metrics_app.reports.ranking import ranking_rows

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

    Notes
    -----
    Every part draws from its own stream of random numbers, derived from the seed and the part's
    place, so that a part gives the same numbers whatever else is computed.
    """
    steps = _Steps(evaluation, progress)
    steps.begin("Means")
    means = tuple(mean_rows(evaluation))
    agreement = tuple(_agreement(evaluation, options, steps))
    ranking, contrasts = _ranking(evaluation, options, steps)
    steps.begin("Experts and crowd")
    comparison = tuple(comparison_rows(evaluation))
    bias = tuple(bias_rows(evaluation))
    groups = tuple(group_correlation_rows(evaluation))
    dimensions = tuple(dimension_correlation_rows(evaluation))
    correlation = tuple(_correlation(evaluation, options, steps))
    chapters: dict[str, Any] = dict(_chapters(evaluation, options, steps))
    steps.begin("Findings")
    return Report(
        study=evaluation.study,
        generated_at=generated_at.isoformat(),
        code_version=code_version(),
        data_hash=data_hash(evaluation),
        seed=options.seed,
        overview=overview(evaluation, options.n_resamples),
        findings=tuple(finding_rows(evaluation)),
        means=means,
        agreement=agreement,
        comparison=comparison,
        bias=bias,
        ranking=ranking,
        contrasts=contrasts,
        correlation=correlation,
        dimension_correlation=dimensions,
        group_correlation=groups,
        **chapters,
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
    evaluation: Evaluation, options: ReportOptions, steps: _Steps
) -> Iterator[AgreementRow]:
    for dimension, name, groups in steps.parts:
        steps.begin(f"Agreement: {dimension}, {name}")
        yield from agreement_rows(
            evaluation.rating_table(dimension, groups),
            place=(dimension, name),
            rng=stream(options.seed, "agreement", dimension, name),
            n_resamples=options.n_resamples,
        )
    yield from people_and_model_rows(evaluation)


def _ranking(
    evaluation: Evaluation, options: ReportOptions, steps: _Steps
) -> tuple[tuple[RankingRow, ...], tuple[ContrastRow, ...]]:
    steps.begin("Ranking")
    rows: list[RankingRow] = []
    contrasts: list[ContrastRow] = []
    ordered = ordered_dimensions(evaluation)
    for dimension, name, groups in steps.parts:
        if dimension in ordered:
            rng = stream(options.seed, "ranking", dimension, name)
            ranked, pairs = ranking_rows(
                evaluation, (dimension, name), groups, rng=rng, n_resamples=options.n_resamples
            )
            rows += ranked
            contrasts += pairs
    return tuple(rows), tuple(contrasts)


def _correlation(
    evaluation: Evaluation, options: ReportOptions, steps: _Steps
) -> Iterator[CorrelationRow]:
    for metric in evaluation.metrics:
        steps.begin(f"Metric: {metric}")
        yield from correlation_rows(evaluation, metric, takes_time=options.takes_time)


def _chapters(
    evaluation: Evaluation, options: ReportOptions, steps: _Steps
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    for chapter in CHAPTERS:
        steps.begin(chapter.stage)
        yield chapter.name, tuple(chapter.rows(evaluation, options))
