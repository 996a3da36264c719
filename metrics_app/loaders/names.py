"""Columns of names: the rows of an evaluation tell by codes whom and what they are about."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from metrics_app.stats.table_checks import Coded

Ints = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]
_LARGEST = 2**62


@dataclass(frozen=True, eq=False)
class Names:
    """A column of names: for each row the position of its name among the keys."""

    codes: Ints
    keys: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[str], keys: Sequence[str] = ()) -> "Names":
        """Return the column; keys come first in the given order, others as they are met."""
        position = {key: i for i, key in enumerate(keys)}
        codes = [position.setdefault(value, len(position)) for value in values]
        return cls(np.array(codes, dtype=np.int64), tuple(position))

    def used(self) -> "Names":
        """Return the column without the keys that no row bears; their order stays."""
        there = np.zeros(len(self.keys), dtype=np.bool_)
        there[self.codes] = True
        position = np.cumsum(there) - 1
        keys = tuple(key for key, is_there in zip(self.keys, there, strict=True) if is_there)
        return Names(np.asarray(position[self.codes], dtype=np.int64), keys)

    def by_name(self) -> "Names":
        """Return the column with its keys in the order of their names.

        What is drawn at random rests on it, so that the order of rows changes no number.
        """
        order = sorted(range(len(self.keys)), key=self.keys.__getitem__)
        position = np.empty(len(order), dtype=np.int64)
        position[order] = np.arange(len(order))
        keys = tuple(self.keys[place] for place in order)
        return Names(np.asarray(position[self.codes], dtype=np.int64), keys)

    def is_in(self, keys: Collection[str]) -> Truths:
        """Return for each row whether its name is one of the keys."""
        wanted = np.array([key in keys for key in self.keys], dtype=np.bool_)
        return np.asarray(wanted[self.codes], dtype=np.bool_)

    def names(self) -> list[str]:
        """Return the name of each row."""
        return [self.keys[code] for code in self.codes.tolist()]

    def coded(self) -> Coded:
        """Return the column as the statistics take it."""
        return Coded(self.codes, self.keys)

    def part(self, rows: Truths | Ints) -> "Names":
        """Return the column of some rows; all keys stay."""
        return replace(self, codes=self.codes[rows])


def joint(*columns: Names) -> Ints:
    """Return one number a row that is equal where all the names are, in the order of the names."""
    joint = np.zeros(columns[0].codes.size, dtype=np.int64)
    for column in columns:
        joint = joint * max(len(column.keys), 1) + column.codes
    return joint


def order_of(columns: Sequence[Names], *last: npt.NDArray[np.float64]) -> Ints:
    """Return the places of the rows, sorted by the columns, then by numbers."""
    if math.prod(max(len(column.keys), 1) for column in columns) < _LARGEST:
        # One number a row sorts much faster than seven.
        return np.lexsort([*last, joint(*columns)])
    return np.lexsort([*last, *(column.codes for column in reversed(columns))])
