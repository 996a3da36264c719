"""How much milder or stricter one group of judges is than the other on the same outputs."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.contract import BiasRow
from metrics_app.reports.correlation import ordered_dimensions
from metrics_app.stats.bias import bland_altman, mean_agreement
from metrics_app.stats.results import Estimate, as_plain
from metrics_app.stats.samples import exact_mean

Floats = npt.NDArray[np.float64]


def bias_rows(evaluation: Evaluation) -> Iterator[BiasRow]:
    """Yield for each dimension the crowd's mean rating of an output minus the experts'."""
    if evaluation.sides is None:
        return
    groups = (evaluation.sides.crowd, evaluation.sides.expert)
    for dimension in ordered_dimensions(evaluation):
        first, second = (evaluation.human_scores(dimension, [name]) for name in groups)
        result = bland_altman(first.ravel(), second.ravel())
        order = mean_agreement(_means(evaluation, first), _means(evaluation, second))
        yield _as_row(dimension, groups, result, order["same_order"])


def _means(evaluation: Evaluation, outputs: Floats) -> dict[str, float]:
    rows = zip(evaluation.systems, outputs, strict=True)
    means = {system: exact_mean(row[~np.isnan(row)].tolist()) for system, row in rows}
    return {system: mean for system, mean in means.items() if not np.isnan(mean)}


def _as_row(
    dimension: str, groups: tuple[str, str], result: Estimate, same_order: Estimate
) -> BiasRow:
    facts = result.details
    is_defined = result.undefined is None
    return BiasRow(
        dimension=dimension,
        groups=groups,
        unit="output_mean",
        value=as_plain(result.value),
        ci=result.ci,
        ci_method=result.ci_method,
        limits=(facts["lower_limit"], facts["upper_limit"]) if is_defined else None,
        limits_ci=(facts["ci_lower_limit"], facts["ci_upper_limit"]) if is_defined else None,
        slope=as_plain(facts["slope"]) if is_defined else None,
        same_order=as_plain(same_order.value),
        n_outputs=result.n_units,
        undefined=result.undefined,
        method=result.method,
    )
