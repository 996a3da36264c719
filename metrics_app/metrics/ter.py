"""TER as Tercom and sacrebleu compute it: the same edits on every pair, many shifts tried at once.

Snover et al. 2006. Phrases of the output are shifted, each time the one that saves most edits,
until none saves any; every shift costs one edit, and what is left is the edit distance. Which
shifts are tried, in what order they win, and that the distance looks only near the diagonal is
Tercom's choice, taken over from sacrebleu's `lib_ter`. There each shift's distance is computed by
itself, cell by cell; here all shifts of one round advance together, one output word a step, as
the bits of one integer (Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and Damerau
edit distances").
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import NamedTuple

LONGEST_SHIFT, FARTHEST_SHIFT, BEAM, MOST_SHIFTS = 10, 50, 25, 1_000
# Cells of tables that are filled side by side, two bits each: 16 MB.
CELLS_AT_ONCE = 64_000_000


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
    distance = _Distance(others, len(words), len(numbers))
    (found,) = distance.tables([words])
    n_shifts = n_tried = 0
    while True:
        shifts = list(_shifts(words, others, _aligned(found, words, others), n_tried))
        n_tried += len(shifts)
        if n_tried >= MOST_SHIFTS or not shifts:
            break
        best, left = _best(distance, words, list(dict.fromkeys(shifts)))
        if left.distance >= found.distance:
            break
        words, found, n_shifts = best.of(words), left, n_shifts + 1
    return n_shifts + found.distance


def _best(
    distance: "_Distance", words: Sequence[int], shifts: Sequence[_Shift]
) -> tuple[_Shift, "_Table"]:
    """Return the shift that leaves the fewest edits: then the longest, the earliest; its table."""

    def rank(tried: tuple[_Shift, _Table]) -> tuple[int, int, int, int]:
        shift, table = tried
        return table.distance, -shift.length, shift.start, shift.target

    tables = distance.tables([shift.of(words) for shift in shifts])
    return min(zip(shifts, tables, strict=True), key=rank)


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


def _aligned(table: "_Table", words: Sequence[int], others: Sequence[int]) -> _Alignment:
    """Follow the edits back: a match or a change is preferred, then a word too many."""
    at: dict[int, int] = {}
    wrong_output, wrong_reference = [True] * len(words), [True] * len(others)
    i, j = len(words), len(others)
    while j:
        if i == 0:
            at[j - 1] = -1
            j -= 1
            continue
        is_equal = words[i - 1] == others[j - 1]
        if table.comes_across(i, j, is_equal=is_equal):
            i, j = i - 1, j - 1
            at[j] = i
            wrong_output[i] = wrong_reference[j] = not is_equal
        elif table.comes_down(i, j):
            i -= 1
        else:
            j -= 1
            at[j] = i - 1
    return _Alignment(at, wrong_output, wrong_reference)


@dataclass(frozen=True, slots=True)
class _Table:
    """The edit distances of the beginnings of an output and of the reference, as differences.

    Attributes
    ----------
    distance : int
        That of the whole texts.
    across, down : list of int
        For each output word: bits of the reference words at which the distance is as great as
        without both words, and greater by one than without the output's.
    shift : int
        Bit of the reference's first word.
    near : list of (int, int)
        For none and each output word: the numbers of reference words looked at, from and below.
    """

    distance: int
    across: list[int]
    down: list[int]
    shift: int
    near: list[tuple[int, int]]

    def comes_across(self, i: int, j: int, *, is_equal: bool) -> bool:
        low, high = self.near[i - 1]
        return low < j <= high and is_equal == bool(self.across[i - 1] >> (self.shift + j - 1) & 1)

    def comes_down(self, i: int, j: int) -> bool:
        low, high = self.near[i - 1]
        return low <= j < high and bool(self.down[i - 1] >> (self.shift + j - 1) & 1)


class _Distance:
    """Tables of edit distances of outputs of one length to one reference, near the diagonal.

    Each text has a field of bits in an integer, one bit a reference word and a spare one.
    """

    def __init__(self, reference: Sequence[int], n_words: int, n_kinds: int) -> None:
        self._n_reference = len(reference)
        self._n_bytes = max(4, len(reference) // 8 + 1)
        places = [0] * n_kinds
        for place, word in enumerate(reference):
            places[word] |= 1 << place
        self._places = [bits.to_bytes(self._n_bytes, "little") for bits in places]
        self._near = [(0, len(reference) + 1)]
        self._near += [self._seen(step, n_words) for step in range(1, n_words + 1)]
        self._kept = list(map(_kept, self._near, self._near[1:]))
        self._at_once = max(1, CELLS_AT_ONCE // (8 * self._n_bytes * n_words))

    def _seen(self, step: int, n_words: int) -> tuple[int, int]:
        ratio = self._n_reference / n_words
        width = ceil(ratio / 2 + BEAM) if ratio / 2 > BEAM else BEAM
        middle = int(step * ratio)
        end = self._n_reference + 1
        return max(0, middle - width), end if step == n_words else min(end, middle + width)

    def tables(self, texts: Sequence[Sequence[int]]) -> Iterator[_Table]:
        """Yield each text's table."""
        for first in range(0, len(texts), self._at_once):
            yield from self._together(texts[first : first + self._at_once])

    def _together(self, texts: Sequence[Sequence[int]]) -> Iterator[_Table]:
        n_bits = 8 * self._n_bytes
        ones = int.from_bytes((b"\x01" + bytes(self._n_bytes - 1)) * len(texts), "little")
        every = ((1 << self._n_reference) - 1) * ones
        last = self._n_reference - 1
        # Where the distance grows, and shrinks, from one reference word to the next.
        more, less = every, 0
        distance = self._n_reference * ones
        across, down = [], []
        for equal, kept, (low, _) in zip(
            self._alike(texts), self._kept, self._near[1:], strict=True
        ):
            alike = equal & kept * ones
            same = (((alike & more) + more) ^ more | alike | less) & every
            grown, shrunk = less | (every ^ (same | more)), same & more
            distance += (grown >> last & ones) - (shrunk >> last & ones)
            across.append(same)
            down.append(grown)
            above = grown << 1 | ones
            more, less = (
                (shrunk << 1 | every ^ (same | above) & every) & every,
                same & above & every,
            )
            if low:
                # What is too far below is no way to here: it counts as one more.
                edge = (1 << (low - 1)) * ones
                more, less = more & ~edge, less | edge
        field = (1 << n_bits) - 1
        for place in range(len(texts)):
            shift = place * n_bits
            yield _Table(distance >> shift & field, across, down, shift, self._near)

    def _alike(self, texts: Sequence[Sequence[int]]) -> Iterator[int]:
        """Yield for each output word the bits of the reference words that are equal to it."""
        look_up = self._places.__getitem__
        for words in zip(*texts, strict=True):
            yield int.from_bytes(b"".join(map(look_up, words)), "little")


def _kept(before: tuple[int, int], near: tuple[int, int]) -> int:
    """Return bits of the reference words that may match: near, and not beyond what was near."""
    low, high = near[0], min(near[1], before[1] + 1)
    return (1 << (high - 1)) - (1 << max(low - 1, 0)) if high > low else 0
