"""Ratings as plain rows: the tidy table that every export and every analysis starts from."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from django.db.models import Min, QuerySet, Sum

from annotation.enums import Origin
from annotation.models import Rating, ScalePoint, Visit
from annotation.selectors.doors.blinding import system_names

Truth = TypeVar("Truth", bool, npt.NDArray[np.bool_])
WITHDRAWN = "withdrawn"
CHUNK = 10_000
# What is asked of every answer, be it a rating of one output or a choice among several.
ANSWER_COLUMNS = {
    "missing_reason": "missing_reason",
    "revision": "version",
    "phase": "dimension__phase__key",
    "dimension": "dimension__key",
    "dimension_version": "dimension__version",
    "item_id": "assignment__unit__item__key",
    "batch": "assignment__unit__item__batch__number",
    "judge": "assignment__judge__pseudonym",
    "judge_group": "assignment__group__key",
    "repeat_of": "assignment__repeat_of__position",
    "is_repeat": "assignment__repeat_of_id",
    "slot": "assignment__slot",
    "late": "assignment__is_late",
    "origin": "assignment__origin",
    "position": "assignment__position",
    "submitted_at": "assignment__submitted_at",
    "excluded_at": "assignment__judge__excluded_at",
    "excluded_by": "assignment__judge__excluded_by",
    "withdrawn_at": "assignment__judge__withdrawn_at",
    "work": "assignment_id",
    "phase_id": "dimension__phase_id",
}
_COLUMNS = {
    **ANSWER_COLUMNS,
    "value": "value",
    "text": "text",
    "system": "assignment__unit__system__key",
    "output_version": "assignment__unit__output_version__number",
    "is_current": "assignment__unit__output_version__is_current",
    "fact_id": "fact__key",
    "scale": "dimension__scale_id",
}


@dataclass(frozen=True, slots=True)
class RatingRow:
    """One rating with all that an analysis or an export asks of it.

    Attributes
    ----------
    value, text, missing_reason
        Exactly one is set.
    label : str
        The word of the point on its scale, else empty.
    valid : bool
        The work is complete, holds a place or was imported as such, is no repeat, its judge is
        neither excluded nor withdrawn, and the text judged is the current one: what a report
        counts.
    is_current : bool
        The text judged is still the system's text for this item.
    repeat_of : int or None
        Position of the first showing, where this is a repeat.
    active_seconds : float or None
        Seconds in which the judge was active on this unit and phase.
    """

    study: str
    phase: str
    dimension: str
    dimension_version: int
    item_id: str
    batch: int | None
    system: str
    output_version: int
    is_current: bool
    fact_id: str
    judge: str
    judge_group: str
    value: float | None
    label: str
    text: str | None
    missing_reason: str | None
    position: int | None
    is_check: bool
    repeat_of: int | None
    is_repeat: bool
    valid: bool
    excluded_by: str
    late: bool
    origin: str
    opened_at: datetime | None
    submitted_at: datetime | None
    active_seconds: float | None
    revision: int
    id: int = 0


def rating_rows(
    study_id: int, study_slug: str, *, names: Mapping[str, str] | None = None
) -> Iterator[RatingRow]:
    """Yield every rating of single outputs in a study, in the order in which they were stored.

    Ratings of pairs and sets are choices, not values of one output, and are not among them.
    Systems bear the names given or, where none are, those that may leave the study now.
    """
    return rows_of(ratings_of(study_id).order_by("pk"), study_id, study_slug, names=names)


def ratings_of(study_id: int) -> "QuerySet[Rating]":
    """Return the ratings of single outputs in a study."""
    return Rating.objects.filter(
        assignment__unit__study_id=study_id, assignment__unit__output_version__isnull=False
    )


def rows_of(
    ratings: "QuerySet[Rating]",
    study_id: int,
    study_slug: str,
    *,
    names: Mapping[str, str] | None = None,
) -> Iterator[RatingRow]:
    """Yield ratings of one study as rows, in the order that they have."""
    systems = system_names(study_id) if names is None else names
    labels = _labels(study_id)
    has_visits = Visit.objects.filter(assignment__unit__study_id=study_id).exists()
    cells = ratings.values_list("pk", *_COLUMNS.values()).iterator(chunk_size=CHUNK)
    while chunk := [dict(zip(("id", *_COLUMNS), row, strict=True)) for row in islice(cells, CHUNK)]:
        for row in chunk:
            row["system"] = systems[row["system"]]
        visits = visits_of({row["work"] for row in chunk}) if has_visits else {}
        yield from _rows(chunk, labels, visits, study_slug)


def _rows(
    chunk: list[dict[str, Any]],
    labels: dict[tuple[int, float], str],
    visits: dict[tuple[int, int], tuple[datetime, int]],
    study_slug: str,
) -> Iterator[RatingRow]:
    for row in chunk:
        opened_at, active_ms = visits.get((row["work"], row["phase_id"]), (None, None))
        yield RatingRow(
            study=study_slug,
            phase=row["phase"],
            dimension=row["dimension"],
            dimension_version=row["dimension_version"],
            item_id=row["item_id"],
            batch=row["batch"],
            system=row["system"],
            output_version=row["output_version"],
            is_current=row["is_current"],
            fact_id=row["fact_id"] or "",
            judge=row["judge"],
            judge_group=row["judge_group"],
            value=row["value"],
            label=labels.get((row["scale"], row["value"]), ""),
            text=row["text"],
            missing_reason=row["missing_reason"],
            position=row["position"],
            is_check=False,  # a unit with a known answer has no table yet
            repeat_of=row["repeat_of"],
            is_repeat=row["is_repeat"] is not None,
            valid=is_valid_row(row),
            excluded_by=excluded_by_of(row),
            late=row["late"],
            origin=row["origin"],
            opened_at=opened_at,
            submitted_at=row["submitted_at"],
            active_seconds=None if active_ms is None else active_ms / 1000,
            revision=row["revision"],
            id=row["id"],
        )


def _labels(study_id: int) -> dict[tuple[int, float], str]:
    points = ScalePoint.objects.filter(scale__study_id=study_id)
    return {
        (scale, value): label
        for scale, value, label in points.values_list("scale_id", "value", "label")
    }


def visits_of(works: set[int]) -> dict[tuple[int, int], tuple[datetime, int]]:
    """Return, by assignment and phase, when it was first opened, and the active milliseconds."""
    visits = (
        Visit.objects.filter(assignment__in=works)
        .values("assignment_id", "phase_id")
        .annotate(opened=Min("opened_at"), active=Sum("active_ms"))
        .order_by()
    )
    return {(v["assignment_id"], v["phase_id"]): (v["opened"], v["active"]) for v in visits}


def is_valid_row(row: Mapping[str, Any]) -> bool:
    """Return whether a report counts what a row of these columns holds."""
    # Imported work that is late held no place where it was collected.
    was_counted = row["origin"] == Origin.IMPORTED and not row["late"]
    return is_counted(
        is_complete=row["submitted_at"] is not None and row["is_current"],
        holds_place=row["slot"] is not None or was_counted,
        judge_counts=row["excluded_at"] is None and row["withdrawn_at"] is None,
        is_first=row["is_repeat"] is None,
    )


def is_counted(
    *, is_complete: Truth, holds_place: Truth, judge_counts: Truth, is_first: Truth
) -> Truth:
    """Return whether a report counts a rating, or for each of a column of them."""
    return is_complete & holds_place & judge_counts & is_first


def excluded_by_of(row: Mapping[str, Any]) -> str:
    """Return why the judge of a row is out; empty where they are not."""
    if row["withdrawn_at"] is not None:
        return WITHDRAWN
    return str(row["excluded_by"]) if row["excluded_at"] is not None else ""
