"""What names a system where judges can read it."""

from collections.abc import Iterator
from dataclasses import dataclass

from annotation.models import Dimension, Study

# A system's name of one or two letters stands in any text by chance.
SHORTEST_TELLING_NAME = 3


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
            if name.casefold() in text.casefold():
                yield Deviation("blindness", where, f"It names the system {name}.")
    for name in names:
        telling = study.units.filter(
            system__key=name, output_version__text__icontains=name
        ).select_related("item")
        for unit in telling[:100]:
            yield Deviation("blindness", unit.item.key, f"An output names its own system, {name}.")
