"""Lists in JSON that stand side by side: the entries at one place belong together."""

from collections.abc import Iterator, Mapping

from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS, ITEM_NAMES, OUTPUT_SETS, SYSTEM_NAMES, names_of
from annotation.importing.findings import Finding, finding

Entries = list[object]
# What a list beside the outputs may say of the items, entry by entry.
ABOUT_ITEMS = (
    "source", "reference", "prior_reference", "fact", "language", "domain", "document", "batch",
)  # fmt: skip


def lists_about_items(record: Mapping[str, object]) -> dict[str, tuple[str, Entries]]:
    """Return, by field, the key and the entries of the lists that are about items.

    The field is ``item_id``, or another that an item has; names may stand in the plural.
    """
    found: dict[str, tuple[str, Entries]] = {}
    for key, entry in record.items():
        if isinstance(entry, list) and (name := _field_of(key)):
            found.setdefault(name, (key, entry))
    return found


def _field_of(key: str) -> str:
    folded = fold(key)
    names = {folded, folded.removesuffix("s")}
    if folded == "ids" or names & {*ITEM_NAMES}:
        return "item_id"
    fields = [name for name in ABOUT_ITEMS if names & {*names_of(name, "outputs")}]
    return fields[0] if fields else ""


def lists_by_name(lists: dict[str, Entries]) -> Iterator[tuple[int, object] | Finding]:
    """Read an object of lists: columns where their names are those of fields, else systems.

    Yields (number, record); an error for each list whose length is not that of most.
    """
    folded = {key: fold(key) for key in lists}
    names = {*SYSTEM_NAMES, *names_of("output", "outputs"), *FIELDS["ratings"]["value"]}
    if any(folded[key] in names for key in lists):
        yield from _columns(lists, lists)
        return
    about = lists_about_items(lists)
    keys = {key for key, _ in about.values()}
    systems = {key: entries for key, entries in lists.items() if key not in keys}
    if about and not systems:
        yield from _columns(lists, lists)
    elif len(systems) == 1 and is_set_of_outputs(fold(next(iter(systems)))):
        named = {name: entries for name, (_, entries) in about.items()}
        for entry in _columns({**named, "output": next(iter(systems.values()))}, lists):
            yield entry if isinstance(entry, Finding) else (entry[0], _numbered(*entry))
    elif about:
        columns = {name: entries for name, (_, entries) in about.items()}
        for entry in _columns({**columns, **systems}, lists):
            yield entry if isinstance(entry, Finding) else _with_outputs(entry, systems)
    else:
        for number, (system, outputs) in enumerate(lists.items(), start=1):
            yield number, {"system": system, "outputs": outputs}


def is_set_of_outputs(folded: str) -> bool:
    """Whether a list is called by what is in it, as ``predictions``, and not by a system."""
    return folded in OUTPUT_SETS or folded.removesuffix("s") in names_of("output", "outputs")


def _numbered(number: int, record: dict[str, object]) -> dict[str, object]:
    return {"item_id": str(number), **record}


def _with_outputs(
    entry: tuple[int, dict[str, object]], systems: dict[str, Entries]
) -> tuple[int, object]:
    number, record = entry
    about = {name: value for name, value in record.items() if name not in systems}
    outputs = {system: record[system] for system in systems}
    return number, {**_numbered(number, about), "outputs": outputs}


def _columns(
    columns: dict[str, Entries], lists: dict[str, Entries]
) -> Iterator[tuple[int, dict[str, object]] | Finding]:
    """Yield (number, record) for the entries at each place; nothing where lengths differ."""
    lengths = [len(entries) for entries in lists.values()]
    usual = max(sorted(set(lengths)), key=lengths.count)
    unequal = {key: len(entries) for key, entries in lists.items() if len(entries) != usual}
    for key, length in unequal.items():
        reason = f"{key} has {length} entries where the others have {usual}."
        yield finding("unequal_list_lengths", reason, line=1, value=key)
    if not unequal:
        for at in range(usual):
            yield at + 1, {name: entries[at] for name, entries in columns.items()}
