"""TER as Tercom and sacrebleu compute it: the same edits on every pair, many shifts tried at once.

Snover et al. 2006. Phrases of the output are shifted, each time the one that saves most edits,
until none saves any; every shift costs one edit, and what is left is the edit distance. Which
shifts are tried, in what order they win, and that the distance looks only near the diagonal is
Tercom's choice, taken over from sacrebleu's `lib_ter`. There each shift's distance is computed by
itself, cell by cell; here all shifts of one round advance together, one output word a step.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]

LONGEST_SHIFT, FARTHEST_SHIFT, BEAM, MOST_SHIFTS = 10, 50, 25, 1_000
# Cells of tables that are filled side by side: 16 MB.
CELLS_AT_ONCE = 4_000_000
_FAR = 1_000_000


class _Shift(NamedTuple):
    """Words ``start`` to ``start + length`` of the output go before place ``target``."""

    start: int
    length: int
    target: int

    def of(self, words: Sequence[int]) -> list[int]:
        start, end, target = self.start, self.start + self.length, self.target
        moved = list(words[start:end])
        if target < start:
            return [*words[:target], *moved, *words[target:start], *words[end:]]
        if target <= end:  # within itself: as far behind as it goes into itself
            target += self.length
        return [*words[:start], *words[end:target], *moved, *words[target:]]


@dataclass(frozen=True, slots=True)
class _Alignment:
    """Where each reference word stands in the output, and which words of both are wrong."""

    at: dict[int, int]
    wrong_output: list[bool]
    wrong_reference: list[bool]


def edits(output: Sequence[str], reference: Sequence[str]) -> int:
    """Return how many shifts and edits turn the output into the reference.

    Parameters
    ----------
    output, reference : sequence of str
        Words, as TER's tokenizer gives them.
    """
    if not reference or not output:
        return len(output) or len(reference)
    numbers: dict[str, int] = {}
    words, others = (
        [numbers.setdefault(word, len(numbers)) for word in text] for text in (output, reference)
    )
    distance = _Distance(others, len(words))
    (rows,) = distance.tables([words])
    n_shifts = n_tried = 0
    while True:
        shifts = list(_shifts(words, others, _aligned(rows, words, others), n_tried))
        n_tried += len(shifts)
        if n_tried >= MOST_SHIFTS or not shifts:
            break
        best, left = _best(distance, words, list(dict.fromkeys(shifts)))
        if left[-1, -1] >= rows[-1, -1]:
            break
        words, rows, n_shifts = best.of(words), left, n_shifts + 1
    return n_shifts + int(rows[-1, -1])


def _best(
    distance: "_Distance", words: Sequence[int], shifts: Sequence[_Shift]
) -> tuple[_Shift, Ints]:
    """Return the shift that leaves the fewest edits: then the longest, the earliest; its table."""

    def rank(tried: tuple[_Shift, Ints]) -> tuple[int, int, int, int]:
        shift, rows = tried
        return int(rows[-1, -1]), -shift.length, shift.start, shift.target

    tables = distance.tables([shift.of(words) for shift in shifts])
    best, rows = min(zip(shifts, tables, strict=True), key=rank)
    return best, rows.copy()


def _shifts(
    words: Sequence[int], others: Sequence[int], found: _Alignment, n_tried: int
) -> Iterator[_Shift]:
    """Yield the shifts that Tercom tries; the same one may come from two places."""
    for start, place, length in _alike(words, others):
        if not any(found.wrong_output[start : start + length]):
            continue
        if not any(found.wrong_reference[place : place + length]):
            continue
        if start <= found.at[place] < start + length:
            continue
        for target in _targets(found.at, place, length):
            n_tried += 1
            yield _Shift(start, length, target)
        if n_tried >= MOST_SHIFTS:
            return


def _targets(at: dict[int, int], place: int, length: int) -> Iterator[int]:
    last = -1
    for before in range(place - 1, place + length):
        if before == -1:
            target = 0
        elif before in at:
            target = at[before] + 1
        else:
            return
        if target != last:
            yield target
        last = target


def _alike(words: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Yield (start in the output, start in the reference, length) of equal runs of words."""
    places = defaultdict[int, list[int]](list)
    for place, word in enumerate(others):
        places[word].append(place)
    for start, word in enumerate(words):
        for place in places.get(word, ()):
            if abs(place - start) > FARTHEST_SHIFT:
                continue
            longest = min(LONGEST_SHIFT, len(words) - start, len(others) - place)
            for length in range(1, longest + 1):
                if words[start + length - 1] != others[place + length - 1]:
                    break
                yield start, place, length


def _aligned(rows: Ints, words: Sequence[int], others: Sequence[int]) -> _Alignment:
    """Follow the edits back: a match or a change is preferred, then a word too many."""
    at: dict[int, int] = {}
    wrong_output, wrong_reference = [True] * len(words), [True] * len(others)
    table = rows.tolist()
    i, j = len(words), len(others)
    while j:
        if i == 0:
            at[j - 1] = -1
            j -= 1
            continue
        is_equal = words[i - 1] == others[j - 1]
        if table[i][j] == table[i - 1][j - 1] + (not is_equal):
            i, j = i - 1, j - 1
            at[j] = i
            wrong_output[i] = wrong_reference[j] = not is_equal
        elif table[i][j] == table[i - 1][j] + 1:
            i -= 1
        else:
            j -= 1
            at[j] = i - 1
    return _Alignment(at, wrong_output, wrong_reference)


class _Distance:
    """Tables of edit distances of outputs of one length to one reference, near the diagonal.

    All texts of a group advance together, one output word a step; a table is a slice of theirs.
    """

    def __init__(self, reference: Sequence[int], n_words: int) -> None:
        self._n_reference, self._n_words = len(reference), n_words
        # A word before the first stands for nothing, and is never reached.
        self._reference = np.array([-1, *reference], dtype=np.int32)[:, None]
        self._place = np.arange(self._n_reference + 1, dtype=np.int32)[:, None]
        self._at_once = max(1, CELLS_AT_ONCE // ((n_words + 1) * (self._n_reference + 2)))

    def tables(self, texts: Sequence[Sequence[int]]) -> Iterator[Ints]:
        """Yield each text's table: its words and the reference's, each with a row for none."""
        for first in range(0, len(texts), self._at_once):
            group = np.array(texts[first : first + self._at_once], dtype=np.int32).T
            together = self._together(group)
            for place in range(group.shape[1]):
                yield together[:, 1:, place]

    def _together(self, words: Ints) -> Ints:
        shape = (self._n_words + 1, self._n_reference + 2, words.shape[1])
        table = np.full(shape, _FAR, dtype=np.int32)
        table[0, 1:] = self._place
        for step, word in enumerate(words, start=1):
            low, high = self._near(step)
            above = table[step - 1]
            part = above[low:high] + (self._reference[low:high] != word)
            np.minimum(part, above[low + 1 : high + 1] + 1, out=part)
            # A word of the reference more costs one: the least of all ways from the left.
            part -= self._place[low:high]
            np.minimum.accumulate(part, axis=0, out=part)
            np.add(part, self._place[low:high], out=table[step, low + 1 : high + 1])
        return table

    def _near(self, step: int) -> tuple[int, int]:
        ratio = self._n_reference / self._n_words
        width = ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
        middle = int(step * ratio)
        end = self._n_reference + 1
        return max(0, middle - width), end if step == self._n_words else min(end, middle + width)
