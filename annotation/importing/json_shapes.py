"""How records stand in JSON: one a row, outputs in an object, one list a system."""

from collections import Counter
from collections.abc import Iterator

from annotation.importing.compared_records import compared_rows
from annotation.importing.dialect import fold
from annotation.importing.fields import (
    ITEM_NAMES,
    OUTPUT_NAMES,
    OUTPUT_SETS,
    SYSTEM_NAMES,
    known_names,
)
from annotation.importing.findings import Finding, finding
from annotation.importing.json_lists import lists_about_items
from annotation.importing.tools import of_other_tool

Record = dict[str, object]
NESTED = frozenset((dict, list))
TEXT_NAMES = frozenset((
    "output", "text", "summary", "prediction", "hypothesis", "response", "decoded", "content",
    "generated_text", "completion", "translation", "generation",
))  # fmt: skip
# Lists of names beside a list of outputs, each for the output at its place.
SYSTEM_LISTS = frozenset(("systems", "models", *(f"{name}s" for name in SYSTEM_NAMES)))
OUTPUTS = frozenset(OUTPUT_NAMES)
REFERENCE_SETS = frozenset(("reference", "references", "ref", "refs"))
# Objects of values by dimension; the names in them are the columns.
RATING_SETS = frozenset((
    "ratings", "scores", "judgments", "judgements", "human_scores", "human_ratings", "annotations",
    "human_annotations", "axes", "stats", "metrics",
))  # fmt: skip


class Expander:
    """Turn each JSON record into the rows it stands for, and remember what spans records."""

    def __init__(self) -> None:
        self.shape = ""
        self._forms: dict[str, str] = {}  # whether a column holds texts or lists
        self._last_plain: Record = {}  # before any record with a list in it
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
        elif self._forms:
            yield from self._of_one_form(value, line)
        else:
            self._last_plain = value
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
            yield from ({**opened(base), **_named_output(entry)} for entry in inner)
        elif isinstance(inner, list) and not _names_item(base) and (system := _system_of(base)):
            self._is("system_lists")
            yield from self._of_system(base, system, inner, line)
        elif isinstance(inner, list) and (names := _names_of_systems(base)):
            self._is("item_outputs")
            yield from self._side_by_side(base, names, inner, line)
        else:
            self._is("records")
            yield from self._of_one_form(opened(value), line)

    def _of_one_form(self, row: Record, line: int) -> Iterator[Record | Finding]:
        """Yield a flat record, unless an output is a list here and was a text, or the reverse."""
        for key, entry in row.items():
            if entry is None or fold(key) not in OUTPUTS:
                continue
            form = "list" if isinstance(entry, list) else "text"
            before = "text" if isinstance(self._last_plain.get(key), str) else form
            if (before := self._forms.setdefault(key, before)) != form:
                reason = f"A {form} stands here where the records before have a {before}."
                yield finding("bad_shape", reason, line=line, column=key, value=entry)
                return
        yield row

    def conclude(self) -> Iterator[Finding]:
        """Yield a finding for every list whose length is not that of most."""
        counts = Counter(length for _, _, length in self._lengths)
        if len(counts) < 2:
            return
        usual = max(counts, key=lambda length: (counts[length], length))
        for line, system, length in self._lengths:
            if length != usual:
                reason = f"{system} has {length} outputs where the others have {usual}."
                yield finding("unequal_list_lengths", reason, line=line, value=system)

    def _is(self, shape: str) -> None:
        self.shape = self.shape or shape

    def _of_item(self, base: Record, outputs: Record, line: int) -> Iterator[Record | Finding]:
        flat = opened(base)
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
        flat = opened(base)
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


def opened(record: Record, outer: str = "") -> Record:
    """Return a record with inner objects opened: ``{"a": {"b": 1}}`` has the column ``a.b``.

    Objects of values by dimension give their columns the names inside.
    """
    flat: Record = {}
    for key, entry in record.items():
        if not isinstance(entry, dict) or not entry:
            flat[outer + key] = entry
            continue
        if fold(key) in REFERENCE_SETS and all(isinstance(text, str) for text in entry.values()):
            flat[outer + key] = list(entry.values())
            continue
        is_open = fold(key) in RATING_SETS and entry.keys().isdisjoint({*record, *flat})
        flat |= opened(entry, "" if is_open else f"{outer}{key}.")
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
    sets = [key for key, entry in value.items() if _holds_outputs(fold(key), entry)]
    if len(sets) > 1 and (held := [key for key in sets if fold(key) not in SYSTEM_LISTS]):
        sets = held
    singles = [key for key in value if fold(key) in OUTPUT_NAMES and isinstance(value[key], list)]
    return next(iter(sets or (singles if _system_of(value) else [])), None)


def _holds_outputs(folded: str, entry: object) -> bool:
    """Whether a value is a set of outputs: by its name, or by what it holds where that is short."""
    if folded == "tgt":
        return isinstance(entry, dict)
    if folded == "items":
        return isinstance(entry, list) and _all_records(entry)
    return folded in OUTPUT_SETS


def _names_item(base: Record) -> bool:
    return any(fold(key) in ITEM_NAMES and not isinstance(base[key], list) for key in base)


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
