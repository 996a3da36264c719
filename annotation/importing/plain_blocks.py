"""Files by columns, as pyarrow cuts them: only where it cuts them as the readers by rows do."""

from collections.abc import Iterator
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from annotation.importing.decoding import open_bytes
from annotation.importing.dialect import fold
from annotation.importing.fields import OUTPUT_SETS
from annotation.importing.json_shapes import Expander
from annotation.importing.quotes import holds_rows
from annotation.importing.reading import Limits, Reading
from annotation.importing.reading_share import note_text
from annotation.importing.whole_records import (
    Cut,
    NotPlainError,
    TableCut,
    cut_lines,
    whole_records,
)

Places = npt.NDArray[np.int32]
Array = Any  # of pyarrow, which ships no types
Block = dict[int, Array]  # the columns that are looked at, by their places in the header


def pyarrow() -> ModuleType | None:
    """Return the library with all that is used of it, where it is installed."""
    try:
        import pyarrow as arrow  # noqa: PLC0415  # an extra that may not be installed
        import pyarrow.compute  # noqa: PLC0415
        import pyarrow.csv  # noqa: PLC0415
        import pyarrow.json  # noqa: PLC0415
    except ImportError:
        return None
    return arrow  # type: ignore[no-any-return]  # pyarrow ships no types


class Texts:
    """The texts of a column: bytes in one line, and where each begins and ends."""

    def __init__(self, column: Array) -> None:
        _, offsets, texts = column.buffers()
        bounds = np.frombuffer(offsets, np.int32, len(column) + 1, 4 * column.offset)
        first, last = bounds[0], bounds[-1]
        self.together = texts[first:last].to_pybytes() if last > first else b""
        self.bounds = bounds - first

    def __getitem__(self, row: int) -> str:
        return self.together[self.bounds[row] : self.bounds[row + 1]].decode()

    def pieces(self) -> list[bytes]:
        """Return the bytes of each text."""
        together = self.together
        return [together[begin:end] for begin, end in pairwise(self.bounds.tolist())]

    def places(self, sign: bytes) -> list[int]:
        """Return where a byte stands, whichever text holds it."""
        if sign not in self.together:
            return []
        return np.flatnonzero(np.frombuffer(self.together, "S1") == sign).tolist()

    def holding(self, places: list[int]) -> npt.NDArray[np.intp]:
        """Return which texts hold the bytes at some places."""
        return np.unique(np.searchsorted(self.bounds, places, side="right")) - 1


def numbers(column: Array) -> Places:
    """Return the memory of a column; pyarrow's own way to numpy would import pandas."""
    _, values = column.buffers()
    return np.frombuffer(values, np.int32, len(column), 4 * column.offset)


def indices(encoded: Array) -> Places:
    """Return which distinct text each row has."""
    return numbers(encoded.indices)


def csv_blocks(arrow: ModuleType, reading: Reading, types: dict[int, Any]) -> Iterator[Block]:
    """Yield a table in blocks of the columns that have a type."""
    columns = {str(index): its_type for index, its_type in types.items()}
    parse = arrow.csv.ParseOptions(delimiter=reading.delimiter, newlines_in_values=True)
    convert = arrow.csv.ConvertOptions(
        column_types=columns, include_columns=list(columns), strings_can_be_null=False
    )
    names = [str(index) for index, _ in enumerate(reading.header)]
    n_skipped = 1  # the column names
    for records in _opened(reading, TableCut(reading.delimiter)):
        look = arrow.csv.ReadOptions(
            use_threads=False,
            block_size=len(records) + 1,
            skip_rows_after_names=n_skipped,
            column_names=names,
        )
        table = arrow.csv.read_csv(arrow.BufferReader(records), look, parse, convert)
        n_skipped = 0
        for batch in table.to_batches():
            block = dict(zip(types, batch.columns, strict=True))
            if 0 in block and arrow.types.is_string(block[0].type):
                _hold_header(arrow, block[0], reading.header)
            if reading.has_quotes:
                _hold_lines(block, reading.delimiter, len(reading.header))
            yield block


def _opened(reading: Reading, cut: Cut) -> Iterator[bytes]:
    with open_bytes(reading.path, Limits()) as stream:
        note_text()
        yield from whole_records(stream, cut)


def _hold_header(arrow: ModuleType, first: Array, header: tuple[str, ...]) -> None:
    """Raise `NotPlainError` where the header may stand once more."""
    are_names = arrow.compute.is_in(first, value_set=arrow.array(header))
    if arrow.compute.any(are_names).as_py():
        raise NotPlainError


def _hold_lines(block: Block, delimiter: str, width: int) -> None:
    """Raise `NotPlainError` where lines within a record look like records of their own."""
    holders = [its.holding(its.places(b"\n")) for its in map(Texts, block.values())]
    rows = np.unique(np.concatenate(holders))
    if rows.size:
        columns = [column.take(rows).to_pylist() for column in block.values()]
        if any(holds_rows(cells, delimiter, width) for cells in zip(*columns, strict=True)):
            raise NotPlainError


def json_blocks(arrow: ModuleType, reading: Reading) -> Iterator[Block]:
    """Yield JSON lines in blocks; where each holds the outputs of an item, a block a system.

    A single one may hold all records of the file, and is left to the reader by rows.
    """
    n_records = 0
    for records in _opened(reading, cut_lines):
        look = arrow.json.ReadOptions(use_threads=False, block_size=len(records) + 1)
        table = arrow.json.read_json(arrow.BufferReader(records), look)
        n_lines = records.count(b"\n") + (not records.endswith(b"\n"))
        if table.num_rows != n_lines or not table.num_columns:
            raise NotPlainError
        n_records += n_lines
        (batch,) = table.to_batches()
        columns = dict(zip(batch.schema.names, batch.columns, strict=True))
        for found in _expanded(arrow, columns):
            if found.keys() - set(reading.header):
                raise NotPlainError
            yield {reading.header.index(name): column for name, column in found.items()}
    if n_records == 1:
        raise NotPlainError


def _expanded(arrow: ModuleType, columns: dict[str, Array]) -> list[dict[str, Array]]:
    """Return the rows of a batch of records, which are read as the first of them is by itself."""
    kinds = arrow.types
    nested = {name for name, column in columns.items() if kinds.is_struct(column.type)}
    flat = {name: _as_texts(arrow, columns[name]) for name in columns.keys() - nested}
    if nested:
        # Which values hold the outputs must not depend on the order of keys, nor on what is there.
        n_sets = sum(fold(name) in OUTPUT_SETS for name in columns)
        if n_sets != 1 or any(its.null_count for its in (*columns.values(), *flat.values())):
            raise NotPlainError
    rows = [flat]
    if nested:
        rows = [its for name in nested for its in _by_system(arrow, flat, columns[name])]
    first = {name: its[0].as_py() for name, its in {**columns, **flat}.items()}
    alone = [{name: column[0].as_py() for name, column in its.items()} for its in rows]
    if list(Expander().rows(first, 1)) != alone:
        raise NotPlainError
    return rows


def _by_system(
    arrow: ModuleType, flat: dict[str, Array], outputs: Array
) -> Iterator[dict[str, Array]]:
    for field, texts in zip(outputs.type, outputs.flatten(), strict=True):
        if texts.type != arrow.string() or texts.null_count:
            raise NotPlainError
        yield {**flat, "system": arrow.repeat(field.name, len(texts)), "output": texts}


def _as_texts(arrow: ModuleType, column: Array) -> Array:
    """Return a column as texts; what is not there is empty, and what is no text is not told."""
    if column.type in {arrow.string(), arrow.int64(), arrow.null()}:
        texts = column.cast(arrow.string())
        return texts.fill_null("") if texts.null_count else texts
    if arrow.types.is_nested(column.type):
        raise NotPlainError
    return arrow.nulls(len(column))
