"""CSV, TSV and their cousins."""

import csv
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import dropwhile, islice
from pathlib import Path
from typing import Any

from annotation.importing.boxes import is_box, unboxed
from annotation.importing.decoding import Survey, open_text, survey_text
from annotation.importing.dialect import (
    HEAD,
    declared_delimiter,
    fold,
    guess_delimiter,
    header_at,
    looks_like_data,
    odd_quotes,
)
from annotation.importing.fields import known_names
from annotation.importing.findings import Finding, UnreadableFile, finding
from annotation.importing.own_exports import is_own_export, without_apostrophes
from annotation.importing.quotes import holds_rows, quote_error
from annotation.importing.reading import RawRow, Reading, ReadOptions
from annotation.importing.row_numbers import are_numbered, said_of_row_numbers
from annotation.importing.two_rows import joined_names, said_of_two_rows
from annotation.importing.wrapped import delimiter_within, unwrapped_lines

N_TITLE_LINES = 20
MARK = "\ufeff"
ENDS_OF_FILE = ("\x1a", "END OF FILE")  # as DOS wrote it, and as Gorilla does
LONGEST_FIELD = 16_000_000
PLAIN_DELIMITERS = frozenset("\t,;")  # a bar may be one of a Markdown table
NAMES = {"\t": "tab", ",": "comma", ";": "semicolon", "|": "bar", " ": "space"}


# `RawRow` without its check of the length, which takes half of its time.
_made = tuple.__new__


class SeveralLines(list[str]):
    """The cells of a record that goes on over lines, to be looked at more closely."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the characters of one file are cut into cells."""

    path: Path
    survey: Survey
    delimiter: str
    options: ReadOptions
    literal: bool = False
    quotes: Mapping[str, Any] = field(default_factory=dict)  # where they differ from the standard
    n_skipped: int = 0  # lines before the header
    has_header: bool = True
    header: tuple[str, ...] = ()
    header_line: int = 1
    is_box: bool = False  # drawn with bars, rules and spaces
    is_wrapped: bool = False  # whole lines stand in quotes
    n_padded: int = 0  # trailing cells that every row lacks


def read_delimited(path: Path, options: ReadOptions) -> Reading:
    """Understand a delimited text file, packed by gzip or not."""
    survey = survey_text(path, options)
    layout, findings = _understand(path, survey, options)
    is_own = survey.encoding == "utf-8-sig" and is_own_export(layout.header)
    return Reading(
        path=path,
        format=f"{NAMES.get(layout.delimiter, layout.delimiter)}-separated",
        header=layout.header,
        rows=lambda: without_apostrophes(_rows(layout)) if is_own else _rows(layout),
        encoding=survey.label,
        delimiter=layout.delimiter,
        newline=survey.newline,
        quoting="literal" if layout.literal and not layout.is_box else "standard",
        decimal_comma=(
            layout.delimiter != "," if options.decimal_comma is None else options.decimal_comma
        ),
        findings=(*survey.findings, *findings),
        is_plain=_is_plain(layout) and not is_own,
        has_quotes=survey.has_quotes,
    )


def _is_plain(layout: Layout) -> bool:
    """Whether nothing is odd about how the file is cut into cells."""
    return (
        layout.survey.is_plain
        and layout.delimiter in PLAIN_DELIMITERS
        and not (layout.literal or layout.quotes or layout.is_wrapped or layout.n_padded)
        and layout.has_header
        and layout.header_line == 1
    )


def _understand(path: Path, survey: Survey, options: ReadOptions) -> tuple[Layout, list[Finding]]:
    with open_text(path, survey, options.limits) as text:
        head = text.read(HEAD)
    if not head.strip().strip("\x00"):
        raise UnreadableFile("empty_file", "The file is empty.")
    delimiter, n_skipped = declared_delimiter(head)
    delimiter = options.delimiter or delimiter or guess_delimiter(head, known_names())
    layout = Layout(path, survey, delimiter, options, n_skipped=n_skipped)
    findings: list[Finding] = []
    if not options.delimiter and is_box(head):
        layout = replace(layout, delimiter="|", literal=True, is_box=True)
    elif not options.delimiter and (within := delimiter_within(head, known_names())):
        layout = replace(layout, delimiter=within, is_wrapped=True)
        findings.append(finding("odd_quotes", "Whole lines stand in quotes."))
    elif options.quoting == "literal" or (
        not options.quoting and delimiter == "\t" and survey.has_quotes and _are_text(layout)
    ):
        layout = replace(layout, literal=True)
        findings.append(
            finding("quotes_taken_literally", "The quotes do not enclose fields; they are text.")
        )
    elif not options.quoting and (odd := odd_quotes(head, delimiter))[0]:
        layout = replace(layout, quotes=odd[0])
        findings.append(finding("odd_quotes", odd[1]))
    layout, found = _with_header(layout)
    return _with_padding(layout, findings + found)


def _records(layout: Layout) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells) of every record that is not blank; a broken quote is an error."""
    if layout.is_wrapped:
        return unwrapped_lines(_cut(replace(layout, delimiter=",")), layout.delimiter)
    return unboxed(_cut(layout)) if layout.is_box else _cut(layout)


def _cut(layout: Layout) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(LONGEST_FIELD)
    with open_text(layout.path, layout.survey, layout.options.limits) as text:
        for _ in range(layout.n_skipped):
            text.readline()
        reader = csv.reader(
            text,
            delimiter=layout.delimiter,
            quoting=csv.QUOTE_NONE if layout.literal else csv.QUOTE_MINIMAL,
            strict=True,
            **layout.quotes,
        )
        line = layout.n_skipped + 1
        try:
            for cells in reader:
                end = layout.n_skipped + reader.line_num
                if cells:
                    yield line, cells if end == line else SeveralLines(cells)
                line = end + 1
        except csv.Error as error:
            raise quote_error(
                lambda: open_text(layout.path, layout.survey, layout.options.limits),
                layout.delimiter,
                line,
                str(error),
            ) from error


def _are_text(layout: Layout) -> bool:
    """Whether quotes are text: read by the standard they fail somewhere, or swallow whole rows."""
    width = 0
    try:
        for _, cells in _records(layout):
            width = width or len(cells)
            if holds_rows(cells, layout.delimiter, width):
                return True
    except UnreadableFile:
        return True
    return False


def _with_header(layout: Layout) -> tuple[Layout, list[Finding]]:
    first = _first_records(layout)
    at = (
        header_at([cells for _, cells in first], known_names())
        if layout.options.header is None
        else 0
    )
    line, cells = first[at]
    has_header = layout.options.header
    if has_header is None:
        has_header = not looks_like_data(cells, known_names())
    if not has_header:
        names = tuple(f"column {number}" for number, _ in enumerate(cells, start=1))
        said = finding("header_missing", "The first row seems to be data.", line=line)
        chosen = layout.options.header is False
        layout = replace(layout, has_header=False, header=names, header_line=line - 1)
        return layout, [] if chosen else [said]
    names = tuple(cell.strip().strip("\ufeff") for cell in cells)
    if joined := joined_names([row for _, row in first[at : at + 3]]):
        layout = replace(layout, header=joined, header_line=line + 1)
        return layout, [said_of_two_rows(line, joined)]
    titles = [
        finding("lines_before_header", f"The column names stand at line {line}.", value=title[0])
        for _, title in first[:at][:1]
    ]
    rows = [row for _, row in first[at + 1 :]]
    if are_numbered(names, rows):
        titles.append(said_of_row_numbers(*first[at + 1]))
        names = ("", *names)
    return replace(layout, header=names, header_line=line), titles


def _first_records(layout: Layout) -> list[tuple[int, list[str]]]:
    """Return the first records that are not blank: three, or more if the first names no column."""
    filled = ((line, cells) for line, cells in _records(layout) if any(map(str.strip, cells)))
    found = list(islice(filled, 1))
    if not found:
        raise UnreadableFile("no_rows", "The file holds only blank lines.")
    is_header = not known_names().isdisjoint(map(fold, found[0][1]))
    with suppress(UnreadableFile):  # it is said when the rows are read
        found.extend(islice(filled, 2 if is_header else N_TITLE_LINES))
    return found


def _with_padding(layout: Layout, findings: list[Finding]) -> tuple[Layout, list[Finding]]:
    """Find rows that all lack the same trailing cells; read on only where the first one does."""
    width = len(layout.header)
    try:
        widths = (len(cells) for _, cells in _data(layout))
        first = next(widths, width)
        # Rows of one cell below several names are cut at another sign, not short.
        if first >= width or first == 1 < width - 1 or any(other != first for other in widths):
            return layout, findings
    except UnreadableFile:
        return layout, findings
    lacking = ", ".join(name or "unnamed" for name in layout.header[first:])
    said = finding(
        "short_rows_padded",
        f"Every row has {first} fields where the header has {width}; {lacking} left empty.",
    )
    return replace(layout, n_padded=width - first), [*findings, said]


def _data(layout: Layout) -> Iterator[tuple[int, list[str]]]:
    iterator = _records(layout)
    return dropwhile(lambda record: record[0] <= layout.header_line, iterator)


def _rows(layout: Layout) -> Iterator[RawRow | Finding]:
    width = len(layout.header)
    padding = [""] * layout.n_padded
    due = width - layout.n_padded
    folded = [fold(name) for name in layout.header]
    names = frozenset(layout.header)
    try:
        for line, cells in _data(layout):
            if len(cells) == due and cells.__class__ is list:
                first = cells[0]
                if first[:1] == MARK:  # files were joined, and each began with its mark
                    first = cells[0] = first.removeprefix(MARK)
                if first in names and [fold(cell) for cell in cells] == folded:
                    yield finding("repeated_header", "The column names come again.", line=line)
                elif first or not _is_blank(cells):
                    yield _made(RawRow, (line, cells + padding if padding else cells, ""))
            else:
                yield from _odd_row(layout, line, cells)
    except UnreadableFile as error:
        yield error.finding


def _is_blank(cells: list[str]) -> bool:
    """Whether a row holds delimiters only."""
    return not any(map(str.strip, cells))


def _odd_row(layout: Layout, line: int, cells: list[str]) -> Iterator[RawRow | Finding]:
    width = len(layout.header)
    due = width - layout.n_padded
    if _is_blank(cells) or (len(cells) == 1 and cells[0] in ENDS_OF_FILE):
        return
    if not "".join(cells).strip("\0"):
        reason = f"{sum(map(len, cells)):,} NUL characters stand here, as after a crash."
        yield finding("truncated_file", reason, line=line)
        return
    if len(cells) < due or any(map(str.strip, cells[due:])):
        reason = f"{len(cells)} field{'s' * (len(cells) > 1)} where {width} are due."
        yield finding("ragged_row", reason, line=line, value=" | ".join(cells))
        return
    if len(cells) > width:
        yield finding("extra_cells_empty", f"{len(cells)} fields, {width} due.", line=line)
    if holds_rows(cells, layout.delimiter, width):
        reason = "A text in quotes goes on over lines that look like whole rows."
        yield finding("rows_in_quotes", reason, line=line)
    yield RawRow(line, (list(cells) + [""] * width)[:width])
