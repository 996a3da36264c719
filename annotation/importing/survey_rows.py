"""Rows that survey tools put between the column names and the answers.

Qualtrics writes the question texts there, and in CSV its identifiers (``{"ImportId": ...}``) too.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from annotation.importing.dialect import fold
from annotation.importing.findings import Finding, finding
from annotation.importing.picking import as_text
from annotation.importing.reading import RawRow, Reading

IDENTIFIER = '{"ImportId":'
MOST_ROWS = 2
FEWEST_NAMES = 2  # cells that say their column's name in other letters


def without_survey_rows(reading: Reading) -> Reading:
    """Return the reading without the rows of question texts, if it is a table that has any."""
    if not (reading.delimiter or reading.format == "XLSX"):
        return reading
    first = list(islice((row for row in reading.rows() if isinstance(row, RawRow)), MOST_ROWS))
    n_rows = _n_survey_rows(first, reading.header)
    if not n_rows:
        return reading
    said = finding(
        "lines_below_header",
        "Question texts of a survey stand below the column names; they were left out.",
        line=first[0].line,
        value=" | ".join(filter(None, map(as_text, first[0].cells))),
    )

    def rows() -> Iterator[RawRow | Finding]:
        n_left = n_rows
        for row in reading.rows():
            if n_left and isinstance(row, RawRow):
                n_left -= 1
            else:
                yield row

    return replace(reading, rows=rows, findings=(*reading.findings, said), is_plain=False)


def _n_survey_rows(rows: Sequence[RawRow], header: Sequence[str]) -> int:
    for n, row in enumerate(rows, start=1):
        if sum(as_text(cell).startswith(IDENTIFIER) for cell in row.cells) >= FEWEST_NAMES:
            return n
    return int(bool(rows) and _names_columns(rows[0], header))


def _names_columns(row: RawRow, header: Sequence[str]) -> bool:
    """Whether a row says the names of its columns once more, among the texts of questions."""
    same = [
        fold(cell) == fold(name)
        for cell, name in zip(map(as_text, row.cells), header, strict=False)
        if cell.strip()
    ]
    return sum(same) >= FEWEST_NAMES
