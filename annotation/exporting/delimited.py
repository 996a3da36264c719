"""CSV: tidy and wide, byte for byte or safe for spreadsheets, and as MTurk writes it."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from annotation.exporting.records import NUMERIC_FIELDS, TIDY_FIELDS, TidyRating, cell
from annotation.exporting.safety import neutralised

BOM = "\ufeff"
WHO_AND_WHAT = (
    "study", "phase", "item_id", "batch", "system", "output_version", "fact_id", "judge",
    "judge_group", "position", "is_check", "repeat_of", "valid", "excluded_by", "late", "origin",
    "opened_at", "submitted_at", "active_seconds",
)  # fmt: skip
IDENTITY = ("phase", "item_id", "system", "output_version", "fact_id", "judge", "repeat_of")


class _Line:
    """A stream of one line: what was written last."""

    def write(self, text: str) -> str:
        return text


def csv_lines(
    header: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    for_excel: bool = False,
    numeric: frozenset[str] = NUMERIC_FIELDS,
) -> Iterator[str]:
    """Yield the lines of a CSV file, CRLF at their ends, quoted where it is needed.

    Parameters
    ----------
    header : sequence of str
    rows : iterable of sequences of str
        Cells in the order of the header.
    for_excel : bool
        Begin with a byte order mark and put an apostrophe before cells that a spreadsheet
        would run; numbers of the columns in ``numeric`` stay numbers.
    numeric : frozenset of str
        Names of the columns that hold numbers.
    """
    writer = csv.writer(_Line(), lineterminator="\r\n")
    names = [neutralised(name) if for_excel else name for name in header]
    yield (BOM if for_excel else "") + str(writer.writerow(names))
    is_number = [name in numeric for name in header]
    for row in rows:
        if for_excel:
            cells = zip(row, is_number, strict=True)
            yield str(writer.writerow([t if number else neutralised(t) for t, number in cells]))
        else:
            yield str(writer.writerow(row))


def tidy_csv(ratings: Iterable[TidyRating], *, for_excel: bool = False) -> Iterator[str]:
    """Yield the tidy table line by line."""
    rows = ([cell(getattr(row, name)) for name in TIDY_FIELDS] for row in ratings)
    return csv_lines(TIDY_FIELDS, rows, for_excel=for_excel)


def wide_csv(
    ratings: Iterable[TidyRating], dimensions: Sequence[str], *, for_excel: bool = False
) -> Iterator[str]:
    """Yield one row for each judge and output, with a column for each dimension.

    The ratings of one judge and output must come one after the other. A cell is empty where
    there is no answer; why there is none stands in the tidy table only.
    """
    rows = (
        [cell(getattr(first, name)) for name in WHO_AND_WHAT]
        + [answers.get(dimension, "") for dimension in dimensions]
        for first, answers in by_judge_and_output(ratings)
    )
    return csv_lines((*WHO_AND_WHAT, *dimensions), rows, for_excel=for_excel)


def by_judge_and_output(
    ratings: Iterable[TidyRating],
) -> Iterator[tuple[TidyRating, dict[str, str]]]:
    """Yield, for each judge and output, the first of its rows and its answers by dimension."""
    for _, group in groupby(ratings, key=lambda row: [getattr(row, name) for name in IDENTITY]):
        rows = list(group)
        yield rows[0], {row.dimension: cell(row.value) or row.text for row in rows}
