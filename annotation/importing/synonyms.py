"""Which field a column feeds, by the names that the field has for it."""

from collections.abc import Sequence

from annotation.importing.dialect import fold
from annotation.importing.fields import (
    FIELDS,
    MADE_NAMES,
    OUTPUT_NAMES,
    REPEATED,
    SHEET,
    SYSTEM_NAMES,
    known_names,
    names_of,
)
from annotation.importing.rows import Kind

# What platforms put before the names of all their columns of a kind.
PLATFORMS = frozenset({"input", "answer", "output", "label"})

# Names beside which `text` is the source.
MADE = frozenset((*MADE_NAMES, "summary", "response", "translation", "claim"))
# What is numbered in a survey is a question to the judges.
ASKED = frozenset({"question", "query", "prompt", "input"})
OF_TASKS = frozenset({"hit_id", "hitid", "worker_id", "assignment_id", "task_id", "input_system"})


def fields_by_name(header: Sequence[str], kind: Kind) -> dict[int, str]:
    """Give every field the column whose name stands first in the field's list of names."""
    own = [fold(name) for name in header]
    folded = _last_parts(own, header)
    inner = {at for at, name in enumerate(own) if folded[at] != name}
    if OF_TASKS.isdisjoint(folded) and not any(name.startswith("answer_") for name in folded):
        folded = ["source" if name == "input_text" else name for name in folded]
    if kind == "outputs" and not MADE.isdisjoint(folded):  # beside a summary the text is its source
        folded = ["source_text" if name == "text" else name for name in folded]
    taken: dict[int, str] = {}
    for field_name in FIELDS[kind]:
        names = names_of(field_name, kind)
        found = [
            folded.index(name)
            for name in names
            if name in folded and folded.index(name) not in taken
        ]
        found.sort(key=inner.__contains__)  # a column's own name goes before one inside an object
        if found:
            taken[found[0]] = field_name
        if field_name == "item_id" and not found and list(header[:1]) == [SHEET]:
            taken[0] = field_name
        if field_name in REPEATED:
            _take_numbered(taken, folded, field_name, names)
    return taken


def _last_parts(folded: list[str], header: Sequence[str]) -> list[str]:
    """Put for a column from an inner object, such as ``meta.model``, the name that it has there.

    Not where that name stands elsewhere too, or the object's own name says what the column is.
    """
    known = known_names()
    lasts = [fold(name.rpartition(".")[2]) for name in header]
    objects = [fold(name.rpartition(".")[0]) for name in header]
    said = known | PLATFORMS
    return [
        last
        if name not in known
        and outer
        and lasts.count(last) == 1
        # An output's own object may name its system.
        and (outer not in said or (outer in OUTPUT_NAMES and last in SYSTEM_NAMES))
        else name
        for name, last, outer in zip(folded, lasts, objects, strict=True)
    ]


def _take_numbered(
    taken: dict[int, str], folded: list[str], field_name: str, names: tuple[str, ...]
) -> None:
    """Take columns such as ``reference_1`` or ``Input.original_review_7`` as well."""
    for index, name in enumerate(folded):
        stem = name.rstrip("0123456789").rstrip("_")
        numbered = stem != name and index not in taken and stem not in {*OUTPUT_NAMES, *ASKED}
        if numbered and (stem in names or stem.endswith(("_review", "_source", "_reference"))):
            taken[index] = field_name
