"""Comparisons as plain rows: who chose which output of a pair or set."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from annotation.enums import UnitKind
from annotation.models import Choice, Rating, UnitMember
from annotation.selectors.doors.blinding import system_names
from annotation.selectors.doors.ratings import (
    ANSWER_COLUMNS,
    excluded_by_of,
    is_valid_row,
    visits_of,
)

CHUNK = 5_000
_COLUMNS = {
    **ANSWER_COLUMNS,
    "choice": "text",
    "kind": "dimension__kind",
    "unit": "assignment__unit_id",
    "dimension_id": "dimension_id",
}


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One output of a comparison: its system, the number of its text, and the rank it was given.

    ``rank`` is 1 for the best; equal ranks are a tie, or were not told apart; None without answer.
    """

    system: str
    output_version: int
    rank: int | None


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One answer of one judge on one dimension of one pair or set.

    Attributes
    ----------
    kind : str
        Of the dimension: ``pairwise``, ``best_worst``, or ``comment``.
    members : tuple of MemberRow
        In the order in which they were shown, as A, B and so on.
    choice : str
        In the letters of the page, ``A>B``, best before worst; ``A=B`` is a tie. Empty where
        ``missing_reason`` says why there is none. Of a comment it is the text.
    valid : bool
        As for ratings: what a report counts.
    """

    study: str
    phase: str
    dimension: str
    dimension_version: int
    kind: str
    item_id: str
    batch: int | None
    members: tuple[MemberRow, ...]
    judge: str
    judge_group: str
    choice: str
    missing_reason: str
    position: int | None
    repeat_of: int | None
    is_repeat: bool
    is_current: bool
    valid: bool
    excluded_by: str
    late: bool
    origin: str
    opened_at: datetime | None
    submitted_at: datetime | None
    active_seconds: float | None
    revision: int
    id: int = 0

    @property
    def is_tie(self) -> bool:
        """Whether two outputs were called equally good."""
        ranks = {member.rank for member in self.members}
        return len(ranks) == 1 and None not in ranks

    @property
    def best_and_worst(self) -> tuple[str, str]:
        """The systems chosen as best and worst; two empty names at a tie and without a choice."""
        by_rank = {member.rank or 0: member.system for member in self.members}
        if self.is_tie or 0 in by_rank:
            return "", ""
        return by_rank[min(by_rank)], by_rank[max(by_rank)]


def comparison_rows(study_id: int, study_slug: str) -> Iterator[ComparisonRow]:
    """Yield every answer about pairs and sets in a study, in the order they were stored."""
    names = system_names(study_id)
    return _rows_of(comparisons_of(study_id).order_by("pk"), study_slug, names)


def comparison_page(
    study_id: int, study_slug: str, *, after: int, limit: int
) -> tuple[list[ComparisonRow], int | None]:
    """Return answers stored after a key, and the key after which the next page begins, if any."""
    found = comparisons_of(study_id).filter(pk__gt=after).order_by("pk")[: limit + 1]
    rows = list(_rows_of(found, study_slug, system_names(study_id)))
    return rows[:limit], rows[limit - 1].id if len(rows) > limit else None


def comparisons_of(study_id: int) -> "QuerySet[Rating]":
    """Return the answers about pairs and sets of a study."""
    return Rating.objects.filter(assignment__unit__study_id=study_id).exclude(
        assignment__unit__kind=UnitKind.SINGLE
    )


def _rows_of(
    answers: "QuerySet[Rating]", study_slug: str, names: Mapping[str, str]
) -> Iterator[ComparisonRow]:
    cells = answers.values_list("pk", *_COLUMNS.values()).iterator(chunk_size=CHUNK)
    while chunk := [dict(zip(("id", *_COLUMNS), row, strict=True)) for row in islice(cells, CHUNK)]:
        works = {row["work"] for row in chunk}
        visits, ranks = visits_of(works), _ranks(works)
        members = _members({row["unit"] for row in chunk}, names)
        for row in chunk:
            given = ranks.get((row["work"], row["dimension_id"]), {})
            opened_at, active_ms = visits.get((row["work"], row["phase_id"]), (None, None))
            yield _row(row, study_slug, members[row["unit"]], given, opened_at, active_ms)


def _members(
    units: set[int], names: Mapping[str, str]
) -> dict[int, list[tuple[int, str, int, bool]]]:
    """Return, by unit, key, system, version number and currency of each member, in order."""
    members: dict[int, list[tuple[int, str, int, bool]]] = {}
    rows = UnitMember.objects.filter(unit__in=units).order_by("unit", "position")
    for unit, key, system, number, is_current in rows.values_list(
        "unit",
        "pk",
        "output_version__output__system__key",
        "output_version__number",
        "output_version__is_current",
    ):
        members.setdefault(unit, []).append((key, names[system], number, is_current))
    return members


def _ranks(works: set[int]) -> dict[tuple[int, int], dict[int, int]]:
    ranks: dict[tuple[int, int], dict[int, int]] = {}
    rows = Choice.objects.filter(assignment__in=works).order_by()
    for work, dimension, member, rank in rows.values_list(
        "assignment_id", "dimension_id", "member_id", "rank"
    ):
        ranks.setdefault((work, dimension), {})[member] = rank
    return ranks


def _row(
    row: dict[str, Any],
    study_slug: str,
    members: list[tuple[int, str, int, bool]],
    ranks: dict[int, int],
    opened_at: datetime | None,
    active_ms: int | None,
) -> ComparisonRow:
    is_current = all(current for *_, current in members)
    same = ("id", "phase", "dimension", "dimension_version", "kind", "item_id", "batch", "judge",
            "judge_group", "position", "repeat_of", "late", "origin", "submitted_at",
            "revision")  # fmt: skip
    return ComparisonRow(
        study=study_slug,
        members=tuple(
            MemberRow(system, number, ranks.get(key)) for key, system, number, _ in members
        ),
        choice=row["choice"] or "",
        missing_reason=row["missing_reason"] or "",
        is_repeat=row["is_repeat"] is not None,
        is_current=is_current,
        valid=is_valid_row({**row, "is_current": is_current}),
        excluded_by=excluded_by_of(row),
        opened_at=opened_at,
        active_seconds=None if active_ms is None else active_ms / 1000,
        **{name: row[name] for name in same},
    )
