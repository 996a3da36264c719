"""Tests of means: experts against crowd, judge against judge, system against system."""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation, Sides
from metrics_app.reports.contract import ComparisonRow
from metrics_app.reports.correlation import ordered_dimensions
from metrics_app.reports.groups import named_groups
from metrics_app.stats.anova import oneway_anova
from metrics_app.stats.results import TestResult, as_plain

Floats = npt.NDArray[np.float64]
Samples = Mapping[str, Floats]


def comparison_rows(evaluation: Evaluation) -> Iterator[ComparisonRow]:
    """Yield the tests of every dimension whose values have an order.

    Experts against crowd only where it is known who is who; judge against judge only where all
    judges of the group rated the same outputs, since else their outputs differ, not they.
    """
    for dimension in ordered_dimensions(evaluation):
        if evaluation.sides is not None:
            for result in _group_tests(evaluation, evaluation.sides, dimension):
                yield as_row(result, dimension)
        for name, groups in named_groups(evaluation):
            if judges := _judges(evaluation, dimension, groups):
                result = oneway_anova(judges, unit="rating")
                yield as_row(result, dimension, factor="judge", group=name)
            outputs = evaluation.human_scores(dimension, groups)
            systems = dict(zip(evaluation.systems, outputs, strict=True))
            result = oneway_anova(systems, unit="output_mean")
            yield as_row(result, dimension, factor="system", group=name)


def _group_tests(evaluation: Evaluation, sides: Sides, dimension: str) -> Iterator[TestResult]:
    for unit, samples in _by_unit(evaluation, sides, dimension).items():
        yield oneway_anova(samples, unit=unit)


def _by_unit(evaluation: Evaluation, sides: Sides, dimension: str) -> dict[str, Samples]:
    """Return by unit of analysis what each side said.

    An output mean is the mean of one output's ratings by one side, an item mean that of the
    item's output means.
    """
    names = (sides.expert, sides.crowd)
    ratings = {name: evaluation.select(dimension, [name]).value for name in names}
    outputs = {name: evaluation.human_scores(dimension, [name]) for name in names}
    return {
        "rating": {name: values[~np.isnan(values)] for name, values in ratings.items()},
        "output_mean": {name: values[~np.isnan(values)] for name, values in outputs.items()},
        "item_mean": {name: _item_means(values) for name, values in outputs.items()},
    }


def _item_means(outputs: Floats) -> Floats:
    rated = outputs[:, ~np.isnan(outputs).all(axis=0)]
    return np.nanmean(rated, axis=0) if rated.size else np.empty(0)


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
        undefined=result.undefined,
        n=result.n,
        method=result.method,
        details=as_plain(result.details),
        **place,
    )
