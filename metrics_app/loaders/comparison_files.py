"""A file of comparisons, as the export writes it, without any study."""

import csv
from collections.abc import Mapping
from pathlib import Path

from annotation.design.choices import read_choice
from metrics_app.loaders.comparisons import LETTERS, Comparison, with_repeats

_NEEDED = ("dimension", "item_id", "judge", "system_a", "system_b", "choice")
_SYSTEMS = tuple(f"system_{letter.lower()}" for letter in LETTERS)
_FALSE = frozenset({"false", "0", "no"})
_MOST_SHOWN = 20


def read_comparisons(path: Path, *, ungrouped: str) -> tuple[tuple[Comparison, ...], int]:
    """Return the valid comparisons of a CSV file, and how many it marks as not valid.

    Needed are the columns ``dimension, item_id, judge, system_a, system_b, choice``; a set has
    ``system_c`` to ``system_e`` too. ``judge_group``, ``batch`` and ``valid`` are read where they
    are there.

    Raises
    ------
    ValueError
        With a line for each row that cannot be read: where, what, and how it is written.
    """
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream)
        missing = [name for name in _NEEDED if name not in (reader.fieldnames or ())]
        if missing:
            raise ValueError(f"{path.name}: the columns {', '.join(missing)} are missing.")
        rows = [(reader.line_num, row) for row in reader]
    kept: list[Comparison] = []
    again: list[Comparison] = []
    faults, n_not_valid = [], 0
    for line, row in rows:
        is_valid = (row.get("valid") or "").strip().lower() not in _FALSE
        n_not_valid += not is_valid
        is_comment = not row["choice"].strip() and (row.get("text") or "").strip()
        if is_comment or not (is_valid or _is_repeat(row)):
            continue
        try:
            (kept if is_valid else again).append(_comparison(row, ungrouped))
        except ValueError as fault:
            faults.append(f"{path.name}, line {line}: {fault}")
    faults += _twice(kept, path)
    if faults:
        more = len(faults) - _MOST_SHOWN
        shown = faults[:_MOST_SHOWN] + ([f"And {more:,} more."] if more > 0 else [])
        raise ValueError("\n".join(shown))
    return with_repeats(kept, again), n_not_valid


def _is_repeat(row: Mapping[str, str | None]) -> bool:
    """Whether a row that is not valid is a second answer, handed in by a judge who counts."""
    told = {name: bool((row.get(name) or "").strip()) for name in ("repeat_of", "submitted_at")}
    return all(told.values()) and not (row.get("excluded_by") or "").strip()


def _comparison(row: Mapping[str, str | None], ungrouped: str) -> Comparison:
    cells = {name: (cell or "").strip() for name, cell in row.items() if name}
    for name in ("dimension", "item_id", "judge"):
        if not cells[name]:
            raise ValueError(f"{name} is empty; fill it in.")
    systems = tuple(cells[name] for name in _SYSTEMS if cells.get(name))
    if len(systems) < 2 or len(set(systems)) < len(systems):
        raise ValueError("two to five different systems are needed in system_a to system_e.")
    if cells["choice"]:
        read_choice(cells["choice"], n_members=len(systems))
    return Comparison(
        dimension=cells["dimension"],
        group=cells.get("judge_group") or ungrouped,
        judge=cells["judge"],
        item=cells["item_id"],
        batch=cells.get("batch", ""),
        systems=systems,
        choice=cells["choice"],
    )


def _twice(kept: list[Comparison], path: Path) -> list[str]:
    seen: set[tuple[object, ...]] = set()
    faults = []
    for row in kept:
        key = (row.dimension, row.judge, row.item, row.systems)
        if key in seen:
            faults.append(
                f"{path.name}: {row.judge} compares {', '.join(row.systems)} of {row.item} twice "
                f"on {row.dimension}; keep one row."
            )
        seen.add(key)
    return faults
