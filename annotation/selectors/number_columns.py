"""Columns of numbers straight out of the database, for reads of a million rows."""

from datetime import datetime
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from django.db.models import QuerySet

Floats = npt.NDArray[np.float64]
_CHUNK = 50_000


def number_columns(rows: "QuerySet[Any]", *names: str) -> list[Floats]:
    """Return columns of a queryset as arrays of doubles, one a name.

    Keys are whole up to 2**53; null is NaN; a moment is in seconds since 1970. Nothing is held of
    a row but its numbers.
    """
    cells = rows.order_by().values_list(*names).iterator(chunk_size=_CHUNK)
    parts: list[list[Floats]] = [[] for _ in names]
    while chunk := list(islice(cells, _CHUNK)):
        for part, column in zip(parts, zip(*chunk, strict=True), strict=True):
            part.append(_numbers(column))
    return [np.concatenate(part) if part else np.empty(0) for part in parts]


def _numbers(column: tuple[Any, ...]) -> Floats:
    known = next((cell for cell in column if cell is not None), None)
    if isinstance(known, datetime):
        column = tuple(np.nan if cell is None else cell.timestamp() for cell in column)
    return np.array(column, dtype=np.float64)
