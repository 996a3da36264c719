"""Agreement of judges with themselves, from outputs that were shown to them again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.groups import named_groups
from metrics_app.reports.options import ReportOptions, stream
from metrics_app.reports.over_time import alpha_level
from metrics_app.reports.rows.agreement import SelfAgreementRow
from metrics_app.stats.agreement_report import agreement_report
from metrics_app.stats.coefficients import Coefficient, coefficients_for
from metrics_app.stats.repeats import Repeat, pooled_repeats, repeat_tables
from metrics_app.stats.results import Estimate, as_plain
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable


def self_agreement_rows(
    evaluation: Evaluation, options: ReportOptions
) -> Iterator[SelfAgreementRow]:
    """Yield exact agreement, kappa and alpha of first and repeated ratings.

    By dimension and group: of all its judges together, with intervals from resampled units, then
    of each judge. Nothing where nothing was shown again.
    """
    for dimension in evaluation.dimensions:
        scale = evaluation.scales[dimension]
        for name, groups in named_groups(evaluation):
            own = [r for r in evaluation.repeats if r.dimension == dimension and r.group in groups]
            if not own:
                continue
            rows = [(r.judge, (r.item, r.system, r.fact), r.first, r.again) for r in own]
            yield from _together((dimension, name), rows, scale, options)
            if name in evaluation.groups:
                yield from _each((dimension, name), rows, scale)


def _together(
    place: tuple[str, str], rows: Sequence[Repeat], scale: Scale, options: ReportOptions
) -> Iterator[SelfAgreementRow]:
    table = pooled_repeats(rows, scale=scale)
    found = agreement_report(
        table,
        rng=stream(options.seed, "self agreement", *place),
        coefficients=_chosen(table),
        n_resamples=options.n_resamples,
    )
    n_judges = len({judge for judge, *_ in rows})
    for result in found:
        yield _row((*place, ""), result, result.details.get("options", {}), n_judges)


def _each(
    place: tuple[str, str], rows: Sequence[Repeat], scale: Scale
) -> Iterator[SelfAgreementRow]:
    for judge, table in repeat_tables(rows, scale=scale).items():
        for coefficient in _chosen(table):
            yield _row((*place, str(judge)), coefficient.estimate(table), coefficient.options, 1)


def _chosen(table: RatingTable) -> list[Coefficient]:
    wanted = [
        ("percent_agreement", {"weights": "unweighted"}),
        ("cohen_kappa", {"weights": "unweighted"}),
        ("cohen_kappa", {"weights": "quadratic"}),
        ("krippendorff_alpha", {"measurement": alpha_level(table.scale)}),
    ]
    return [one for one in coefficients_for(table) if (one.statistic, dict(one.options)) in wanted]


def _row(
    place: tuple[str, str, str], result: Estimate, options: Mapping[str, Any], n_judges: int
) -> SelfAgreementRow:
    dimension, group, judge = place
    return SelfAgreementRow(
        dimension=dimension,
        group=group,
        judge=judge,
        statistic=result.statistic,
        options=dict(options),
        value=as_plain(result.value),
        ci=as_plain(result.ci),
        ci_method=result.ci_method,
        n_units=result.n_units,
        n_judges=n_judges,
        undefined=result.undefined,
        method=result.method,
        observed=as_plain(result.details.get("pa")),
    )
