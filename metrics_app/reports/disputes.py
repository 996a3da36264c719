"""Outputs by how much the judges differ on them: the ones worth reading first."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation, Judgements
from metrics_app.reports.groups import parts
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.rows.disputes import DisputeRow
from metrics_app.stats.samples import exact_mean

Floats = npt.NDArray[np.float64]
# So many of each part are listed; the rest is counted.
MOST_LISTED = 50


def dispute_rows(evaluation: Evaluation, _options: ReportOptions) -> Iterator[DisputeRow]:
    """Yield the most disputed outputs of each part, most disputed first."""
    for dimension, group, groups in parts(evaluation):
        rows = evaluation.select(dimension, groups)
        rows = rows.rows(~np.isnan(rows.value))
        is_nominal = evaluation.scales[dimension].measurement == "nominal"
        yield from _disputes((dimension, group), rows, is_nominal=is_nominal)


def _disputes(
    place: tuple[str, str], rows: Judgements, *, is_nominal: bool
) -> Iterator[DisputeRow]:
    unit, first = _units(rows)
    n = np.bincount(unit, minlength=first.size).astype(np.float64)
    spread = _unequal_pairs(unit, rows.value, n) if is_nominal else _sds(unit, rows.value, n)
    disputed = np.flatnonzero(spread > 0)
    order = disputed[np.argsort(-spread[disputed], kind="stable")][:MOST_LISTED]
    for position, chosen in enumerate(order.tolist(), start=1):
        own = np.flatnonzero(unit == chosen)
        example = int(first[chosen])
        values = rows.value[own].tolist()
        judges = [rows.judge.keys[code] for code in rows.judge.codes[own].tolist()]
        yield DisputeRow(
            dimension=place[0],
            group=place[1],
            place=position,
            item=rows.item.keys[rows.item.codes[example]],
            system=rows.system.keys[rows.system.codes[example]],
            fact=rows.fact.keys[rows.fact.codes[example]],
            measure="unequal_pairs" if is_nominal else "sd",
            disagreement=float(spread[chosen]),
            ratings=dict(sorted(zip(judges, values, strict=True))),
            mean=None if is_nominal else exact_mean(values),
            n_ratings=len(values),
            n_disputed=int(disputed.size),
            n_outputs=int(first.size),
        )


def _units(rows: Judgements) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Return each rating's unit, and the first rating of each unit."""
    columns = (rows.item, rows.system, rows.fact)
    joint = np.zeros(rows.n_rows, dtype=np.int64)
    for column in columns:
        joint = joint * max(len(column.keys), 1) + column.codes
    _, first, unit = np.unique(joint, return_index=True, return_inverse=True)
    return unit, first


def _sds(unit: npt.NDArray[np.intp], value: Floats, n: Floats) -> Floats:
    means = np.bincount(unit, value, minlength=n.size) / np.maximum(n, 1)
    squares = np.bincount(unit, (value - means[unit]) ** 2, minlength=n.size)
    sds = np.sqrt(squares / np.maximum(n - 1, 1))
    # Equal ratings differ from their rounded mean by the last bit; that is no disagreement.
    return np.where(sds > 1e-12 * np.maximum(np.abs(means), 1), sds, 0.0)


def _unequal_pairs(unit: npt.NDArray[np.intp], value: Floats, n: Floats) -> Floats:
    codes = np.unique(value, return_inverse=True)[1]
    q = int(codes.max(initial=0)) + 1
    counts = np.bincount(unit * q + codes, minlength=n.size * q).reshape(n.size, q)
    equal = (counts * (counts - 1)).sum(axis=1)
    pairs = n * (n - 1)
    return np.where(pairs > 0, 1 - equal / np.maximum(pairs, 1), 0.0)
