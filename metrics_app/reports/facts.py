"""Facts: the share of them that outputs hold, or contradict, and how two groups see it."""

from collections.abc import Iterator
from typing import get_args

import numpy as np

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.groups import Groups, named_groups
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.rows.facts import FactComparisonRow, FactRow
from metrics_app.stats.fact_table import FactLabel, FactTable
from metrics_app.stats.facts import Coverage, FactComparison, Rule, compare_groups, coverage
from metrics_app.stats.results import Estimate, as_plain
from metrics_app.stats.scales import Scale

RULES: tuple[Rule, ...] = get_args(Rule)


def fact_rows(evaluation: Evaluation, _options: ReportOptions) -> Iterator[FactRow]:
    """Yield the shares of every label, by group and rule: overall, by system, by predicate."""
    for dimension in _fact_dimensions(evaluation):
        for group, groups in named_groups(evaluation):
            for label in labels_of(evaluation.scales[dimension]):
                table = _table(evaluation, dimension, groups, label)
                for rule in RULES:
                    place = (dimension, group, label)
                    yield from _shares(place, coverage(table, rule=rule))


def _shares(place: tuple[str, str, str], found: Coverage) -> Iterator[FactRow]:
    yield _row(place, ("overall", ""), found.overall, found)
    for system, share in found.systems.items():
        yield _row(place, ("system", str(system)), share, found)
    for predicate, value in found.predicates.items():
        if predicate:
            share = Estimate("fact_coverage", value, method="share of the predicate's facts")
            yield _row(place, ("predicate", predicate), share, found)


def _row(
    place: tuple[str, str, str], scope: tuple[str, str], share: Estimate, found: Coverage
) -> FactRow:
    return FactRow(
        dimension=place[0],
        group=place[1],
        label=place[2],
        rule=found.rule,
        scope=scope[0],
        name=scope[1],
        value=as_plain(share.value),
        ci=share.ci,
        ci_method=share.ci_method,
        n_outputs=share.n_units,
        n_facts=found.n_facts,
        n_ties=found.n_ties,
        n_unanswered=found.n_unanswered,
        undefined=share.undefined,
        method=share.method,
    )


def fact_comparison_rows(
    evaluation: Evaluation, _options: ReportOptions
) -> Iterator[FactComparisonRow]:
    """Yield the tests of experts against the crowd on the outputs' percentages of facts."""
    if evaluation.sides is None:
        return
    groups = (evaluation.sides.expert, evaluation.sides.crowd)
    for dimension in _fact_dimensions(evaluation):
        for label in labels_of(evaluation.scales[dimension]):
            table = _table(evaluation, dimension, groups, label)
            if not set(groups) <= set(table.group):
                continue
            for rule in RULES:
                compared = compare_groups(table, *groups, rule=rule)
                yield from _comparison((dimension, label, rule), groups, compared)


def _comparison(
    place: tuple[str, str, str], groups: tuple[str, str], found: FactComparison
) -> Iterator[FactComparisonRow]:
    anova, pearson = found.anova, found.pearson
    means = tuple(_mean(found.series[group]) for group in groups)
    for result, df, effects, reason in (
        (anova, anova.df, anova.effects, anova.why_no_number),
        (pearson, (), {}, pearson.undefined),
    ):
        yield FactComparisonRow(
            dimension=place[0],
            groups=groups,
            label=place[1],
            rule=place[2],
            statistic=result.statistic,
            value=as_plain(result.value),
            df=df,
            p=as_plain(result.p),
            ci=result.ci,
            group_means=means,
            n_outputs=len(found.outputs),
            n_left_out=found.n_left_out,
            undefined=reason,
            effects=as_plain(effects),
            method=result.method,
        )


def _mean(percentages: tuple[float, ...]) -> float | None:
    return float(np.mean(percentages)) if percentages else None


def _fact_dimensions(evaluation: Evaluation) -> list[str]:
    """Return the dimensions that were asked of single facts, on declared points."""
    rows = evaluation.judgements
    asked = np.unique(rows.dimension.codes[~rows.fact.is_in([""])])
    found = [rows.dimension.keys[code] for code in asked.tolist()]
    return [dimension for dimension in found if evaluation.scales[dimension].values]


def labels_of(scale: Scale) -> tuple[str, ...]:
    """Return what the points of a scale are called, their numbers where they have no names."""
    return scale.labels or tuple(f"{value:g}" for value in scale.values)


def _table(evaluation: Evaluation, dimension: str, groups: Groups, label: str) -> FactTable:
    scale = evaluation.scales[dimension]
    labels = labels_of(scale)
    rows = evaluation.select(dimension, groups)
    rows = rows.rows(~np.isnan(rows.value) & ~rows.fact.is_in([""]))
    given = [labels[code] for code in scale.codes(rows.value).tolist()]
    columns = (rows.item, rows.system, rows.fact, rows.judge, rows.group)
    names = zip(*(column.names() for column in columns), given, strict=True)
    return FactTable.from_labels(
        (
            FactLabel(item, system, fact, judge, answer, group, *_kind(evaluation, item, fact))
            for item, system, fact, judge, group, answer in names
        ),
        positive=label,
        declared=labels,
    )


def _kind(evaluation: Evaluation, item: str, fact: str) -> tuple[str, float]:
    """Return the predicate and the weight of a fact."""
    return evaluation.facts.get((item, fact), ("", 1.0))
