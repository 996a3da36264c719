"""XLSX: ratings, items, judges, codebook and, where outputs are compared, the choices."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import xlsxwriter

from annotation.exporting.comparisons import WIDE_FIELDS, Comparison, wide_cells
from annotation.exporting.records import (
    NUMERIC_FIELDS,
    TIDY_FIELDS,
    CodebookEntry,
    ItemBundle,
    JudgeRecord,
    TidyRating,
    cell,
)
from annotation.exporting.safety import neutralised

MOST_ROWS = 1_048_575  # below the header; the format allows no more
LONGEST_CELL = 32_767
CUT = " [cut: the CSV has all {:,} characters]"
ITEM_FIELDS = ("item_id", "batch", "language", "domain", "document", "source", "reference",
               "prior_reference", "fact", "system", "output")  # fmt: skip
JUDGE_FIELDS = ("judge", "judge_group", "kind", "n_ratings", "excluded_by")
CODEBOOK_FIELDS = ("dimension", "phase", "measurement", "definition", "question", "value", "label")


class ExactNumber(float):
    """A number with all its digits: the library writes 16, of which a double may need 17."""

    def __format__(self, spec: str) -> str:
        return cell(float(self))


def write_workbook(
    path: Path,
    *,
    ratings: Iterable[TidyRating],
    items: Iterable[ItemBundle] = (),
    judges: Iterable[JudgeRecord] = (),
    codebook: Iterable[CodebookEntry] = (),
    comparisons: Iterable[Comparison] = (),
) -> None:
    """Write a workbook row by row; a table with too many rows goes on in a further sheet.

    A sheet of comparisons is there only where there are any.

    Texts that a spreadsheet would run as formulas get an apostrophe before them; texts beyond
    the 32,767 characters of a cell are cut, and say so.
    """
    options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(path, options) as book:
        _table(book, "ratings", TIDY_FIELDS, map(_rating_cells, ratings))
        _table(book, "items", ITEM_FIELDS, _item_rows(items))
        _table(
            book,
            "judges",
            JUDGE_FIELDS,
            ([getattr(judge, name) for name in JUDGE_FIELDS] for judge in judges),
        )
        _table(book, "codebook", CODEBOOK_FIELDS, _codebook_rows(codebook))
        rows = map(wide_cells, comparisons)
        for first in rows:
            _table(book, "comparisons", WIDE_FIELDS, chain([first], rows))


def _rating_cells(row: TidyRating) -> list[object]:
    return [
        getattr(row, name) if name in NUMERIC_FIELDS else cell(getattr(row, name))
        for name in TIDY_FIELDS
    ]


def _item_rows(bundles: Iterable[ItemBundle]) -> Iterator[list[object]]:
    for bundle in bundles:
        item = bundle.item
        about: list[object] = [item.item_id, item.batch, item.language, item.domain, item.document]
        about += [
            "\n\n".join(texts)
            for texts in (item.source, item.references, item.prior_references, item.facts)
        ]
        for system, text in bundle.outputs.items():
            yield [*about, system, text]


def _codebook_rows(codebook: Iterable[CodebookEntry]) -> Iterator[list[object]]:
    for entry in codebook:
        about = [entry.dimension, entry.phase, entry.measurement, entry.definition, entry.question]
        for value, label in entry.points or ((None, ""),):
            yield [*about, value, label]


def _table(
    book: xlsxwriter.Workbook, name: str, header: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    bold = book.add_format({"bold": True})
    sheet, at, number = _sheet(book, name, header, bold), 0, 1
    for row in rows:
        if at == MOST_ROWS:
            number += 1
            sheet, at = _sheet(book, f"{name} {number}", header, bold), 0
        at += 1
        for column, value in enumerate(row):
            if isinstance(value, bool | str):
                sheet.write_string(at, column, _fitting(cell(value)))
            elif isinstance(value, int | float):
                sheet.write_number(at, column, ExactNumber(value))


def _sheet(
    book: xlsxwriter.Workbook, name: str, header: Sequence[str], bold: object
) -> xlsxwriter.worksheet.Worksheet:
    sheet = book.add_worksheet(name)
    sheet.freeze_panes(1, 0)
    for column, title in enumerate(header):
        sheet.write_string(0, column, title, bold)
    return sheet


def _fitting(text: str) -> str:
    safe = neutralised(text)
    if len(safe) <= LONGEST_CELL:
        return safe
    note = CUT.format(len(text))
    return safe[: LONGEST_CELL - len(note)] + note
