"""From the cells of a record to the fields of a mapping."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from annotation.importing.fields import MEASURES, REPEATED
from annotation.importing.mapping import Mapping
from annotation.importing.values import texts


@dataclass(frozen=True, slots=True)
class Measure:
    """One column that holds outputs, ratings or scores, and what it is bound to."""

    index: int
    name: str
    bound: dict[str, str]


@dataclass(slots=True)
class Picker:
    """A mapping made ready for reading many records."""

    mapping: Mapping
    decimal_comma: bool = False
    constants: dict[str, str] = field(init=False)
    single: dict[str, int] = field(init=False)
    repeated: dict[str, list[int]] = field(init=False)
    measures: list[Measure] = field(init=False)
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        columns = [column for column in self.mapping.columns if column.field]
        measure = MEASURES[self.mapping.kind]
        self.constants = dict(self.mapping.constants)
        self.single = {
            column.field: column.index
            for column in reversed(columns)
            if column.field not in REPEATED and column.field != measure
        }
        self.repeated = {
            name: [column.index for column in columns if column.field == name] for name in REPEATED
        }
        self.measures = [
            Measure(column.index, column.name, dict(column.bound))
            for column in columns
            if column.field == measure
        ]
        self.names = {column.field: column.name for column in reversed(columns)}

    def one(self, cells: Sequence[object], name: str) -> str:
        """Return the text of a field that takes one value; empty where nothing feeds it."""
        index = self.single.get(name)
        if index is None:
            return self.constants.get(name, "")
        return as_text(cells[index]) or self.constants.get(name, "")

    def many(self, cells: Sequence[object], name: str) -> tuple[str, ...]:
        """Return the texts of a field that takes several: from several columns, or a list."""
        indexes = self.repeated[name]
        if len(indexes) == 1:
            return texts(cells[indexes[0]])
        return tuple(text for index in indexes for text in texts(cells[index]))

    def item_id(self, cells: Sequence[object]) -> str:
        """Return the identifier of the item; without a column for it, one made of its source."""
        if "item_id" in self.single:
            return as_text(cells[self.single["item_id"]])
        source = self.many(cells, "source")
        return item_id_of(source) if any(text.strip() for text in source) else ""

    def name_of(self, name: str) -> str:
        """Return the column that feeds a field, for messages."""
        return self.names.get(name, name)

    def bound_items(self) -> Iterator[tuple[str, str]]:
        """Yield every (field, value) that a wide column is bound to."""
        for measure in self.measures:
            yield from measure.bound.items()


def as_text(cell: object) -> str:
    """Return a cell as text; nothing for a missing one, a line for each text of a list."""
    if isinstance(cell, str):
        return cell
    if cell is None:
        return ""
    if isinstance(cell, list | dict):
        are_texts = isinstance(cell, list) and all(isinstance(entry, str) for entry in cell)
        return "\n".join(cell) if are_texts else json.dumps(cell, ensure_ascii=False)
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


def item_id_of(source: Sequence[str]) -> str:
    """Return the identifier of an item that is known by its source text only."""
    text = "\n".join(source).strip().replace("\r\n", "\n")
    return "text-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
