"""XLSX: one sheet a list of the report, numbers as numbers, with all their digits."""

from pathlib import Path

import xlsxwriter

from annotation.exporting import ExactNumber
from metrics_app.reports.contract import Report
from metrics_app.reports.tables import Cell, Table, tables

# What a name of a sheet may not be longer than.
_LONGEST_NAME = 31
# Text that a spreadsheet would take for a formula stays text.
_OPTIONS = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}


def write_workbook(report: Report, folder: Path) -> None:
    """Write ``report.xlsx``: where the numbers come from, then every list."""
    with xlsxwriter.Workbook(str(folder / "report.xlsx"), _OPTIONS) as book:
        head = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        _write(book.add_worksheet("about"), _about(report), head)
        for table in tables(report):
            _write(book.add_worksheet(table.name[:_LONGEST_NAME]), table, head)


def _about(report: Report) -> Table:
    facts: list[tuple[Cell, ...]] = [
        ("study", report.study),
        ("generated at", report.generated_at),
        ("code version", report.code_version),
        ("data hash", report.data_hash),
        ("seed", report.seed),
        ("schema version", report.schema_version),
    ]
    counts: list[tuple[Cell, ...]] = [
        (name.replace("_", " "), value)
        for name, value in report.overview.items()
        if isinstance(value, int)
    ]
    return Table("about", ("what", "value"), tuple(facts + counts))


def _write(
    sheet: "xlsxwriter.worksheet.Worksheet", table: Table, head: "xlsxwriter.format.Format"
) -> None:
    for column, name in enumerate(table.header):
        sheet.write_string(0, column, name, head)
    for place, row in enumerate(table.rows, start=1):
        for column, cell in enumerate(row):
            _write_cell(sheet, place, column, cell)
    sheet.freeze_panes(1, 0)
    if table.rows:
        sheet.autofilter(0, 0, len(table.rows), len(table.header) - 1)
    sheet.set_column(0, len(table.header) - 1, 16)


def _write_cell(sheet: "xlsxwriter.worksheet.Worksheet", row: int, column: int, cell: Cell) -> None:
    if cell is None:
        return
    if isinstance(cell, str):
        sheet.write_string(row, column, cell)
    else:
        sheet.write_number(row, column, ExactNumber(cell))
