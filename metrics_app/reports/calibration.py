"""Language models corrected by the part of the outputs that people judged, too."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation, Judgements
from metrics_app.reports.groups import Groups, named_groups
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.rows.calibration import CalibrationRow
from metrics_app.stats.calibration import corrected_mean, corrected_share
from metrics_app.stats.results import as_plain
from metrics_app.stats.scales import Scale

Floats = npt.NDArray[np.float64]


def calibration_rows(evaluation: Evaluation, _options: ReportOptions) -> Iterator[CalibrationRow]:
    """Yield every model's corrected share or mean, by group of people; of all systems, then each.

    There are rows only where a model judged outputs that those people did not judge, beside some
    that they did.
    """
    people = [named for named in named_groups(evaluation) if not _are_models(evaluation, named[1])]
    for dimension in evaluation.dimensions if evaluation.model_groups else ():
        scale = evaluation.scales[dimension]
        if scale.measurement == "nominal" and len(scale.values) != 2:
            continue
        models = _rated(evaluation.select(dimension, evaluation.model_groups))
        for name, groups in people:
            truth = _means(_rated(evaluation.select(dimension, groups)))
            for code in np.unique(models.judge.codes).tolist():
                own = models.rows(models.judge.codes == code)
                place = (dimension, name, models.judge.keys[code])
                yield from _of_judge(place, own, truth, scale)


def _are_models(evaluation: Evaluation, groups: Groups) -> bool:
    return any(group in evaluation.model_groups for group in groups)


def _rated(rows: Judgements) -> Judgements:
    return rows.rows(~np.isnan(rows.value))


Unit = tuple[int, int, int]


def _units(rows: Judgements) -> list[Unit]:
    columns = (rows.item.codes, rows.system.codes, rows.fact.codes)
    return list(zip(*(codes.tolist() for codes in columns), strict=True))


def _means(rows: Judgements) -> dict[Unit, float]:
    given: dict[Unit, list[float]] = {}
    for unit, value in zip(_units(rows), rows.value.tolist(), strict=True):
        given.setdefault(unit, []).append(value)
    return {unit: sum(values) / len(values) for unit, values in given.items()}


def _of_judge(
    place: tuple[str, str, str], own: Judgements, truth: dict[Unit, float], scale: Scale
) -> Iterator[CalibrationRow]:
    said = _means(own)
    if not set(said) & set(truth) or not set(said) - set(truth):
        return
    yield _row(place, "", said, truth, scale)
    for code in np.unique(own.system.codes).tolist():
        part = {unit: value for unit, value in said.items() if unit[1] == code}
        yield _row(place, own.system.keys[code], part, truth, scale)


def _row(
    place: tuple[str, str, str],
    system: str,
    said: dict[Unit, float],
    truth: dict[Unit, float],
    scale: Scale,
) -> CalibrationRow:
    test = [value for unit, value in said.items() if unit not in truth]
    pairs = np.array([(value, truth[unit]) for unit, value in said.items() if unit in truth])
    model, people = pairs.reshape(-1, 2).T
    if len(scale.values) == 2:
        judged, labels, agreed = (_labels(part, scale) for part in (np.array(test), model, people))
        # Where people are evenly split, nobody can say which label is right.
        told = ~np.isnan(agreed)
        found = corrected_share(judged[~np.isnan(judged)], labels[told], agreed[told])
    else:
        found = corrected_mean(test, model, people)
    details = dict(found.details)
    return CalibrationRow(
        *place,
        system=system,
        statistic=found.statistic,
        raw=as_plain(details.pop("raw")),
        value=as_plain(found.value),
        se=as_plain(found.se),
        ci=found.ci,
        ci_method=found.ci_method,
        n_judged=int(details.pop("n_judged")),
        n_calibration=int(details.pop("n_calibration")),
        undefined=found.undefined,
        method=found.method,
        details=as_plain(details),
    )


def _labels(values: Floats, scale: Scale) -> Floats:
    """Return 1 for the upper of two labels, 0 for the lower, NaN exactly between them."""
    middle = (scale.minimum + scale.maximum) / 2
    return np.where(values == middle, np.nan, (values > middle).astype(np.float64))
