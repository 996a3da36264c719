"""What a study asks, and of which systems: read with every output, changed hardly ever."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from annotation.models import Dimension, System
from annotation.selectors.judging import asked_dimensions

# A new version of a dimension reaches the judges of each process within this time.
FRESH_SECONDS = 2.0
T = TypeVar("T")


class Lately(Generic[T]):
    """Rows of a study, at most two seconds old. They are shared: change none of them."""

    def __init__(self, read: Callable[[int], list[T]]) -> None:
        self._read = read
        self._known: dict[int, tuple[float, list[T]]] = {}

    def __call__(self, study_id: int) -> list[T]:
        """Return the rows of the study with that key."""
        now = time.monotonic()
        read_at, rows = self._known.get(study_id, (-FRESH_SECONDS, []))
        if now - read_at >= FRESH_SECONDS:
            rows = self._read(study_id)
            self._known[study_id] = (now, rows)
        return rows

    def forget(self, study_id: int) -> None:
        """Read the rows of one study anew next time."""
        self._known.pop(study_id, None)

    def forget_all(self) -> None:
        """Read those of every study anew next time."""
        self._known.clear()


def _systems(study_id: int) -> list[int]:
    return list(System.objects.filter(study=study_id).values_list("pk", flat=True))


# The current dimensions with their scales and points; the keys of the systems.
asked_lately: Lately[Dimension] = Lately(lambda study_id: list(asked_dimensions(study_id)))
systems_lately: Lately[int] = Lately(_systems)


def forget_asked() -> None:
    """Read all anew next time: for tests, whose studies share their ids."""
    asked_lately.forget_all()
    systems_lately.forget_all()
