"""What every writer is fed with: rows of the tidy table, and the material they are about."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, fields


@dataclass(frozen=True, slots=True)
class TidyRating:
    """One row of the tidy table of ratings; the order of the fields is that of every export.

    ``judge`` is the pseudonym. Moments are aware; ``active_seconds`` are seconds.
    """

    study: str
    phase: str
    dimension: str
    item_id: str
    batch: str
    system: str
    output_version: int | None
    fact_id: str
    judge: str
    judge_group: str
    value: float | None
    label: str = ""
    text: str = ""
    missing_reason: str = ""
    position: int | None = None
    is_check: bool = False
    repeat_of: str = ""
    valid: bool = True
    excluded_by: str = ""
    late: bool = False
    origin: str = "collected"
    opened_at: dt.datetime | None = None
    submitted_at: dt.datetime | None = None
    active_seconds: float | None = None
    revision: int | None = None


TIDY_FIELDS: tuple[str, ...] = tuple(entry.name for entry in fields(TidyRating))
NUMERIC_FIELDS = frozenset({"output_version", "value", "position", "active_seconds", "revision"})


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One item with what belongs to it."""

    item_id: str
    batch: str = ""
    language: str = ""
    domain: str = ""
    document: str = ""
    source: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    prior_references: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JudgeRecord:
    """One judge, under the pseudonym."""

    judge: str
    judge_group: str
    kind: str = "person"
    n_ratings: int = 0
    excluded_by: str = ""


@dataclass(frozen=True, slots=True)
class CodebookEntry:
    """One dimension: what was asked, and which answers it allowed, as (value, label)."""

    dimension: str
    phase: str = ""
    definition: str = ""
    question: str = ""
    measurement: str = ""
    points: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ItemBundle:
    """An item with its outputs (system to text), their version numbers, and its ratings.

    ``kinds`` says which systems are human; those that it does not name are machines.
    """

    item: ItemRecord
    outputs: dict[str, str] = field(default_factory=dict)
    ratings: Sequence[TidyRating] = ()
    versions: dict[str, int] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)


def cell(value: object) -> str:
    """Return a value as the text of a CSV cell; numbers come back exactly when read again."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, dt.datetime):
        return value.isoformat()
    return str(value)


def plain(value: object) -> object:
    """Return a value as JSON has it; a moment is ISO text. A double stays one, with its point."""
    return value.isoformat() if isinstance(value, dt.datetime) else value
