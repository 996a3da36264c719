"""Which sheets of a workbook are read, and as what table."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from openpyxl.utils import get_column_letter, range_boundaries

from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS, SHEET, names_of
from annotation.importing.findings import Finding, UnreadableFile, finding
from annotation.importing.reading import ReadOptions
from annotation.importing.rows import Kind

MOST_CELLS = 10_000
MOST_NAMED = 20
RANGE = "Write cells such as B10, or B1:B8."
UNNAMED = re.compile(r"(sheet|tabelle|feuille?|hoja|foglio|planilha|лист|工作表|시트)\s*\d*", re.I)
# What the name of a sheet stands for, where no column says it and each sheet has a name.
NAMED_BY_SHEET: dict[Kind, str] = {"outputs": "system", "ratings": "judge", "scores": "metric"}


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the first rows of one sheet show."""

    name: str
    is_visible: bool
    header_row: int  # 0 where no row names columns
    header: tuple[str, ...]
    is_empty: bool
    width: int = 0
    said: tuple[Finding, ...] = ()
    has_cells_above: bool = False  # rows of more than one cell above the column names


@dataclass(frozen=True, slots=True)
class Plan:
    """How several sheets are read as one table.

    ``sheets`` gives for each name the row of the column names (0: none). ``named`` says that
    the first column is the name of the sheet. Each of ``ranges`` (such as ``B1:B8``) is a
    further column: the texts of those cells, the same in all rows of the sheet.
    """

    sheets: dict[str, int]
    header: tuple[str, ...]
    named: bool = False
    ranges: tuple[str, ...] = ()


def plan(sheets: Sequence[Sheet], kind: Kind, options: ReadOptions) -> tuple[Plan, list[Finding]]:
    """Return how the sheets are read, and what to say about it."""
    chosen, findings = _choose(sheets, kind, options)
    findings += [replace(found, place=sheet.name) for sheet in chosen for found in sheet.said]
    layout = {sheet.name: sheet.header_row for sheet in chosen}
    ranges = _ranges(options.cells)
    first = chosen[0]
    if not first.header_row or options.header_row:
        width = max(sheet.width for sheet in chosen)
        names = [name or get_column_letter(at) for at, name in enumerate(first.header, start=1)]
        letters = [get_column_letter(at) for at in range(len(names) + 1, width + 1)]
        return Plan(layout, (SHEET, *names, *letters, *ranges), named=True, ranges=ranges), findings
    if _is_named_by_sheet(chosen, kind):
        header = (NAMED_BY_SHEET[kind], *first.header)
        return Plan(layout, (*header, *ranges), named=True, ranges=ranges), findings
    return Plan(layout, (*first.header, *ranges), ranges=ranges), findings


def _is_named_by_sheet(chosen: Sequence[Sheet], kind: Kind) -> bool:
    names = {fold(name) for name in chosen[0].header}
    field = NAMED_BY_SHEET[kind]
    return (
        len(chosen) > 1
        and not any(UNNAMED.fullmatch(sheet.name) for sheet in chosen)
        and names.isdisjoint(names_of(field, kind))
    )


def _ranges(cells: str) -> tuple[str, ...]:
    ranges = tuple(part.upper() for part in re.split(r"[\s,;]+", cells) if part)
    for part in ranges:
        try:
            left, top, right, bottom = (edge or 0 for edge in range_boundaries(part))
        except (ValueError, TypeError) as error:
            raise UnreadableFile("bad_shape", f"{part!r} names no cells.", mend=RANGE) from error
        if not 0 < (right - left + 1) * (bottom - top + 1) <= MOST_CELLS or not top * left:
            raise UnreadableFile("bad_shape", f"{part!r} names no cells.", mend=RANGE)
    return ranges


def _choose(
    sheets: Sequence[Sheet], kind: Kind, options: ReadOptions
) -> tuple[Sequence[Sheet], list[Finding]]:
    """Return the sheets to read as one table, and what to say about the choice."""
    if options.sheet:
        named = [sheet for sheet in sheets if sheet.name == options.sheet]
        if not named:
            listed = ", ".join(sheet.name for sheet in sheets[:MOST_NAMED])
            raise UnreadableFile(
                "bad_shape",
                f"There is no sheet {options.sheet!r}.",
                mend=f"Choose one of the sheets: {listed}.",
            )
        return named, _headless(named)
    found = [
        finding("hidden_sheet", f"The sheet {sheet.name!r} is hidden and was not read.")
        for sheet in sheets
        if not sheet.is_visible and sheet.header_row
    ]
    visible = [sheet for sheet in sheets if sheet.is_visible and not sheet.is_empty] or sheets
    if options.header_row:
        return visible, found
    tables = [sheet for sheet in visible if sheet.header_row]
    if not tables:
        return _without_header(visible, found)
    of_kind = [sheet for sheet in tables if fold(sheet.name) in (kind, kind.rstrip("s"))]
    tables = of_kind or _fitting(tables, kind)
    alike = [sheet for sheet in tables if sheet.header == tables[0].header]
    if len(alike) > 1 and all(map(_is_of_one_item, alike)):
        return _without_header(
            [replace(sheet, header_row=0, header=(), said=()) for sheet in alike], found
        )
    if len(alike) < len(tables):
        names = ", ".join(sheet.name for sheet in tables)
        found.append(finding("several_sheets", "Several sheets hold tables.", value=names))
    return alike, found


def _is_of_one_item(sheet: Sheet) -> bool:
    """Whether a table names no items, and what is above its column names is no mere title."""
    names = names_of("item_id", "outputs")
    return sheet.has_cells_above and {fold(name) for name in sheet.header}.isdisjoint(names)


def _fitting(tables: list[Sheet], kind: Kind) -> list[Sheet]:
    """Return the tables with most columns of the kind that is looked for."""
    names = {name for field in FIELDS[kind] for name in names_of(field, kind)}
    n_known = [sum(fold(name) in names for name in table.header) for table in tables]
    return [table for table, n in zip(tables, n_known, strict=True) if n == max(n_known)]


def _without_header(
    visible: Sequence[Sheet], found: list[Finding]
) -> tuple[Sequence[Sheet], list[Finding]]:
    if len(visible) > 1:
        said = finding(
            "sheet_per_item_layout",
            f"The {len(visible)} sheets hold no table with column names; "
            "it seems that each sheet is one item.",
            value=", ".join(sheet.name for sheet in visible[:10]),
        )
        return visible, [*found, said]
    return visible, [*found, *_headless(visible)]


def _headless(sheets: Sequence[Sheet]) -> list[Finding]:
    if sheets[0].header_row:
        return []
    return [finding("header_missing", f"No row of {sheets[0].name!r} names columns.")]
