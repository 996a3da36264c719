"""Rows into the columns of an evaluation."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from metrics_app.loaders.circumstances import Repeated
from metrics_app.loaders.evaluation import Judgements, Scores
from metrics_app.loaders.names import Names


class Rated(NamedTuple):
    """One valid rating; ``value`` is NaN where there is none, ``at`` where it is not known."""

    dimension: str
    group: str
    judge: str
    item: str
    system: str
    batch: str
    fact: str
    value: float
    at: float = math.nan


class Scored(NamedTuple):
    """One score of an automatic metric."""

    metric: str
    item: str
    system: str
    score: float


@dataclass(frozen=True, slots=True)
class Order:
    """Names in the order in which a report shows them; others follow as they are met."""

    dimensions: Sequence[str] = ()
    groups: Sequence[str] = ()
    systems: Sequence[str] = ()


def judgements_of(rows: Sequence[Rated], order: Order | None = None) -> Judgements:
    """Return ratings in columns.

    A judge whose name occurs in several groups is another judge in each, and bears its group's
    name before its own. Judges and items come in the order of their names.
    """
    names = order or Order()
    shared = _shared_names({(row.judge, row.group) for row in rows})
    return Judgements(
        dimension=Names.of((row.dimension for row in rows), names.dimensions).used(),
        group=Names.of((row.group for row in rows), names.groups).used(),
        judge=Names.of(
            f"{r.group}/{r.judge}" if r.judge in shared else r.judge for r in rows
        ).by_name(),
        item=Names.of(row.item for row in rows).by_name(),
        system=Names.of((row.system for row in rows), names.systems).used(),
        batch=Names.of(row.batch for row in rows),
        fact=Names.of(row.fact for row in rows),
        value=np.array([row.value for row in rows], dtype=np.float64),
        at=np.array([row.at for row in rows], dtype=np.float64),
    ).in_order()


def repeats_of(firsts: Sequence[Rated], again: Sequence[Rated]) -> tuple[Repeated, ...]:
    """Return what was said again beside what was said first.

    Without a first rating a repeat says nothing; of several repeats only the first one counts.
    """
    known = {_what(row): row.value for row in firsts}
    found: dict[tuple[str, str, str, str, str, str], Repeated] = {}
    for row in again:
        what = _what(row)
        if what in known:
            found.setdefault(what, Repeated(*what, known[what], row.value))
    return tuple(found.values())


def _what(row: Rated) -> tuple[str, str, str, str, str, str]:
    return row.dimension, row.group, row.judge, row.item, row.system, row.fact


def _shared_names(judges: set[tuple[str, str]]) -> set[str]:
    counts = Counter(name for name, _ in judges)
    return {name for name, count in counts.items() if count > 1}


def scores_of(rows: Sequence[Scored], judgements: Judgements) -> tuple[Scores, int]:
    """Return the scores of rated items and systems in columns, and how many are of others.

    Items and systems bear the keys of the judgements.
    """
    items, systems = judgements.item.keys, judgements.system.keys
    known_items, known_systems = set(items), set(systems)
    kept = [row for row in rows if row.item in known_items and row.system in known_systems]
    scores = Scores(
        metric=Names.of(row.metric for row in kept),
        item=Names.of((row.item for row in kept), items),
        system=Names.of((row.system for row in kept), systems),
        value=np.array([row.score for row in kept], dtype=np.float64),
    )
    return scores, len(rows) - len(kept)
