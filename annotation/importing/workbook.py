"""XLSX workbooks: one table a sheet."""

import datetime as dt
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException

from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS, known_names
from annotation.importing.findings import Finding, UnreadableFile, finding
from annotation.importing.packed import inspect
from annotation.importing.reading import RawRow, Reading, ReadOptions
from annotation.importing.rows import Kind

N_LOOKED_AT = 30
# What openpyxl lets through from a damaged file; it promises no error class of its own.
DAMAGE = (
    InvalidFileException, zipfile.BadZipFile, zlib.error, ParseError, KeyError, ValueError,
    TypeError, AttributeError, IndexError, EOFError, OSError, NotImplementedError, AssertionError,
    OverflowError, SyntaxError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the first rows of one sheet show."""

    name: str
    is_visible: bool
    header_row: int  # 0 where no row names columns
    header: tuple[str, ...]
    is_empty: bool
    width: int = 0


def read_workbook(path: Path, kind: Kind, options: ReadOptions) -> Reading:
    """Understand a workbook: which of its sheets hold the table that is looked for."""
    inspect(path, options.limits)
    sheets = _sheets(path, options)
    if all(sheet.is_empty for sheet in sheets):
        raise UnreadableFile("no_rows", "The workbook holds no cells.")
    chosen, findings = _choose(sheets, kind, options)
    layout = {sheet.name: sheet.header_row for sheet in chosen}
    header = chosen[0].header or _letters(max(sheet.width for sheet in chosen))
    return Reading(
        path=path,
        format="XLSX",
        header=header,
        rows=lambda: _rows(path, layout, len(header)),
        shape="sheet_per_item" if _asks(findings, "sheet_per_item_layout") else "table",
        findings=tuple(findings),
    )


def sheet_names(path: Path) -> list[str]:
    """Return the names of the sheets, hidden ones too, in their order."""
    book = openpyxl.load_workbook(path, read_only=True)
    try:
        return list(book.sheetnames)
    finally:
        book.close()


def _asks(findings: Sequence[Finding], kind: str) -> bool:
    return any(found.kind == kind for found in findings)


def _sheets(path: Path, options: ReadOptions) -> list[Sheet]:
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            if len(book.sheetnames) > options.limits.sheets:
                raise UnreadableFile(
                    "too_large", f"The workbook has {len(book.sheetnames)} sheets."
                )
            return [_look_at(sheet) for sheet in book.worksheets]
        finally:
            book.close()
    except UnreadableFile:
        raise
    except DAMAGE as error:
        raise UnreadableFile("damaged_file", "The workbook is damaged.") from error


def _look_at(sheet: openpyxl.worksheet._read_only.ReadOnlyWorksheet) -> Sheet:
    sheet.reset_dimensions()
    rows = [
        [as_text(cell) for cell in row]
        for row in islice(sheet.iter_rows(values_only=True), N_LOOKED_AT)
    ]
    filled = [(number, row) for number, row in enumerate(rows, start=1) if any(row)]
    is_visible = sheet.sheet_state == "visible"
    for number, row in filled[:5]:
        if len(_known(row)) >= 2 or (len(filled) > 1 and _known(row) and len(row) > 1):
            names = tuple(cell.strip() for cell in row)
            return Sheet(sheet.title, is_visible, number, names, is_empty=False)
    width = max((len(row) for row in rows), default=0)
    return Sheet(sheet.title, is_visible, 0, (), is_empty=not filled, width=width)


def _letters(width: int) -> tuple[str, ...]:
    """Name the columns of sheets without column names, so that a mapping can be given."""
    return ("sheet", *(get_column_letter(number) for number in range(1, width + 1)))


def _known(row: Sequence[str]) -> list[str]:
    known = known_names()
    return [cell for cell in row if cell and fold(cell) in known]


def _choose(
    sheets: list[Sheet], kind: Kind, options: ReadOptions
) -> tuple[list[Sheet], list[Finding]]:
    """Return the sheets to read as one table, and what to say about the choice."""
    if options.sheet:
        named = [sheet for sheet in sheets if sheet.name == options.sheet]
        if not named:
            raise UnreadableFile("bad_shape", f"There is no sheet {options.sheet!r}.")
        return named, _headless(named)
    found = [
        finding("hidden_sheet", f"The sheet {sheet.name!r} is hidden and was not read.")
        for sheet in sheets
        if not sheet.is_visible and sheet.header_row
    ]
    visible = [sheet for sheet in sheets if sheet.is_visible and not sheet.is_empty] or sheets
    tables = [sheet for sheet in visible if sheet.header_row]
    if not tables:
        return _without_header(visible, found)
    of_kind = [sheet for sheet in tables if fold(sheet.name) in (kind, kind.rstrip("s"))]
    tables = of_kind or _fitting(tables, kind)
    alike = [sheet for sheet in tables if sheet.header == tables[0].header]
    if len(alike) < len(tables):
        names = ", ".join(sheet.name for sheet in tables)
        found.append(finding("several_sheets", "Several sheets hold tables.", value=names))
    return alike, found


def _fitting(tables: list[Sheet], kind: Kind) -> list[Sheet]:
    """Return the tables with most columns of the kind that is looked for."""
    names = {name for entries in FIELDS[kind].values() for name in entries}
    n_known = [sum(fold(name) in names for name in table.header) for table in tables]
    return [table for table, n in zip(tables, n_known, strict=True) if n == max(n_known)]


def _without_header(
    visible: list[Sheet], found: list[Finding]
) -> tuple[list[Sheet], list[Finding]]:
    if len(visible) > 1:
        said = finding(
            "sheet_per_item_layout",
            f"The {len(visible)} sheets hold no table with column names; "
            "it seems that each sheet is one item.",
            value=", ".join(sheet.name for sheet in visible[:10]),
        )
        return visible, [*found, said]
    return visible, [*found, *_headless(visible)]


def _headless(sheets: list[Sheet]) -> list[Finding]:
    if sheets[0].header_row:
        return []
    return [finding("header_missing", f"No row of {sheets[0].name!r} names columns.")]


def _rows(path: Path, layout: dict[str, int], width: int) -> Iterator[RawRow | Finding]:
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    try:
        for name, header_row in layout.items():
            sheet = book[name]
            sheet.reset_dimensions()
            rows = sheet.iter_rows(min_row=header_row + 1, values_only=True)
            for number, row in enumerate(rows, start=header_row + 1):
                cells = [as_text(cell) for cell in row]
                if any(cell and not cell.isspace() for cell in cells):
                    yield from _row(number, cells if header_row else [name, *cells], width, name)
    except DAMAGE:
        yield finding("damaged_file", "The workbook is damaged.")
    finally:
        book.close()


def _row(number: int, cells: list[str], width: int, name: str) -> Iterator[RawRow | Finding]:
    if any(cells[width:]):
        reason = f"{name}: cells stand to the right of the last column name."
        yield finding("ragged_row", reason, line=number, value=" | ".join(cells[width:]))
        return
    yield RawRow(number, (cells + [""] * width)[:width], name)


def as_text(cell: object) -> str:
    """Return a cell as the text a person would type; a whole number has no decimal point."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).lower()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, dt.datetime | dt.date | dt.time):
        return cell.isoformat()
    return str(cell)
