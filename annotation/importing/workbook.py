"""XLSX workbooks: one table a sheet."""

import datetime as dt
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from xml.etree.ElementTree import ParseError

import openpyxl
from openpyxl.utils import range_boundaries
from openpyxl.utils.exceptions import InvalidFileException

from annotation.importing.dialect import fold
from annotation.importing.fields import (
    ITEM_NAMES,
    OUTPUT_NAMES,
    SHEET,
    SOURCE_NAMES,
    SYSTEM_NAMES,
    known_names,
)
from annotation.importing.findings import Finding, UnreadableFile, finding
from annotation.importing.packed import inspect
from annotation.importing.reading import RawRow, Reading, ReadOptions
from annotation.importing.rows import Kind
from annotation.importing.sheets import Plan, Sheet, plan

N_LOOKED_AT = 30
# What openpyxl lets through from a damaged file; it promises no error class of its own.
DAMAGE = (
    InvalidFileException, zipfile.BadZipFile, zlib.error, ParseError, KeyError, ValueError,
    TypeError, AttributeError, IndexError, EOFError, OSError, NotImplementedError, AssertionError,
    OverflowError, SyntaxError,
)  # fmt: skip


def read_workbook(path: Path, kind: Kind, options: ReadOptions) -> Reading:
    """Understand a workbook: which of its sheets hold the table that is looked for."""
    inspect(path, options.limits)
    sheets = _sheets(path, options)
    if all(sheet.is_empty for sheet in sheets):
        raise UnreadableFile("no_rows", "The workbook holds no cells.")
    table, findings = plan(sheets, kind, options)
    return Reading(
        path=path,
        format="XLSX",
        header=table.header,
        rows=lambda: _rows(path, table),
        shape="sheet_per_item" if table.header[:1] == (SHEET,) else "table",
        findings=tuple(findings),
    )


def sheet_names(path: Path) -> list[str]:
    """Return the names of the sheets, hidden ones too, in their order."""
    book = openpyxl.load_workbook(path, read_only=True)
    try:
        return list(book.sheetnames)
    finally:
        book.close()


def _sheets(path: Path, options: ReadOptions) -> list[Sheet]:
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        try:
            if len(book.sheetnames) > options.limits.sheets:
                raise UnreadableFile(
                    "too_large", f"The workbook has {len(book.sheetnames)} sheets."
                )
            return [_look_at(sheet, options.header_row) for sheet in book.worksheets]
        finally:
            book.close()
    except UnreadableFile:
        raise
    except DAMAGE as error:
        raise UnreadableFile("damaged_file", "The workbook is damaged.") from error


def _look_at(sheet: openpyxl.worksheet._read_only.ReadOnlyWorksheet, header_row: int = 0) -> Sheet:
    """Look at the first rows; the row of the column names is found, or as said."""
    sheet.reset_dimensions()
    rows = [
        _filled([as_text(cell) for cell in row])
        for row in islice(sheet.iter_rows(values_only=True), max(N_LOOKED_AT, header_row))
    ]
    filled = [(number, row) for number, row in enumerate(rows, start=1) if any(row)]
    is_visible = sheet.sheet_state == "visible"
    width = max((len(row) for row in rows[header_row:]), default=0)
    if header_row:
        names = tuple(cell.strip() for cell in (rows[header_row - 1 :] or [[]])[0])
        return Sheet(sheet.title, is_visible, header_row, names, not filled, width)
    for number, row in filled[:5]:
        if _names_columns(row, [below for at, below in filled if at > number]):
            names = tuple(cell.strip() for cell in row)
            return Sheet(sheet.title, is_visible, number, names, is_empty=False)
    return Sheet(sheet.title, is_visible, 0, (), is_empty=not filled, width=width)


def _names_columns(row: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Whether a row names the columns of the rows below it.

    Names of qualities alone, with wider rows below, stand within the sheet of one item.
    """
    folded = {fold(cell) for cell in row if cell}
    is_about = not folded.isdisjoint({*ITEM_NAMES, *SYSTEM_NAMES, *OUTPUT_NAMES, *SOURCE_NAMES})
    if not is_about and any(len(cells) > len(row) for cells in below):
        return False
    n_known = len(folded & known_names())
    return n_known >= 2 or (n_known == 1 and len(row) > 1 and len(below) > 0)


def _filled(cells: list[str]) -> list[str]:
    """Return the cells without the empty ones at the end, which have been formatted only."""
    while cells and not cells[-1].strip():
        cells.pop()
    return cells


def _rows(path: Path, table: Plan) -> Iterator[RawRow | Finding]:
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    width = len(table.header) - len(table.ranges)
    try:
        for name, header_row in table.sheets.items():
            sheet = book[name]
            sheet.reset_dimensions()
            about = [_texts(sheet, cells) for cells in table.ranges]
            rows = sheet.iter_rows(min_row=header_row + 1, values_only=True)
            for number, row in enumerate(rows, start=header_row + 1):
                cells = [as_text(cell) for cell in row]
                if any(cell and not cell.isspace() for cell in cells):
                    yield _row(number, [name, *cells] if table.named else cells, width, about, name)
    except DAMAGE:
        yield finding("damaged_file", "The workbook is damaged.")
    finally:
        book.close()


def _row(
    number: int, cells: list[str], width: int, about: list[list[str]], name: str
) -> RawRow | Finding:
    if any(cells[width:]):
        reason = f"{name}: cells stand to the right of the last column name."
        return finding("ragged_row", reason, line=number, value=" | ".join(cells[width:]))
    return RawRow(number, [*(cells + [""] * width)[:width], *about], name)


def _texts(sheet: openpyxl.worksheet._read_only.ReadOnlyWorksheet, cells: str) -> list[str]:
    """Return the texts of some cells that are about the whole sheet."""
    left, top, right, bottom = range_boundaries(cells)
    rows = sheet.iter_rows(
        min_col=left, min_row=top, max_col=right, max_row=bottom, values_only=True
    )
    return [text for row in rows for text in map(as_text, row) if text.strip()]


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
