"""What names a system where judges can read it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from annotation.models import Dimension, Study

# A system's name of one or two letters stands in any text by chance.
SHORTEST_TELLING_NAME = 3
MOST_OUTPUTS = 100


@dataclass(frozen=True, slots=True)
class Deviation:
    """One thing that is not as the design has it."""

    kind: str
    where: str
    sentence: str


def tell_tales(study: Study, dimensions: list[Dimension]) -> Iterator[Deviation]:
    """Yield texts shown to judges that name a system."""
    names = [
        key
        for key in study.systems.values_list("key", flat=True)
        if len(key) >= SHORTEST_TELLING_NAME
    ]
    shown = [("title", study.title), ("source title", study.source_title)]
    shown += [
        (name, getattr(phase, name))
        for phase in study.phases.all()
        for name in ("instructions", "suggestions")
    ]
    shown += [
        (dimension.name, f"{dimension.name} {dimension.question} {dimension.definition}")
        for dimension in dimensions
    ]
    for where, text in shown:
        for name in names:
            if is_named(name, text):
                yield Deviation("blindness", where, f"It names the system {name}.")
    for name in names:
        for item in islice(_items_named(study, name), MOST_OUTPUTS):
            yield Deviation("blindness", item, f"An output names its own system, {name}.")


def _items_named(study: Study, name: str) -> Iterator[str]:
    """Yield the keys of items in which the output of a system names it."""
    likely = study.units.filter(system__key=name, output_version__text__icontains=name)
    texts = likely.values_list("item__key", "output_version__text")
    return (item for item, text in texts.iterator() if is_named(name, str(text)))


def is_named(name: str, text: str) -> bool:
    """Return whether a text has a name in it that is no part of a longer word or number.

    "Lead" is named in "lead-7" and "Lead2", and not in "mislead". Scripts without capitals join
    words, or write them side by side: there every occurrence counts.
    """
    name, text = name.casefold(), text.casefold()
    start = text.find(name)
    while start >= 0:
        end = start + len(name)
        before, after = text[start - 1 : start], text[end : end + 1]
        if not _joined(before, name[0]) and not _joined(name[-1], after):
            return True
        start = text.find(name, start + 1)
    return False


def _joined(left: str, right: str) -> bool:
    """Whether two characters side by side are of one word, or of one number."""
    return all(map(_has_case, (left, right))) or (left.isdigit() and right.isdigit())


def _has_case(letter: str) -> bool:
    return letter.lower() != letter.upper()
