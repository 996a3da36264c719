"""JSON and JSON lines."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from annotation.importing.decoding import Survey, open_text, survey_text
from annotation.importing.findings import Finding, finding
from annotation.importing.json_files import whole_file
from annotation.importing.json_shapes import Expander, Record
from annotation.importing.json_values import array_entries, comma_at_end, parse, values_in_a_row
from annotation.importing.reading import RawRow, Reading, ReadOptions

N_FIRST = 1000

Values = Iterator[tuple[int, object] | Finding]


def read_json_lines(path: Path, options: ReadOptions) -> Reading:
    """Understand a file with one JSON value a line."""
    survey = survey_text(path, options)
    reading = reading_of("JSON lines", path, lambda: _lines(path, survey, options))
    is_plain = survey.is_plain and survey.newline == "LF"
    return replace(_with_survey(reading, survey), is_plain=is_plain)


def read_json(path: Path, options: ReadOptions) -> Reading:
    """Understand a file that is one JSON value: a list of records, or an object that holds them."""
    survey = survey_text(path, options)
    return _with_survey(reading_of("JSON", path, lambda: _values(path, survey, options)), survey)


def reading_of(name: str, path: Path, values: Callable[[], Values]) -> Reading:
    """Return the reading of a source of records; the first thousand name the columns."""
    expander = Expander()
    header: dict[str, None] = {}
    for entry in islice(_expanded(values(), expander), N_FIRST):
        if not isinstance(entry, Finding):
            header |= dict.fromkeys(entry[2])
    names = tuple(header)
    return Reading(path, name, names, lambda: _rows(values(), names), shape=expander.shape)


def _with_survey(reading: Reading, survey: Survey) -> Reading:
    return replace(reading, encoding=survey.label, newline=survey.newline, findings=survey.findings)


def _lines(path: Path, survey: Survey, options: ReadOptions) -> Values:
    with open_text(path, survey, options.limits) as text:
        yield from _entries(_objects(_parsed(text)))


def _parsed(lines: Iterable[str]) -> Values:
    """Read one value a line; the lines of a list that lost its brackets end in commas."""
    is_said = False
    for number, line in enumerate(lines, start=1):
        stripped = line.strip().strip("\ufeff")
        if not stripped:
            continue
        has_comma = stripped[-1] == ","
        value = parse(stripped[:-1] if has_comma else stripped, number)
        if has_comma and not is_said and not isinstance(value, Finding):
            is_said = True
            yield comma_at_end(number)
        yield value if isinstance(value, Finding) else (number, value)


def _values(path: Path, survey: Survey, options: ReadOptions) -> Values:
    with open_text(path, survey, options.limits) as text:
        head = text.read(1)
        while head and (head.isspace() or head == "\ufeff"):
            head = text.read(1)
    with open_text(path, survey, options.limits) as text:
        if head == "[":
            yield from _entries(array_entries(text))
            return
        yield from _entries(_objects(values_in_a_row(text)))


def _objects(values: Values) -> Values:
    """Read one object that holds the records, or several that stand one after the other."""
    first, second = next(values, None), next(values, None)
    if first is None or isinstance(first, Finding) or second is not None:
        yield from (entry for entry in (first, second) if entry is not None)
        yield from values
    else:
        yield from whole_file(first[1])


def _entries(entries: Values) -> Values:
    """Read a list of lists as a table with column names, and a list of texts as outputs."""
    names: list[str] | None = None
    are_texts: bool | None = None
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, Finding) and are_texts is None:
            are_texts = isinstance(entry[1], str)
        if isinstance(entry, Finding):
            yield entry
        elif are_texts and isinstance(entry[1], str):
            yield entry[0], {"item_id": str(number), "output": entry[1]}
        elif not isinstance(entry[1], list):
            yield entry
        elif names is None:
            names = [str(name) for name in entry[1]]
        elif len(entry[1]) != len(names):
            reason = f"{len(entry[1])} values where {len(names)} are due."
            yield finding("ragged_row", reason, line=entry[0], value=entry[1])
        else:
            yield entry[0], dict(zip(names, entry[1], strict=True))


def _expanded(values: Values, expander: Expander) -> Iterator[tuple[int, str, Record] | Finding]:
    """Yield (line, place, record); the place says which record it is, where a line has several."""
    before = 0
    for number, entry in enumerate(values, start=1):
        if isinstance(entry, Finding):
            yield entry
            continue
        line, value = entry
        place = f"record {number}" if line == before else ""
        before = line
        for row in expander.rows(value, line):
            if isinstance(row, Finding):
                yield replace(row, place=place) if place else row
            else:
                yield line, place, row


def _rows(values: Values, names: tuple[str, ...]) -> Iterator[RawRow | Finding]:
    expander = Expander()
    known, late = set(names), set[str]()
    for entry in _expanded(values, expander):
        if isinstance(entry, Finding):
            yield entry
            continue
        line, place, row = entry
        if not row.keys() <= known:
            for name in row.keys() - known - late:
                late.add(name)
                reason = f"{name!r} appears here first."
                yield finding("late_column", reason, line=line, column=name)
        yield RawRow(line, [row.get(name) for name in names], place)
    yield from expander.conclude()
