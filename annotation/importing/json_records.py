"""JSON and JSON lines."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from annotation.importing.decoding import Survey, open_text, survey_text
from annotation.importing.findings import Finding, finding
from annotation.importing.json_shapes import Expander, Record, whole_file
from annotation.importing.json_values import array_entries, comma_at_end, parse, values_in_a_row
from annotation.importing.reading import RawRow, Reading, ReadOptions

N_FIRST = 1000

Values = Iterator[tuple[int, object] | Finding]


def read_json_lines(path: Path, options: ReadOptions) -> Reading:
    """Understand a file with one JSON value a line."""
    survey = survey_text(path, options)
    return _with_survey(
        reading_of("JSON lines", path, lambda: _lines(path, survey, options)), survey
    )


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
            header |= dict.fromkeys(entry[1])
    names = tuple(header)
    return Reading(path, name, names, lambda: _rows(values(), names), shape=expander.shape)


def _with_survey(reading: Reading, survey: Survey) -> Reading:
    return replace(reading, encoding=survey.label, newline=survey.newline, findings=survey.findings)


def _lines(path: Path, survey: Survey, options: ReadOptions) -> Values:
    with open_text(path, survey, options.limits) as text:
        yield from _entries(_parsed(text))


def _parsed(lines: Iterable[str]) -> Values:
    """Read one value a line; the lines of a list that lost its brackets end in commas."""
    is_said = False
    for number, line in enumerate(lines, start=1):
        stripped = line.strip().strip("\ufeff")
        if not stripped:
            continue
        if stripped[-1] == ",":
            if not is_said:
                yield comma_at_end(number)
            is_said = True
            stripped = stripped[:-1]
        value = parse(stripped, number)
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
    """Read a list of lists as a table whose first row names the columns."""
    names: list[str] | None = None
    for entry in entries:
        if isinstance(entry, Finding) or not isinstance(entry[1], list):
            yield entry
        elif names is None:
            names = [str(name) for name in entry[1]]
        elif len(entry[1]) != len(names):
            reason = f"{len(entry[1])} values where {len(names)} are due."
            yield finding("ragged_row", reason, line=entry[0], value=entry[1])
        else:
            yield entry[0], dict(zip(names, entry[1], strict=True))


def _expanded(values: Values, expander: Expander) -> Iterator[tuple[int, Record] | Finding]:
    for entry in values:
        if isinstance(entry, Finding):
            yield entry
            continue
        line, value = entry
        for row in expander.rows(value, line):
            yield row if isinstance(row, Finding) else (line, row)


def _rows(values: Values, names: tuple[str, ...]) -> Iterator[RawRow | Finding]:
    expander = Expander()
    known, late = set(names), set[str]()
    for entry in _expanded(values, expander):
        if isinstance(entry, Finding):
            yield entry
            continue
        line, row = entry
        if not row.keys() <= known:
            for name in row.keys() - known - late:
                late.add(name)
                reason = f"{name!r} appears here first."
                yield finding("late_column", reason, line=line, column=name)
        yield RawRow(line, [row.get(name) for name in names])
    yield from expander.conclude()
