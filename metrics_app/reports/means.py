"""Means of systems: how well each is rated, and how sure that is."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import stats

from metrics_app.loaders.evaluation import Evaluation, Judgements
from metrics_app.reports.contract import MeanRow
from metrics_app.reports.groups import parts
from metrics_app.stats.samples import exact_mean, is_constant
from metrics_app.stats.scales import Scale

Floats = npt.NDArray[np.float64]
CONFIDENCE = 0.95
CI_METHOD = "t over output means"


def mean_rows(evaluation: Evaluation) -> Iterator[MeanRow]:
    """Yield a row for each dimension, group and system that the group rated."""
    for dimension, name, groups in parts(evaluation):
        rows = evaluation.select(dimension, groups)
        outputs = evaluation.human_scores(dimension, groups)
        scale = evaluation.scales[dimension]
        for position, system in enumerate(evaluation.systems):
            own = rows.rows(rows.system.codes == position)
            if own.n_rows:
                place = (dimension, name, system)
                yield _mean_row(place, own, outputs[position], scale)


def _mean_row(
    place: tuple[str, str, str], rows: Judgements, outputs: Floats, scale: Scale
) -> MeanRow:
    dimension, group, system = place
    means = outputs[~np.isnan(outputs)]
    ratings = rows.value[~np.isnan(rows.value)]
    reason = _why_undefined(means, scale)
    mean, sd, se, ci = (None, None, None, None) if reason else describe(means)
    return MeanRow(
        dimension=dimension,
        group=group,
        system=system,
        n_items=means.size,
        n_ratings=ratings.size,
        mean=mean,
        sd=sd,
        se=se,
        ci=ci,
        ci_method=CI_METHOD if ci else "",
        majority_mean=None if reason else exact_mean(majority_values(rows)),
        median=None if reason else float(np.median(ratings)),
        shares=_shares(ratings, scale),
        undefined=reason,
    )


def _why_undefined(means: Floats, scale: Scale) -> str | None:
    if scale.measurement == "nominal":
        return "not_on_this_scale"
    return None if means.size else "all_missing"


def describe(
    values: Floats,
) -> tuple[float, float | None, float | None, tuple[float, float] | None]:
    """Return mean, standard deviation, standard error and t interval of independent values.

    A single value has a mean and nothing else.
    """
    mean = exact_mean(values.tolist())
    if values.size < 2:
        return mean, None, None, None
    sd = 0.0 if is_constant(values) else float(values.std(ddof=1))
    se = sd / float(np.sqrt(values.size))
    reach = float(stats.t.ppf((1 + CONFIDENCE) / 2, values.size - 1)) * se
    return mean, sd, se, (mean - reach, mean + reach)


def majority_values(rows: Judgements) -> list[float]:
    """Return for each output the value that more than half of its judges gave, else its mean."""
    there = ~np.isnan(rows.value)
    by_output: dict[int, list[float]] = {}
    cells = rows.system.codes * max(len(rows.item.keys), 1) + rows.item.codes
    for cell, value in zip(cells[there].tolist(), rows.value[there].tolist(), strict=True):
        by_output.setdefault(cell, []).append(value)
    return [_majority(values) for values in by_output.values()]


def _majority(values: list[float]) -> float:
    middle = sorted(values)[len(values) // 2]  # whatever more than half gave lies in the middle
    return middle if values.count(middle) * 2 > len(values) else exact_mean(values)


def _shares(ratings: Floats, scale: Scale) -> dict[str, float | None]:
    if not ratings.size:
        return {}
    return {f"{point:g}": float((ratings == point).mean()) for point in scale.values}
