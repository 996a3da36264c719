"""How records stand in JSON: one a row, outputs in an object, one list a system."""

from collections import Counter
from collections.abc import Iterator
from typing import TypeGuard

from annotation.importing.compared_records import compared_rows
from annotation.importing.dialect import fold
from annotation.importing.fields import ITEM_NAMES, OUTPUT_NAMES, SYSTEM_NAMES, known_names
from annotation.importing.findings import Finding, finding
from annotation.importing.json_lists import lists_about_items, lists_by_name
from annotation.importing.tools import of_other_tool

Record = dict[str, object]
NESTED = frozenset((dict, list))
OUTPUT_SETS = frozenset((
    "outputs", "predictions", "model_outputs", "system_outputs", "generations", "summaries",
    "hypotheses", "candidates", "responses", "completions", "translations", "models", "systems",
    "model_summaries", "hyps", "texts", "answers", "decoded_outputs", "generated_texts",
))  # fmt: skip
TEXT_NAMES = frozenset((
    "output", "text", "summary", "prediction", "hypothesis", "response", "decoded",
))  # fmt: skip
# Lists of names beside a list of outputs, each for the output at its place.
SYSTEM_LISTS = frozenset(("systems", "models", *(f"{name}s" for name in SYSTEM_NAMES)))
# Objects of values by dimension; the names in them are the columns.
RATING_SETS = frozenset(("ratings", "scores", "judgments", "judgements", "human_scores"))


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
            yield from self._plain(value, line)
        elif found := of_other_tool(value):
            shape, rows = found
            self._is(shape)
            yield from rows
        elif compared := compared_rows(value):
            self._is("comparisons")
            yield from compared
        else:
            yield from self._nested(value, line)

    def _plain(self, value: Record, line: int) -> Iterator[Record | Finding]:
        """Yield a record without lists or objects, unless all before it were lists of outputs."""
        self._is("records")
        if self.shape == "system_lists" and any(fold(key) in OUTPUT_SETS for key in value):
            reason = "One text stands here where the records before have a list of outputs."
            yield finding("bad_shape", reason, line=line, value=_system_of(value) or value)
        else:
            yield value

    def _nested(self, value: Record, line: int) -> Iterator[Record | Finding]:
        """Yield the rows of a record with lists or objects in it."""
        value = _of_one_system(value)
        key = _key_of_outputs(value)
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
        elif isinstance(inner, list) and (names := _names_of_systems(base)):
            self._is("item_outputs")
            yield from self._side_by_side(base, names, inner, line)
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
        # A record that names its system holds its outputs by item.
        has_item = any(fold(key) in ITEM_NAMES for key in base)
        name = "item_id" if _system_of(base) and not has_item else "system"
        for key, entry in outputs.items():
            if isinstance(entry, dict):
                yield {**flat, name: key, **_named_output(entry)}
            elif isinstance(entry, list):
                reason = f"{key} has a list where one text is due."
                yield finding("bad_shape", reason, line=line, column=key, value=entry)
            else:
                yield {**flat, name: key, "output": entry}

    def _side_by_side(
        self, base: Record, names: str, outputs: list[object], line: int
    ) -> Iterator[Record | Finding]:
        """Yield the outputs of one item, its systems named in a list of their own."""
        systems = base.pop(names)
        if not isinstance(systems, list) or len(systems) != len(outputs):
            n = len(systems) if isinstance(systems, list) else 1
            reason = f"{names} has {n} entries, the list of outputs {len(outputs)}."
            yield finding("unequal_list_lengths", reason, line=line, column=names)
            return
        flat = _flat(base)
        yield from (
            {**flat, "system": system, "output": output}
            for system, output in zip(systems, outputs, strict=True)
        )

    def _of_system(
        self, base: Record, system: str, outputs: list[object], line: int
    ) -> Iterator[Record | Finding]:
        """Yield the outputs of one system; lists beside them are about the items in their order."""
        beside = lists_about_items(base)
        self._lengths.append((line, system, len(outputs)))
        for name, (key, entries) in beside.items():
            if len(entries) != len(outputs):
                reason = f"{key} has {len(entries)} entries, but {system} {len(outputs)} outputs."
                yield finding("unequal_list_lengths", reason, line=line, column=key, value=system)
                if name == "item_id":  # whose outputs these are cannot be known
                    return
        about = {name: its for name, (_, its) in beside.items() if len(its) == len(outputs)}
        for at, output in enumerate(outputs):
            told = {name: entries[at] for name, entries in about.items()}
            yield {"item_id": str(at + 1), **told, "system": system, "output": output}


def whole_file(value: object) -> Iterator[tuple[int, object] | Finding]:
    """Yield the records of a file that is one JSON object."""
    if not isinstance(value, dict):
        yield 1, value
        return
    lists = {key: entry for key, entry in value.items() if isinstance(entry, list)}
    columns = {key: entry for key, entry in value.items() if isinstance(entry, dict)}
    if len(lists) == 1 and (records := next(iter(lists.values()))) and _all_records(records):
        yield from ((number, record) for number, record in enumerate(records, start=1))
    elif isinstance(rows := value.get("rows"), list) and _are_numbered(rows):
        yield from ((number, entry["row"]) for number, entry in enumerate(rows, start=1))
    elif _is_split(value):
        yield from enumerate([value["columns"], *value["data"]], start=1)
    elif len(lists) == len(value) > 0:
        yield from lists_by_name(lists)
    elif len(columns) == len(value) > 0:
        yield from _objects(columns)
    else:
        yield 1, value


def _are_numbered(rows: list[object]) -> TypeGuard[list[Record]]:
    """Whether records stand each in an object of their own, as the viewer of Hugging Face does."""
    return bool(rows) and all(
        isinstance(entry, dict) and isinstance(entry.get("row"), dict) for entry in rows
    )


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


def _of_one_system(value: Record) -> Record:
    """Return a record such as ``{"bart": ["one", "two"]}`` as one that names its system."""
    if len(value) == 1:
        ((name, entry),) = value.items()
        is_system = fold(name) not in known_names() | OUTPUT_SETS
        if is_system and isinstance(entry, list) and all(isinstance(e, str) for e in entry):
            return {"system": name, "outputs": entry}
    return value


def _key_of_outputs(value: Record) -> str | None:
    """Return the key of the outputs, among those of names in the singular too if it has a list."""
    sets = [key for key in value if fold(key) in OUTPUT_SETS]
    if len(sets) > 1 and (held := [key for key in sets if fold(key) not in SYSTEM_LISTS]):
        sets = held
    singles = [key for key in value if fold(key) in OUTPUT_NAMES and isinstance(value[key], list)]
    return next(iter(sets or (singles if _system_of(value) else [])), None)


def _names_of_systems(base: Record) -> str:
    return next((key for key in base if fold(key) in SYSTEM_LISTS), "")


def _system_of(base: Record) -> str:
    for key, value in base.items():
        if fold(key) in (*SYSTEM_NAMES, "name") and isinstance(value, str):
            return value
    return ""


def _name(value: object) -> str:
    names = {list: "list", str: "text", bool: "truth value", type(None): "null"}
    return names.get(type(value), "value")
