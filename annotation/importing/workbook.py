"""XLSX workbooks: one table a sheet."""

import datetime as dt
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
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
from annotation.importing.own_exports import as_exported, is_own_export
from annotation.importing.packed import inspect
from annotation.importing.reading import RawRow, Reading, ReadOptions
from annotation.importing.rows import Kind
from annotation.importing.sheet_marks import Filling, marks_of
from annotation.importing.sheets import Plan, Sheet, plan
from annotation.importing.two_rows import joined_names, said_of_two_rows

LONGEST_COLUMN = 40
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
N_LOOKED_AT, N_TITLE_ROWS = 30, 20
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
    with _opened(path) as book:
        return list(book.sheetnames)


@contextmanager
def _opened(path: Path) -> Iterator[openpyxl.Workbook]:
    """Open a workbook by its bytes: openpyxl refuses a path by its ending, such as ``.csv``."""
    with path.open("rb") as stream:
        book = openpyxl.load_workbook(stream, read_only=True, data_only=True)
        try:
            yield book
        finally:
            book.close()


def _sheets(path: Path, options: ReadOptions) -> list[Sheet]:
    try:
        with _opened(path) as book:
            _refuse_too_many(book.sheetnames, options)
            return [_look_at(sheet, options.header_row) for sheet in book.worksheets]
    except UnreadableFile:
        raise
    except DAMAGE as error:
        raise UnreadableFile("damaged_file", "The workbook is damaged.") from error


def _refuse_too_many(names: Sequence[str], options: ReadOptions) -> None:
    if len(names) > options.limits.sheets:
        raise UnreadableFile("too_large", f"The workbook has {len(names)} sheets.")


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
    if at := _header_at(filled):
        number, row = filled[at - 1]
        names = tuple(cell.strip() for cell in row)
        title = filled[0][1] if at > 1 else []
        has_cells_above = any(sum(map(bool, cells)) > 1 for _, cells in filled[: at - 1])
        joined = joined_names([cells for _, cells in filled[at - 1 : at + 2]])
        return Sheet(
            sheet.title,
            is_visible,
            number + bool(joined),
            joined or names,
            is_empty=False,
            width=max(len(cells) for _, cells in filled),
            said=tuple(_said(number, joined, title)),
            has_cells_above=has_cells_above,
        )
    return Sheet(sheet.title, is_visible, 0, (), not filled, width)


def _header_at(filled: Sequence[tuple[int, list[str]]]) -> int:
    """Return which of the first filled rows names the columns, counted from one; 0 for none.

    A row with one known name may be a title; one with two comes before it.
    """
    known = known_names()
    named = [
        at
        for at, (_, row) in enumerate(filled[:N_TITLE_ROWS], start=1)
        if _names_columns(row, [below for _, below in filled[at:]])
    ]
    sure = [at for at in named if len({fold(cell) for cell in filled[at - 1][1]} & known) > 1]
    # One name below a row of several cells is a table that lies on its side.
    upright = [at for at in named if all(sum(map(bool, row)) < 2 for _, row in filled[: at - 1])]
    return (sure or upright or [0])[0]


def _said(number: int, joined: Sequence[str], title: Sequence[str]) -> Iterator[Finding]:
    if joined:
        yield said_of_two_rows(number, joined)
    elif title:
        first = next(filter(None, title))
        reason = f"The column names stand in row {number}."
        yield finding("lines_before_header", reason, line=number, value=first)


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
    try:
        with _opened(path) as book:
            for name, header_row in table.sheets.items():
                yield from _sheet_rows(path, book[name], table, header_row)
    except DAMAGE:
        yield finding("damaged_file", "The workbook is damaged.")


def _sheet_rows(
    path: Path,
    sheet: openpyxl.worksheet._read_only.ReadOnlyWorksheet,
    table: Plan,
    header_row: int,
) -> Iterator[RawRow | Finding]:
    name, width = sheet.title, len(table.header) - len(table.ranges)
    is_own = is_own_export(table.header)
    sheet.reset_dimensions()
    about = [_texts(sheet, cells) for cells in table.ranges]
    marks = marks_of(path, sheet._worksheet_path, header_row)  # noqa: SLF001 -- its name in the archive
    yield from (replace(found, place=name) for found in marks.findings())
    filling = Filling(marks)
    rows = sheet.iter_rows(min_row=header_row + 1, values_only=True)
    for number, row in enumerate(rows, start=header_row + 1):
        cells = [as_text(cell) for cell in row]
        if is_own:
            cells = as_exported(cells)
        filling.fill(number, cells)
        if _names_again(cells, table.header):
            yield finding("repeated_header", "The column names come again.", line=number)
            continue
        if _begins_a_table(cells):
            yield _of_another_table(number, cells, name)
            return
        if any(cell and not cell.isspace() for cell in cells):
            yield _row(number, [name, *cells] if table.named else cells, width, about, name)


def _row(
    number: int, cells: list[str], width: int, about: list[list[str]], name: str
) -> RawRow | Finding:
    if any(cells[width:]):
        reason = f"{name}: cells stand to the right of the last column name."
        beyond = " | ".join(filter(None, cells[width:]))
        mend = "Name their column, or empty the cells."
        return finding("ragged_row", reason, line=number, value=beyond, mend=mend)
    return RawRow(number, [*(cells + [""] * width)[:width], *about], name)


def _begins_a_table(cells: Sequence[str]) -> bool:
    """Whether all the cells that are filled are column names, the one of items among them."""
    folded = [fold(cell) for cell in cells if cell and len(cell) < LONGEST_COLUMN]
    return (
        len(folded) > 1
        and not {"item_id", *ITEM_NAMES}.isdisjoint(folded)
        and len(folded) == sum(map(bool, cells))
        and known_names().issuperset(folded)
    )


def _of_another_table(number: int, cells: Sequence[str], name: str) -> Finding:
    reason = f"{name}: the column names of another table stand here."
    mend = "Put the second table into a sheet of its own; it was not read."
    return finding("bad_shape", reason, line=number, value=" | ".join(cells), mend=mend)


def _names_again(cells: Sequence[str], header: Sequence[str]) -> bool:
    return cells[:1] == list(header[:1]) and [fold(cell) for cell in cells] == [
        fold(name) for name in header
    ]


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
    return _as_meant(str(cell))


def _as_meant(text: str) -> str:
    """Return a text with what stands for signs that XML cannot hold.

    Excel writes a carriage return as ``_x000D_`` (ECMA-376, ST_Xstring).
    """
    return ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text
