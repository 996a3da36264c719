"""Which keys were seen before, at 24 bytes a key."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from annotation.importing.findings import Line

Ints = npt.NDArray[np.int64]
# Runs as long as this are merged no further: a merge needs the room of its run twice over.
LONGEST_MERGED = 1 << 19
# Above the number of a line stands that of its file or sheet, where there are several.
PLACE = 40
SPREAD = np.int64(-7046029254386353131)  # odd and without a pattern: the golden ratio times 2^64


class Seen(NamedTuple):
    """Entry ``at`` of the keys just added has come before."""

    at: int
    first_line: int
    first_value: int


class KeyLog:
    """Remember 64-bit hashes of keys, each with the line and a value of its first appearance.

    Keys arrive in batches and are kept in sorted runs, merged as they grow, so that three
    million ratings cost 72 MB. Two different keys among n share a hash with a probability
    below n^2 / 2^65: less than one in a million for three million ratings.
    """

    def __init__(self) -> None:
        self._runs: list[Ints] = []  # each of shape (3, n): keys, lines, values; by key
        self._places = {"": 0}

    def add(
        self,
        keys: Sequence[int] | Ints,
        lines: Sequence[int] | Ints,
        values: Sequence[int] | None = None,
        *,
        only_others: bool = False,
    ) -> list[Seen]:
        """Remember a batch of keys and return those that have come before, in order.

        With ``only_others`` those are left out that come with the value of their first appearance.
        """
        if not len(keys):
            return []
        batch = np.zeros((3, len(keys)), dtype=np.int64)
        for row, numbers in zip(batch, (keys, self._coded(lines), values), strict=True):
            if numbers is not None:
                row[:] = numbers
        unique, first, inverse = np.unique(batch[0], return_index=True, return_inverse=True)
        origin = np.stack([batch[1][first], batch[2][first]])
        known = self._look_up(unique, origin)
        repeated = known[inverse] | (first[inverse] != np.arange(len(keys)))
        if only_others:
            repeated &= origin[1, inverse] != batch[2]
        self._store(np.stack([unique, *origin])[:, ~known])
        return [
            Seen(int(index), self._line(origin[0, inverse[index]]), int(origin[1, inverse[index]]))
            for index in np.flatnonzero(repeated)
        ]

    def _coded(self, lines: Sequence[int] | Ints) -> Sequence[int] | Ints:
        if isinstance(lines, np.ndarray) or not any(isinstance(line, Line) for line in lines):
            return lines
        places = [line.place if isinstance(line, Line) else "" for line in lines]
        numbers = [self._places.setdefault(place, len(self._places)) for place in places]
        return [line + (number << PLACE) for line, number in zip(lines, numbers, strict=True)]

    def _line(self, coded: np.int64) -> int:
        place, line = divmod(int(coded), 1 << PLACE)
        return Line(line, list(self._places)[place]) if place else line

    def _look_up(self, unique: Ints, origin: Ints) -> npt.NDArray[np.bool_]:
        """Mark the keys that older batches hold, and fill in where those were."""
        known = np.zeros(unique.size, dtype=bool)
        for run in self._runs:
            at = np.minimum(np.searchsorted(run[0], unique), run.shape[1] - 1)
            here = run[0][at] == unique
            origin[:, here] = run[1:, at[here]]
            known |= here
        return known

    def _store(self, run: Ints) -> None:
        if not run.shape[1]:
            return
        while self._runs and self._runs[-1].shape[1] <= min(2 * run.shape[1], LONGEST_MERGED):
            run = np.concatenate([self._runs.pop(), run], axis=1)
            order = np.argsort(run[0], kind="stable")
            for row in run:  # row by row, so that only one of the three is held twice
                row[:] = row[order]
        self._runs.append(run)


class DistinctKeys:
    """Whether 64-bit keys were all different, at 8 bytes a key: told once, at the end."""

    def __init__(self) -> None:
        self._batches: list[Ints] = []

    def add(self, keys: Ints) -> None:
        """Remember a batch of keys."""
        self._batches.append(keys)

    def are_distinct(self) -> bool:
        """Return whether no key came twice; the keys are forgotten."""
        keys = np.concatenate([np.empty(0, np.int64), *self._batches])
        self._batches.clear()
        keys.sort()
        return not (keys[1:] == keys[:-1]).any()


class OneValueEach:
    """Whether each 64-bit key came with one value throughout: told once, at the end."""

    def __init__(self) -> None:
        self._batches: list[Ints] = []  # each of shape (2, n): keys, pairs

    def add(self, keys: Ints, values: Ints) -> None:
        """Remember a batch of keys with their values."""
        self._batches.append(np.stack([keys, paired(keys, values)]))

    def holds(self) -> bool:
        """Return whether no key came with two values; all are forgotten."""
        together = np.concatenate([np.empty((2, 0), np.int64), *self._batches], axis=1)
        self._batches.clear()
        keys, pairs = map(np.unique, together)
        return bool(keys.size == pairs.size)


def paired(keys: Ints, values: npt.NDArray[np.integer]) -> Ints:
    """Return one hash for each pair of two."""
    return keys * SPREAD + values  # an overflow wraps around
