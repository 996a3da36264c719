"""What a study asks, as judges meet it: read with every rating, changed hardly ever."""

import time

from annotation.models import Dimension
from annotation.selectors.judging import asked_dimensions

# A new version of a dimension reaches the judges of each process within this time.
FRESH_SECONDS = 2.0

_read: dict[int, tuple[float, list[Dimension]]] = {}


def asked_lately(study_id: int) -> list[Dimension]:
    """Return the current dimensions with scales and points, at most two seconds old.

    The rows are shared: change none of them.
    """
    now = time.monotonic()
    read_at, dimensions = _read.get(study_id, (-FRESH_SECONDS, []))
    if now - read_at >= FRESH_SECONDS:
        dimensions = list(asked_dimensions(study_id))
        _read[study_id] = (now, dimensions)
    return dimensions


def forget_asked() -> None:
    """Read anew next time: for tests, whose studies share their ids."""
    _read.clear()
