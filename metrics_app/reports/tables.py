"""The lists of a report as flat tables: one header, one row of plain cells a row."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from metrics_app.reports.chapters import CHAPTERS
from metrics_app.reports.contract import Report

LISTS = (
    "findings", "means", "ranking", "contrasts", "agreement", "comparison", "bias", "correlation",
    "dimension_correlation", "group_correlation",
    *(chapter.name for chapter in CHAPTERS),
)  # fmt: skip
Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table by the name of its list."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def tables(report: Report) -> list[Table]:
    """Return a table for each list of the report that has rows.

    An interval becomes two columns, a mapping one column for each of its keys.
    """
    named = [(name, getattr(report, name)) for name in LISTS]
    return [table_of(name, rows) for name, rows in named if rows]


def table_of(name: str, rows: Sequence[Any]) -> Table:
    """Return rows of one list as a flat table."""
    flat = [_flat(row) for row in rows]
    header = tuple(dict.fromkeys(column for row in flat for column in row))
    cells = (tuple(_finite(row.get(column)) for column in header) for row in flat)
    return Table(name, header, tuple(cells))


def _finite(cell: Cell) -> Cell:
    """Return the cell, empty where it is no finite number: as in ``report.json``."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def _flat(row: Any) -> dict[str, Cell]:  # noqa: ANN401 -- any row of the contract
    cells: dict[str, Cell] = {}
    for part in fields(row):
        cells.update(_cells(part.name, getattr(row, part.name)))
    return cells


def _cells(name: str, value: Any) -> dict[str, Cell]:  # noqa: ANN401 -- whatever a row holds
    if name == "ci":
        low, high = value or (None, None)
        return {"ci_low": low, "ci_high": high}
    if name == "ratings":  # by judge: a column for each of a crowd would not be read
        return {name: "; ".join(f"{judge}: {given:g}" for judge, given in value.items())}
    if isinstance(value, Mapping):
        return {f"{name}.{key}": _plain(part) for key, part in value.items()}
    if isinstance(value, (tuple, list)):
        return {name: "; ".join(_text(part) for part in value)}
    return {name: value}


def _plain(value: object) -> Cell:
    if isinstance(value, (list, tuple)):
        return "; ".join(_text(part) for part in value)
    return value if isinstance(value, (int, float)) or value is None else str(value)


def _text(value: object) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)
