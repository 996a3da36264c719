"""How records stand in JSON: one a row, outputs in an object, one list a system."""

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from annotation.importing.compared_records import compared_rows
from annotation.importing.dialect import fold
from annotation.importing.fields import ITEM_NAMES, SYSTEM_NAMES, known_names
from annotation.importing.findings import Finding, finding
from annotation.importing.tools import of_other_tool

Record = dict[str, object]
NESTED = frozenset((dict, list))
OUTPUT_SETS = frozenset((
    "outputs", "predictions", "model_outputs", "system_outputs", "generations", "summaries",
    "hypotheses", "candidates", "responses", "completions", "translations", "models", "systems",
    "model_summaries",
))  # fmt: skip
TEXT_NAMES = frozenset((
    "output", "text", "summary", "prediction", "hypothesis", "response", "decoded",
))  # fmt: skip
# Objects of values by dimension; the names in them are the columns.
RATING_SETS = frozenset(("ratings", "scores", "judgments", "judgements", "human_scores"))
ID_LISTS = frozenset(["ids", *(f"{name}s" for name in ITEM_NAMES)])


class Expander:
    """Turn each JSON record into the rows it stands for, and remember what spans records."""

    def __init__(self) -> None:
        self.shape = ""
        self._lengths: list[tuple[int, str, int]] = []  # line, system, number of outputs

    def rows(self, value: object, line: int) -> Iterator[Record | Finding]:
        """Yield the flat rows of one record."""
        if not isinstance(value, dict):
            reason = f"The record is a {_name(value)}, not an object with named values."
            yield finding("bad_shape", reason, line=line, value=value)
        elif not any(map(NESTED.__contains__, map(type, value.values()))):
            self._is("records")
            yield value
        elif found := of_other_tool(value):
            shape, rows = found
            self._is(shape)
            yield from rows
        elif compared := compared_rows(value):
            self._is("comparisons")
            yield from compared
        else:
            yield from self._nested(value, line)

    def _nested(self, value: Record, line: int) -> Iterator[Record | Finding]:
        """Yield the rows of a record with lists or objects in it."""
        key = next((key for key in value if fold(key) in OUTPUT_SETS), None)
        base = {name: entry for name, entry in value.items() if name != key}
        inner = value.get(key) if key is not None else None
        if isinstance(inner, dict):
            self._is("item_outputs")
            yield from self._of_item(base, inner, line)
        elif isinstance(inner, list) and _all_records(inner):
            self._is("item_outputs")
            yield from ({**_flat(base), **_named_output(entry)} for entry in inner)
        elif isinstance(inner, list) and (system := _system_of(base)):
            self._is("system_lists")
            yield from self._of_system(base, system, inner, line)
        else:
            self._is("records")
            yield _flat(value)

    def conclude(self) -> Iterator[Finding]:
        """Yield a finding for every list whose length is not that of most."""
        counts = Counter(length for _, _, length in self._lengths)
        if len(counts) < 2:
            return
        usual = counts.most_common(1)[0][0]
        for line, system, length in self._lengths:
            if length != usual:
                reason = f"{system} has {length} outputs where the others have {usual}."
                yield finding("unequal_list_lengths", reason, line=line, value=system)

    def _is(self, shape: str) -> None:
        self.shape = self.shape or shape

    def _of_item(self, base: Record, outputs: Record, line: int) -> Iterator[Record | Finding]:
        flat = _flat(base)
        for system, entry in outputs.items():
            if isinstance(entry, dict):
                yield {**flat, "system": system, **_named_output(entry)}
            elif isinstance(entry, list):
                reason = f"{system} has a list where one text is due."
                yield finding("bad_shape", reason, line=line, column=system, value=entry)
            else:
                yield {**flat, "system": system, "output": entry}

    def _of_system(
        self, base: Record, system: str, outputs: list[object], line: int
    ) -> Iterator[Record]:
        ids = next((base.pop(key) for key in list(base) if fold(key) in ID_LISTS), None)
        self._lengths.append((line, system, len(outputs)))
        named = ids if isinstance(ids, list) and len(ids) == len(outputs) else None
        for position, output in enumerate(outputs, start=1):
            item = named[position - 1] if named else str(position)
            yield {"item_id": item, "system": system, "output": output}


def whole_file(value: object) -> Iterator[tuple[int, object]]:
    """Yield the records of a file that is one JSON object."""
    if not isinstance(value, dict):
        yield 1, value
        return
    lists = {key: entry for key, entry in value.items() if isinstance(entry, list)}
    columns = {key: entry for key, entry in value.items() if isinstance(entry, dict)}
    if len(lists) == 1 and (records := next(iter(lists.values()))) and _all_records(records):
        yield from ((number, record) for number, record in enumerate(records, start=1))
    elif _is_split(value):
        yield from enumerate([value["columns"], *value["data"]], start=1)
    elif len(lists) == len(value) > 0:
        yield from _lists(lists)
    elif len(columns) == len(value) > 0:
        yield from _objects(columns)
    else:
        yield 1, value


def _is_split(value: Record) -> TypeGuard[dict[str, list[object]]]:
    """Whether an object is a table as pandas writes it with ``orient="split"``."""
    return {"columns", "data"} <= value.keys() <= {"columns", "data", "index"} and all(
        isinstance(entry, list) for entry in value.values()
    )


def _objects(columns: dict[str, Record]) -> Iterator[tuple[int, object]]:
    """Read an object of objects: columns of pandas, texts of systems by item, or items."""
    first = next(iter(columns.values()))
    if _is_pandas(columns):
        for number, index in enumerate(first, start=1):
            yield number, {key: column.get(index) for key, column in columns.items()}
    elif _is_by_system(columns):
        for number, (system, texts) in enumerate(columns.items(), start=1):
            for item, text in texts.items():
                yield number, {"item_id": item, "system": system, "output": text}
    else:
        yield from (
            (number, {"item_id": key, **record})
            for number, (key, record) in enumerate(columns.items(), start=1)
        )


def _is_by_system(columns: dict[str, Record]) -> bool:
    """Whether systems hold their texts by item: fewer names outside than inside, all of texts."""
    names = {name for record in columns.values() for name in record}
    known = known_names()
    return (
        len(columns) < len(names)
        and all(isinstance(text, str) for record in columns.values() for text in record.values())
        and not any(fold(name) in known for name in names)
    )


def _lists(lists: dict[str, list[object]]) -> Iterator[tuple[int, object]]:
    """Read an object of lists as columns where the names are those of fields, else as systems."""
    if any(fold(key) in (*ITEM_NAMES, *SYSTEM_NAMES) for key in lists):
        n_rows = max(map(len, lists.values()))
        for number in range(n_rows):
            yield (
                number + 1,
                {
                    key: entry[number] if number < len(entry) else None
                    for key, entry in lists.items()
                },
            )
        return
    for number, (system, outputs) in enumerate(lists.items(), start=1):
        yield number, {"system": system, "outputs": outputs}


def _is_pandas(columns: dict[str, Record]) -> bool:
    """Whether all columns have the same row numbers as keys, as pandas writes them."""
    keys = [list(column) for column in columns.values()]
    return all(key.isdecimal() for key in keys[0]) and all(other == keys[0] for other in keys)


def _flat(record: Record) -> Record:
    """Return a record with inner objects opened: ``{"a": {"b": 1}}`` has the column ``a.b``."""
    flat: Record = {}
    for key, entry in record.items():
        if isinstance(entry, dict) and fold(key) in RATING_SETS and entry.keys().isdisjoint(record):
            flat |= entry
        elif isinstance(entry, dict):
            flat |= {f"{key}.{inner}": value for inner, value in entry.items()}
        else:
            flat[key] = entry
    return flat


def _named_output(entry: object) -> Record:
    """Return an output record with its text under ``output`` and its system under ``system``."""
    if not isinstance(entry, dict):
        return {"output": entry}
    named: Record = {}
    for key, value in entry.items():
        folded = fold(key)
        if folded in TEXT_NAMES:
            named["output"] = value
        elif folded in (*SYSTEM_NAMES, "name"):
            named["system"] = value
        else:
            named[key] = value
    return named


def _all_records(entries: list[object]) -> bool:
    return bool(entries) and all(isinstance(entry, dict) for entry in entries)


def _system_of(base: Record) -> str:
    for key, value in base.items():
        if fold(key) in (*SYSTEM_NAMES, "name") and isinstance(value, str):
            return value
    return ""


def _name(value: object) -> str:
    names = {list: "list", str: "text", bool: "truth value", type(None): "null"}
    return names.get(type(value), "value")
