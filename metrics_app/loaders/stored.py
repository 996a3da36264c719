"""Columns of stored ratings and scores as those of an evaluation."""

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.selectors import doors
from annotation.selectors.doors import Column, RatingColumns
from metrics_app.loaders.circumstances import Repeated
from metrics_app.loaders.columns import Order, Rated, repeats_of
from metrics_app.loaders.counted import Asked
from metrics_app.loaders.evaluation import Judgements, Scores
from metrics_app.loaders.names import Ints, Names, joint
from metrics_app.models import Metric, Score


def stored_judgements(columns: RatingColumns, kept: Ints, asked: Asked, order: Order) -> Judgements:
    """Return some ratings, given by their places, as judgements.

    Names come in the order given, others as they are met; judges and items in the order of their
    names. A judge with work in several groups is another judge in each, and bears its group's name
    before its own.
    """
    return Judgements(
        dimension=_met(_dimension(columns, asked), kept, order.dimensions),
        group=_met(columns.group, kept, order.groups),
        judge=_judges(columns, kept).by_name(),
        item=_met(columns.item, kept).by_name(),
        system=_met(columns.system, kept, order.systems),
        batch=_met(columns.batch, kept),
        fact=_met(columns.fact, kept),
        value=columns.value[kept],
        at=columns.submitted_at[kept],
    ).in_order()


def in_order_of_names(columns: RatingColumns, kept: Ints) -> Ints:
    """Return the places sorted by the name of the system, shorter names first."""
    keys = columns.system.keys
    rank = np.empty(len(keys), dtype=np.int64)
    rank[sorted(range(len(keys)), key=lambda at: (len(keys[at]), keys[at]))] = range(len(keys))
    return kept[np.argsort(rank[columns.system.codes[kept]], kind="stable")]


def stored_repeats(
    columns: RatingColumns, kept: Ints, again: Ints, asked: Asked
) -> tuple[Repeated, ...]:
    """Return what was said again beside what was said first."""
    if not again.size:
        return ()
    parts = (columns.dimension, columns.judge, columns.item, columns.system, columns.fact)
    what = joint(*(Names(*column) for column in parts))
    firsts = kept[np.isin(what[kept], what[again])]
    return repeats_of(_rated(columns, firsts, asked), _rated(columns, again, asked))


def stored_scores(study_id: int, names: Mapping[str, str], judgements: Judgements) -> Scores:
    """Return the scores of rated items and systems; both bear the keys of the judgements."""
    metrics = dict(
        Metric.objects.filter(study=study_id).order_by("position", "pk").values_list("pk", "key")
    )
    if not metrics:
        return Scores.none()
    versions, items, systems = doors.version_columns(study_id, names=names)
    item, system = _as_in(items, judgements.item), _as_in(systems, judgements.system)
    is_rated = (item >= 0) & (system >= 0)
    order = np.flatnonzero(is_rated)[np.argsort(versions[is_rated], kind="stable")]
    known = versions[order]
    metric, version, value = doors.number_columns(
        Score.objects.filter(metric__in=list(metrics), value__isnull=False),
        "metric_id", "output_version_id", "value",
    )  # fmt: skip
    there = np.isin(version, known)
    place = order[np.searchsorted(known, version[there])]
    pks = np.array(list(metrics))
    by_pk = np.argsort(pks)
    codes = by_pk[np.searchsorted(pks[by_pk], metric[there])]
    return Scores(
        metric=Names(codes, tuple(metrics.values())).used(),
        item=Names(item[place], judgements.item.keys),
        system=Names(system[place], judgements.system.keys),
        value=value[there],
    )


def _as_in(column: Column, names: Names) -> Ints:
    """Return the column's codes among other names; -1 where a key is not among them."""
    position = {key: place for place, key in enumerate(names.keys)}
    codes = np.array([position.get(key, -1) for key in column.keys], dtype=np.int64)
    return np.asarray(codes[column.codes], dtype=np.int64)


def _met(column: Column, kept: Ints, first: Sequence[str] = ()) -> Names:
    """Return the names that some rows bear, the given ones first, others as they are met."""
    codes = column.codes[kept]
    met_at = np.full(len(column.keys), codes.size)
    met_at[codes[::-1]] = np.arange(codes.size)[::-1]
    given = {key: place for place, key in enumerate(first)}
    rank = np.array([given.get(key, len(given)) for key in column.keys], dtype=np.int64)
    position: dict[str, int] = {}
    renamed = np.zeros(len(column.keys), dtype=np.int64)
    for place in np.lexsort((met_at, rank)).tolist():
        if met_at[place] < codes.size:
            renamed[place] = position.setdefault(column.keys[place], len(position))
    return Names(renamed[codes], tuple(position))


def _dimension(columns: RatingColumns, asked: Asked) -> Column:
    codes, keys = columns.dimension
    return Column(codes, tuple(asked.get(key, "") for key in keys))


def _judges(columns: RatingColumns, kept: Ints) -> Names:
    (judge, names), (group, groups) = columns.judge.at(kept), columns.group.at(kept)
    pairs, codes = np.unique(judge * len(groups) + group, return_inverse=True)
    own = [(names[pair // len(groups)], groups[pair % len(groups)]) for pair in pairs.tolist()]
    told = [name for name, _ in own]
    keys = [f"{side}/{name}" if told.count(name) > 1 else name for name, side in own]
    return _met(Column(codes, tuple(keys)), np.arange(kept.size))


def _rated(columns: RatingColumns, kept: Ints, asked: Asked) -> list[Rated]:
    parts = (
        _dimension(columns, asked), columns.group, columns.judge, columns.item, columns.system,
        columns.batch, columns.fact,
    )  # fmt: skip
    names = [Names(*column.at(kept)).names() for column in parts]
    numbers = columns.value[kept].tolist(), columns.submitted_at[kept].tolist()
    return list(map(Rated._make, zip(*names, *numbers, strict=True)))
