"""The fast lane: clean tables of ratings or scores, checked by columns instead of by rows.

It judges nothing by rules of its own. Every distinct text of a column goes once through the
functions of the row-wise checks, and at the first thing that is not clean it gives up, so that
the row-wise pass says what and where. It is taken only where cutting lines at the delimiter is
all there is to reading the file: UTF-8, no quotes, the usual newlines.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import itemgetter
from types import ModuleType
from typing import Any

import numpy as np

from annotation.importing.check_ratings import CARRIED, NAMED, TOTALS, plain_number
from annotation.importing.findings import Report, UnreadableFile
from annotation.importing.keys import DistinctKeys, Ints
from annotation.importing.mapping import Mapping
from annotation.importing.picking import Picker
from annotation.importing.plain_blocks import (
    Array,
    Block,
    csv_blocks,
    indices,
    json_blocks,
    pyarrow,
)
from annotation.importing.plain_outputs import PlainOutputs, can_be_plain
from annotation.importing.reading import RawRow, Reading
from annotation.importing.rows import Kind, RatingRow, Rules, ScoreRow
from annotation.importing.suspicions import bad_character, without_invisible
from annotation.importing.values import number
from annotation.importing.whole_records import NotPlainError

FEW = 10_000
# Field to the bits of its numbers in a key; together they fit into 63.
BITS: dict[Kind, dict[str, int]] = {
    "ratings": {"item_id": 27, "system": 10, "judge": 18, "dimension": 8},
    "scores": {"item_id": 30, "system": 14, "metric": 19},
}
ALSO_IN_KEY = ("fact_id", "phase", "output_version", "repeat_of")
KNOWN = {"item_id": "items", "system": "systems", "dimension": "dimensions"}


@dataclass(slots=True)
class _Column:
    """The distinct texts of one field, numbered as they appear, each looked at once."""

    name: str
    bits: int
    is_fine: Callable[[str], bool]
    numbers: dict[str, int] = field(default_factory=dict)

    def codes(self, array: Array) -> Ints:
        """Return the number of each cell's text."""
        texts = array.dictionary.to_pylist()
        codes: Ints = np.array([self._number(text) for text in texts], dtype=np.int64)
        return codes[indices(array)]

    def _number(self, text: str) -> int:
        code = self.numbers.get(text)
        if code is None:
            if not self.is_fine(text):
                raise NotPlainError
            code = self.numbers[text] = len(self.numbers)
            if code >= 1 << self.bits:
                raise NotPlainError
        return code


class _PlainCheck:
    """What has been seen of a file so far, by columns."""

    def __init__(self, arrow: ModuleType, picker: Picker, rules: Rules) -> None:
        self._arrow = arrow
        self._kind = picker.mapping.kind
        self._rules = rules
        self._single = picker.single
        self._value_index = picker.measures[0].index
        self._named = [
            _Column(name, bits, _fine(name, rules)) for name, bits in BITS[self._kind].items()
        ]
        # Fields that are part of a key, though most files have one value of them throughout.
        also = ALSO_IN_KEY if self._kind == "ratings" else ()
        self._constant = [_Column(name, 0, _anything) for name in also if name in picker.single]
        self._values = _Column("value", 20, _anything)
        is_grouped = self._kind == "ratings" and "judge_group" in picker.single
        self._group = _Column("judge_group", 20, _anything) if is_grouped else None
        self._judges_in = set[int]()  # judges with their groups
        self._judged: set[tuple[int, int]] = set()
        self._seen = DistinctKeys()

    @property
    def columns(self) -> dict[int, Any]:
        """The columns that are looked at, and their types."""
        also = [self._group] if self._group else []
        fields = [column.name for column in (*self._named, *self._constant, *also)]
        places = [*(self._single[name] for name in fields), self._value_index]
        return dict.fromkeys(
            places, self._arrow.dictionary(self._arrow.int32(), self._arrow.string())
        )

    def add(self, block: Block) -> None:
        """Look at a block of rows; raise `NotPlainError` if anything is not clean."""
        keys = np.zeros(len(block[self._value_index]), dtype=np.int64)
        codes = keys
        for column in self._named:
            codes = column.codes(block[self._single[column.name]])
            keys = (keys << column.bits) | codes
            if self._group and column.name == "judge":
                self._add_groups(codes, self._group, block)
        for column in self._constant:
            column.codes(block[self._single[column.name]])
        values = block[self._value_index]
        if self._kind == "scores":
            if any(number(text) is None for text in values.dictionary.to_pylist()):
                raise NotPlainError
        else:
            self._judge(codes, self._values.codes(values))
        self._seen.add(keys)

    def _add_groups(self, judges: Ints, group: _Column, block: Block) -> None:
        groups = group.codes(block[self._single[group.name]])
        self._judges_in.update(np.unique(judges << group.bits | groups).tolist())

    def conclude(self, report: Report) -> None:
        """Look at all rows together; raise `NotPlainError` if one came twice.

        So it does where a judge is in two groups, of which the row-wise pass says more.
        """
        bits = self._group.bits if self._group else 0
        if len({pair >> bits for pair in self._judges_in}) < len(self._judges_in):
            raise NotPlainError
        if not self._seen.are_distinct():
            raise NotPlainError
        report.n_clean = report.tallies[self._kind] = report.n_read

    def _judge(self, dimensions: Ints, values: Ints) -> None:
        """Hold each pair of dimension and value, once, to the scale of the dimension."""
        pairs = np.unique(dimensions << self._values.bits | values)
        low = (1 << self._values.bits) - 1
        fresh = {(int(pair) >> self._values.bits, int(pair) & low) for pair in pairs}
        fresh -= self._judged
        names, texts = list(self._named[-1].numbers), list(self._values.numbers)
        for dimension, code in fresh:
            scale = self._rules.scale_of(names[dimension])
            value = plain_number(texts[code], scale)
            if number(texts[code]) is None or value is None or (scale and not scale.allows(value)):
                raise NotPlainError
        self._judged |= fresh


def _anything(_: str) -> bool:
    return True


def _fine(name: str, rules: Rules) -> Callable[[str], bool]:
    """Return the question whether a text is a clean name in one field."""
    known = getattr(rules, KNOWN[name]) if name in KNOWN else None

    def is_fine(text: str) -> bool:
        return (
            bool(text)
            and text == without_invisible(text).strip()
            and not bad_character(text)
            and (known is None or text in known)
            and not (name == "item_id" and text.lower() in TOTALS)
            and not (name == "dimension" and text in rules.texts)
        )

    return is_fine


def plain_report(
    reading: Reading,
    mapping: Mapping,
    rules: Rules,
    *,
    tell: Callable[[int], object] | None = None,
) -> Report | None:
    """Return the report of a file that is clean throughout, or None where it may not be.

    ``tell``, if given, is called now and then with the number of records read so far.
    """
    arrow = pyarrow()
    picker = Picker(mapping)
    if arrow is None or not _is_plain(reading, picker, rules):
        return None
    report = Report(good_rows_only=rules.good_rows_only)
    is_outputs = mapping.kind == "outputs"
    check = PlainOutputs(arrow, picker, rules) if is_outputs else _PlainCheck(arrow, picker, rules)
    try:
        for block in _blocks(arrow, reading, check):
            check.add(block)
            report.n_read += len(next(iter(block.values())))
            if tell is not None:
                tell(report.n_read)
        check.conclude(report)
        arrow.default_memory_pool().release_unused()
    except (NotPlainError, UnreadableFile, arrow.ArrowException):
        return None
    return report if report.n_read else None


def _blocks(
    arrow: ModuleType, reading: Reading, check: "PlainOutputs | _PlainCheck"
) -> Iterator[Block]:
    if reading.format == "JSON lines":
        return json_blocks(arrow, reading)
    return csv_blocks(arrow, reading, check.columns)


def plain_rows(reading: Reading, mapping: Mapping) -> Iterator[RatingRow | ScoreRow]:
    """Yield the rows of a file that `plain_report` has found clean; nothing is checked again."""
    picker = Picker(mapping)
    row_class: type[RatingRow] | type[ScoreRow] = RatingRow
    names, value_name = [*NAMED, *CARRIED], "value"
    if mapping.kind == "scores":
        row_class, names, value_name = ScoreRow, list(BITS["scores"]), "score"
    # Each field stands at a place in: the cells, the value, the line, the empty fields.
    n_cells = len(reading.header)
    places = {name: picker.single[name] for name in names if name in picker.single}
    places |= {value_name: n_cells, "line": n_cells + 1}
    pick = itemgetter(*(places.get(name, n_cells + 2) for name in row_class._fields))
    value_index = picker.measures[0].index
    numbers: dict[object, float] = {}  # ratings have few distinct values
    for record in reading:
        if isinstance(record, RawRow):
            line, cells, _ = record
            text = cells[value_index]
            value = numbers.get(text)
            if value is None:
                value = float(str(text))
                if len(numbers) < FEW:
                    numbers[text] = value
            yield row_class._make(pick((*cells, value, line, "")))


def _is_plain(reading: Reading, picker: Picker, rules: Rules) -> bool:
    """Whether the file is a table that is read alike by columns and by rows."""
    mapping = picker.mapping
    if not reading.is_plain or reading.findings or mapping.questions:
        return False
    if mapping.kind == "outputs":
        return can_be_plain(picker, rules)
    return (
        mapping.kind in BITS
        and reading.delimiter != ""
        and not (reading.has_quotes or mapping.constants)
        and picker.single.keys() >= BITS[mapping.kind].keys()
        and "output" not in picker.single
        and not any(picker.repeated.values())
        and [measure.bound for measure in picker.measures] == [{}]
    )
