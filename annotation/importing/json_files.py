"""Files that are one JSON object: where in it the records are."""

from collections.abc import Iterator
from typing import TypeGuard

from annotation.importing.dialect import fold
from annotation.importing.fields import ITEM_NAMES, SYSTEM_NAMES, known_names
from annotation.importing.findings import Finding
from annotation.importing.json_lists import lists_by_name
from annotation.importing.values import is_number

Record = dict[str, object]
# Names of lists that hold all the records of a file, whatever else is told beside them.
HOLDERS = frozenset((
    "data", "records", "rows", "samples", "instances", "examples", "results", "request_states",
    "generated",
))  # fmt: skip


def whole_file(value: object) -> Iterator[tuple[int, object] | Finding]:
    """Yield the records of a file that is one JSON object."""
    if not isinstance(value, dict):
        yield 1, value
        return
    while inner := _only_held(value):
        value = inner
    lists = {key: entry for key, entry in value.items() if isinstance(entry, list)}
    columns = {key: entry for key, entry in value.items() if isinstance(entry, dict)}
    if isinstance(rows := value.get("rows"), list) and _are_numbered(rows):
        yield from ((number, entry["row"]) for number, entry in enumerate(rows, start=1))
    elif records := _records_in(value, lists):
        system = {} if any(map(_names_system, records[0])) else _system_in(value)
        yield from ((number, {**system, **record}) for number, record in enumerate(records, 1))
    elif _is_split(value):
        yield from enumerate([value["columns"], *value["data"]], start=1)
    elif len(lists) == len(value) > 0:
        yield from lists_by_name(lists)
    elif len(columns) == len(value) > 0:
        yield from _objects(columns)
    else:
        yield from _texts_by_item(value) if _are_texts_by_item(value) else [(1, value)]


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


def _only_held(value: Record) -> Record | None:
    """Return the object that stands alone in another under the name of a holder."""
    if len(value) == 1:
        ((key, inner),) = value.items()
        if isinstance(inner, dict) and fold(key) in HOLDERS | {"response", "result", "payload"}:
            return inner
    return None


def _records_in(value: Record, lists: dict[str, list[object]]) -> list[Record]:
    """Return the records of a file, if one of its lists holds them.

    A list beside the name of an item is about that item alone.
    """
    held = {key: records for key, entries in lists.items() if (records := _as_records(entries))}
    holders = [key for key in held if fold(key) in HOLDERS]
    if not holders and len(lists) == len(held) == 1 and not _names_item(value):
        holders = [*held]
    return held[holders[0]] if len(holders) == 1 else []


def _as_records(entries: list[object]) -> list[Record]:
    """Return the entries if all are records, else none."""
    records = [entry for entry in entries if isinstance(entry, dict)]
    return records if len(records) == len(entries) else []


def _names_item(value: Record) -> bool:
    return any(fold(key) in ITEM_NAMES for key in value)


def _names_system(key: str) -> bool:
    return fold(key) in SYSTEM_NAMES


def _system_in(value: Record) -> Record:
    """Return the system that a file names once, beside all its records."""
    return {
        key: entry for key, entry in value.items() if _names_system(key) and isinstance(entry, str)
    }


def _texts_by_item(value: Record) -> Iterator[tuple[int, object]]:
    for number, (item, text) in enumerate(value.items(), start=1):
        yield number, {"item_id": item, "output": text}


def _are_texts_by_item(value: Record) -> bool:
    """Whether an object holds a text for each item, as the predictions of one system."""
    known = known_names()
    texts = [text for text in value.values() if text is not None]
    return (
        len(value) > 1
        and all(isinstance(text, str) for text in texts)
        and not all(is_number(str(text)) for text in texts)
        and not any(fold(key) in known for key in value)
    )
