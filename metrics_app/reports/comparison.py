"""Tests of means: experts against crowd, judge against judge, system against system."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation, Sides
from metrics_app.reports.contract import ComparisonRow
from metrics_app.reports.correlation import ordered_dimensions
from metrics_app.reports.groups import named_groups
from metrics_app.stats.anova import oneway_anova, welch_anova
from metrics_app.stats.mean_effects import cohen_d, hedges_g
from metrics_app.stats.rank_tests import kruskal_wallis, mann_whitney
from metrics_app.stats.results import TestResult, as_plain
from metrics_app.stats.signed_rank import wilcoxon_signed_rank
from metrics_app.stats.t_tests import t_test
from metrics_app.stats.two_samples import TwoSamples
from metrics_app.stats.twoway import twoway_anova

Floats = npt.NDArray[np.float64]
Samples = Mapping[str, Floats]
# Units of analysis in which both sides judge the same thing, so that their values come in pairs.
PAIRED = ("output_mean", "item_mean")
_FACTORS = {
    "group": "group beside system",
    "system": "system beside group",
    "interaction": "group x system",
}


def comparison_rows(evaluation: Evaluation) -> Iterator[ComparisonRow]:
    """Yield the tests of every dimension whose values have an order.

    Experts against crowd only where it is known who is who; judge against judge only where all
    judges of the group rated the same outputs, since else their outputs differ, not they.
    """
    for dimension in ordered_dimensions(evaluation):
        if evaluation.sides is not None:
            for factor, result in _group_tests(evaluation, evaluation.sides, dimension):
                yield as_row(result, dimension, factor=factor)
        for name, groups in named_groups(evaluation):
            if judges := _judges(evaluation, dimension, groups):
                result = oneway_anova(judges, unit="rating")
                yield as_row(result, dimension, factor="judge", group=name)
            outputs = evaluation.human_scores(dimension, groups)
            systems = dict(zip(evaluation.systems, outputs, strict=True))
            result = oneway_anova(systems, unit="output_mean")
            yield as_row(result, dimension, factor="system", group=name)


def _group_tests(
    evaluation: Evaluation, sides: Sides, dimension: str
) -> Iterator[tuple[str, TestResult]]:
    """Yield (factor, test): of the two sides by each unit, and of sides and systems together."""
    names = (sides.expert, sides.crowd)
    outputs = {name: evaluation.human_scores(dimension, [name]) for name in names}
    ratings = {name: evaluation.select(dimension, [name]).value for name in names}
    by_unit = {
        "rating": ratings,
        "output_mean": {name: values.ravel() for name, values in outputs.items()},
        "item_mean": {name: _item_means(values) for name, values in outputs.items()},
    }
    for unit, samples in by_unit.items():
        for result in _independent_tests(samples, unit):
            yield "group", result
        if unit in PAIRED:
            for result in _paired_tests(samples, unit):
                yield "group", result
    yield from _two_factors(evaluation, outputs)


def _independent_tests(samples: Samples, unit: str) -> Iterator[TestResult]:
    first, second = samples.values()
    yield oneway_anova(samples, unit=unit)
    yield welch_anova(samples, unit=unit)
    welch = t_test(TwoSamples.of(first, second), unit=unit)
    yield _named(welch, "welch_t", samples, effects=_sizes(TwoSamples.of(first, second)))
    yield kruskal_wallis(samples, unit=unit)
    yield _named(mann_whitney(first, second, unit=unit), "mann_whitney", samples)


def _paired_tests(samples: Samples, unit: str) -> Iterator[TestResult]:
    first, second = samples.values()
    pairs = TwoSamples.of(first, second, are_paired=True)
    d_z = {"cohen_d_z": cohen_d(pairs, standardizer="d_z").value}
    yield _named(t_test(pairs, unit=unit), "paired_t", samples, effects=d_z)
    ranks = replace(wilcoxon_signed_rank(first, second), unit=unit)
    yield _named(ranks, "wilcoxon_signed_rank", samples)


def _sizes(samples: TwoSamples) -> dict[str, float]:
    return {"cohen_d": cohen_d(samples).value, "hedges_g": hedges_g(samples).value}


def _named(
    result: TestResult,
    statistic: str,
    samples: Samples,
    effects: Mapping[str, float] | None = None,
) -> TestResult:
    means = tuple(_mean(values) for values in samples.values())
    return replace(
        result,
        statistic=statistic,
        groups=tuple(samples),
        group_means=result.group_means or means,
        effects={**result.effects, **(effects or {})},
    )


def _mean(values: Floats) -> float:
    there = values[~np.isnan(values)]
    return float(there.mean()) if there.size else float("nan")


def _two_factors(
    evaluation: Evaluation, outputs: Mapping[str, Floats]
) -> Iterator[tuple[str, TestResult]]:
    """Yield the tests of group, system and their interaction on output means."""
    rows = [
        (name, system, value)
        for name, system in product(outputs, evaluation.systems)
        for value in outputs[name][evaluation.systems.index(system)].tolist()
    ]
    found = twoway_anova(rows, unit="output_mean")
    for factor, result in found.items():
        yield _FACTORS[factor], replace(result, groups=tuple(outputs))


def _item_means(outputs: Floats) -> Floats:
    """Return each item's mean over the outputs rated; NaN where there is none."""
    there = ~np.isnan(outputs)
    count = there.sum(axis=0)
    means: Floats = np.full(outputs.shape[1], np.nan)
    np.divide(np.where(there, outputs, 0.0).sum(axis=0), count, out=means, where=count > 0)
    return means


def _judges(evaluation: Evaluation, dimension: str, groups: tuple[str, ...]) -> Samples:
    rows = evaluation.select(dimension, groups)
    rows = rows.rows(~np.isnan(rows.value))
    codes, counts = np.unique(rows.judge.codes, return_counts=True)
    outputs = rows.system.codes * max(len(evaluation.items), 1) + rows.item.codes
    if len(codes) < 2 or any(counts != np.unique(outputs).size):
        return {}
    return {rows.judge.keys[code]: rows.value[rows.judge.codes == code] for code in codes.tolist()}


def as_row(result: TestResult, dimension: str, **place: str) -> ComparisonRow:
    """Return a test as a row of the report."""
    return ComparisonRow(
        dimension=dimension,
        statistic=result.statistic,
        groups=result.groups,
        unit=result.unit,
        value=as_plain(result.value),
        df=result.df,
        p=as_plain(result.p),
        effects=as_plain(result.effects),
        group_means=as_plain(result.group_means),
        undefined=result.why_no_number,
        n=result.n,
        method=result.method,
        details=as_plain(result.details),
        **place,
    )
