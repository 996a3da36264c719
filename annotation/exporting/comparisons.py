"""Comparisons as files: one row a choice, one row a member, or JSON lines with members nested."""

import datetime as dt
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields

from annotation.exporting.delimited import csv_lines
from annotation.exporting.records import cell, plain

MOST_MEMBERS = 5


@dataclass(frozen=True, slots=True)
class Member:
    """One output of a comparison; ``rank`` is 1 for the best, None where nothing was chosen."""

    system: str
    output_version: int
    rank: int | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """One answer of one judge on one dimension of a pair or set.

    ``choice`` is in the letters of the page: ``A>B``, best before worst, or ``A=B``, a tie.
    ``best`` and ``worst`` name the systems; both are empty at a tie and without an answer. A
    comment on the comparison is ``text``.
    """

    study: str
    phase: str
    dimension: str
    item_id: str
    batch: str
    judge: str
    judge_group: str
    members: tuple[Member, ...]
    choice: str = ""
    best: str = ""
    worst: str = ""
    is_tie: bool = False
    text: str = ""
    missing_reason: str = ""
    position: int | None = None
    repeat_of: str = ""
    valid: bool = True
    excluded_by: str = ""
    late: bool = False
    origin: str = "collected"
    opened_at: dt.datetime | None = None
    submitted_at: dt.datetime | None = None
    active_seconds: float | None = None
    revision: int | None = None


_FIELDS = tuple(entry.name for entry in fields(Comparison))
_ABOUT = _FIELDS[: _FIELDS.index("members")]
_ANSWER = _FIELDS[_FIELDS.index("members") + 1 :]
_SYSTEMS = tuple(f"system_{letter}" for letter in "abcde")
WIDE_FIELDS: tuple[str, ...] = (*_ABOUT, *_SYSTEMS, *_ANSWER)
RANK_FIELDS: tuple[str, ...] = (*_ABOUT, "system", "output_version", "letter", "rank", *_ANSWER)


def comparisons_csv(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield one row a choice; the systems stand in the order in which they were shown."""
    return csv_lines(WIDE_FIELDS, map(wide_cells, comparisons))


def wide_cells(row: Comparison) -> list[str]:
    """Return a choice as the cells of one row, in the order of WIDE_FIELDS."""
    return [
        *_cells(row, _ABOUT),
        *[member.system for member in row.members],
        *[""] * (MOST_MEMBERS - len(row.members)),
        *_cells(row, _ANSWER),
    ]


def ranks_csv(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield one row a member of each comparison, with the rank that it was given."""
    rows = (
        [
            *_cells(row, _ABOUT),
            member.system,
            cell(member.output_version),
            letter,
            cell(member.rank),
            *_cells(row, _ANSWER),
        ]
        for row in comparisons
        for letter, member in zip("ABCDE", row.members, strict=False)
    )
    return csv_lines(RANK_FIELDS, rows)


def comparisons_jsonl(comparisons: Iterable[Comparison]) -> Iterator[str]:
    """Yield one line a choice, with its members nested."""
    for row in comparisons:
        record = {name: plain(getattr(row, name)) for name in _FIELDS}
        record["members"] = [asdict(member) for member in row.members]
        yield json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"


def _cells(row: Comparison, names: Iterable[str]) -> list[str]:
    return [cell(getattr(row, name)) for name in names]
