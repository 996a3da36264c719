"""Ratings in columns: what a report reads, without an object for each of a million ratings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from django.db.models import Q, QuerySet, Sum

from annotation.enums import Origin
from annotation.models import (
    Assignment,
    Dimension,
    Fact,
    Item,
    Judge,
    JudgeGroup,
    OutputVersion,
    Rating,
    System,
    Unit,
    Visit,
)
from annotation.selectors.doors.ratings import excluded_by_of, is_counted
from annotation.selectors.number_columns import Floats, number_columns

Ints = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]


class Column(NamedTuple):
    """For each row the position of its key among the keys; not every key need occur."""

    codes: Ints
    keys: tuple[Any, ...]

    def at(self, rows: Ints) -> "Column":
        """Return the column of other rows, given by their places in this one."""
        return Column(self.codes[rows], self.keys)


@dataclass(frozen=True, eq=False)
class RatingColumns:
    """Every rating of single outputs, in columns of equal length, in the order of storage.

    Attributes
    ----------
    dimension : Column of (phase, key, version)
    group, judge, item, batch, system, fact, excluded_by : Column of str
        Empty where there is no batch, no fact, no exclusion.
    work : array of int
        Equal for the ratings that a judge gave one output at once.
    value, submitted_at, active_seconds : array of float
        NaN where there is none; moments in seconds since 1970, active seconds of the whole work.
    is_text, is_repeat, is_current, is_valid, is_imported : array of bool
        As in `RatingRow`; ``is_text`` marks comments.
    """

    dimension: Column
    group: Column
    judge: Column
    item: Column
    batch: Column
    system: Column
    fact: Column
    excluded_by: Column
    work: Ints
    value: Floats
    submitted_at: Floats
    active_seconds: Floats
    is_text: Truths
    is_repeat: Truths
    is_current: Truths
    is_valid: Truths
    is_imported: Truths


def rating_columns(study_id: int, *, names: Mapping[str, str]) -> RatingColumns:
    """Return every rating of single outputs in a study; systems bear the names given.

    The same ratings as `rating_rows`. Each table is read by itself and joined here: a row of a
    join bears its names as text, which costs more than all that is computed of it.
    """
    dimensions = Dimension.objects.filter(phase__study=study_id)
    ratings = Rating.objects.filter(dimension__in=list(dimensions.values_list("pk", flat=True)))
    pk, work, dimension, fact, value = number_columns(
        ratings, "pk", "assignment_id", "dimension_id", "fact_id", "value"
    )
    works, known = _works(study_id, names)
    order = np.argsort(pk, kind="stable")
    # Ratings of pairs and sets are about no single output.
    order = order[np.isin(work[order], known)]
    place = np.searchsorted(known, work[order])
    told: dict[str, Any] = {
        name: column.at(place) if isinstance(column, Column) else column[place]
        for name, column in works.items()
    }
    has_fact = not np.isnan(fact).all()
    facts = {0: "", **(_keys(Fact.objects.filter(item__study=study_id)) if has_fact else {})}
    return RatingColumns(
        dimension=_column(dimension[order], _keys(dimensions, "phase__key", "key", "version")),
        fact=_column(np.nan_to_num(fact[order]), facts),
        work=work[order].astype(np.int64),
        value=value[order],
        is_text=np.isin(pk[order], number_columns(ratings.filter(text__isnull=False), "pk")[0]),
        **told,
    )


def version_columns(study_id: int, *, names: Mapping[str, str]) -> tuple[Floats, Column, Column]:
    """Return keys of the outputs' current versions, with the items and systems they are of."""
    rows = OutputVersion.objects.filter(output__item__study=study_id, is_current=True)
    pk, item, system = number_columns(rows, "pk", "output__item_id", "output__system_id")
    systems = _keys(System.objects.filter(study=study_id))
    items = _keys(Item.objects.filter(study=study_id))
    called = {key: names[name] for key, name in systems.items()}
    return pk, _column(item, items), _column(system, called)


def _works(study_id: int, names: Mapping[str, str]) -> tuple[dict[str, Any], Floats]:
    """Return what is told of each judge's work on a single output, and its keys in order."""
    rows = Assignment.objects.filter(
        unit__study=study_id, unit__output_version__isnull=False, judge__isnull=False
    )
    pk, unit, group, judge, slot, first, submitted_at = _sorted(
        number_columns(
            rows, "pk", "unit_id", "group_id", "judge_id", "slot", "repeat_of_id", "submitted_at"
        )
    )
    units, is_current = _units(study_id, unit, names)
    is_imported = _among(pk, rows.filter(origin=Origin.IMPORTED))
    is_late = _among(pk, rows.filter(is_late=True))
    judges = Judge.objects.filter(study=study_id)
    is_out = Q(excluded_at__isnull=False) | Q(withdrawn_at__isnull=False)
    excluded = judges.filter(is_out).values("pk", "excluded_at", "excluded_by", "withdrawn_at")
    reasons = {row["pk"]: excluded_by_of(row) for row in excluded}
    pseudonyms = dict(judges.values_list("pk", "pseudonym"))
    is_repeat = ~np.isnan(first)
    works = {
        **units,
        "group": _column(group, _keys(JudgeGroup.objects.filter(study=study_id))),
        "judge": _column(judge, pseudonyms),
        "excluded_by": _column(judge, {key: reasons.get(key, "") for key in pseudonyms}),
        "submitted_at": submitted_at,
        "active_seconds": _active_seconds(study_id, pk),
        "is_repeat": is_repeat,
        "is_current": is_current,
        "is_imported": is_imported,
        "is_valid": is_counted(
            is_complete=~np.isnan(submitted_at) & is_current,
            # Imported work that is late held no place where it was collected.
            holds_place=~np.isnan(slot) | (is_imported & ~is_late),
            judge_counts=~np.isin(judge, list(reasons)),
            is_first=~is_repeat,
        ),
    }
    return works, pk


def _units(
    study_id: int, unit: Floats, names: Mapping[str, str]
) -> tuple[dict[str, Column], Truths]:
    """Return item, batch and system of the units given, and whether their texts are current."""
    rows = Unit.objects.filter(study=study_id, output_version__isnull=False)
    pk, item, system = _sorted(number_columns(rows, "pk", "item_id", "system_id"))
    place = np.searchsorted(pk, unit)
    items = Item.objects.filter(study=study_id)
    numbers = dict(items.filter(batch__isnull=False).values_list("pk", "batch__number"))
    keys = _keys(items)
    batches = {key: str(numbers.get(key, "")) for key in keys}
    systems = _keys(System.objects.filter(study=study_id))
    columns = {
        "item": _column(item[place], keys),
        "batch": _column(item[place], batches),
        "system": _column(system[place], {key: names[name] for key, name in systems.items()}),
    }
    is_old = _among(pk, rows.filter(output_version__is_current=False))
    return columns, ~is_old[place]


def _active_seconds(study_id: int, works: Floats) -> Floats:
    visits = (
        Visit.objects.filter(assignment__unit__study=study_id)
        .values("assignment_id")
        .annotate(active=Sum("active_ms"))
    )
    seconds = np.full(works.size, np.nan)
    work, active = number_columns(visits, "assignment_id", "active")
    is_known = np.isin(work, works)
    seconds[np.searchsorted(works, work[is_known])] = active[is_known] / 1000
    return seconds


def _keys(rows: "QuerySet[Any]", *names: str) -> dict[int, Any]:
    """Return the key in words, or several names of a row, by primary key."""
    if not names:
        return dict(rows.values_list("pk", "key"))
    cells: Iterable[tuple[Any, ...]] = rows.values_list("pk", *names)
    return {pk: tuple(rest) for pk, *rest in cells}


def _column(pks: Floats, keys: Mapping[int, Any]) -> Column:
    """Return primary keys as a column of what they are called."""
    known = np.array(sorted(keys), dtype=np.float64)
    return Column(np.searchsorted(known, pks), tuple(keys[int(pk)] for pk in known.tolist()))


def _among(pks: Floats, rows: "QuerySet[Any]") -> Truths:
    return np.isin(pks, number_columns(rows, "pk")[0])


def _sorted(columns: list[Floats]) -> list[Floats]:
    order = np.argsort(columns[0], kind="stable")
    return [column[order] for column in columns]
