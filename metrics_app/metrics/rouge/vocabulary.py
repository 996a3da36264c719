"""Many texts as numbers of words, cut and numbered without a Python object per word.

A Latin word of up to sixteen letters is two machine words, so that equal words are equal numbers
and no hash decides; longer ones are numbered in a dictionary.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.metrics.tokens import latin_bytes, stemmed

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

_MARK = "\x00"
_PADDING = b" " * 16
_SLOT_BITS = 15
_MIX = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9)
# The lowest n bytes of a word, for n from 0 to 8.
_LOW_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)


@dataclass(frozen=True, slots=True)
class Tokens:
    """Texts as numbers of words, one after the other; equal words have equal numbers.

    Attributes
    ----------
    ids : ndarray of int
        Numbers of all words; 0 is the mark between texts.
    start, length : ndarray of int, shape (n_texts,)
        Where each text begins in ``ids``, and how many words it has.
    n_words : int
        Numbers are below it.
    """

    ids: Ints
    start: Ints
    length: Ints
    n_words: int

    def of(self, text: int) -> list[str]:
        """Return one text's words, each as its number's digits."""
        start = self.start[text]
        return list(map(str, self.ids[start : start + self.length[text]].tolist()))


def numbered(texts: Sequence[str], *, stem: bool) -> Tokens:
    """Return texts cut by rouge-score's Latin tokenizer, stemmed or not."""
    blob = f" {_MARK} ".join(texts)
    if blob.count(_MARK) >= len(texts):
        blob = f" {_MARK} ".join(text.replace(_MARK, " ") for text in texts)
    kept = latin_bytes(blob)
    raw = b" " + kept + _PADDING
    signs = np.frombuffer(raw, dtype=np.uint8)
    is_space = signs == 32
    edges = np.flatnonzero(is_space[1:] != is_space[:-1]) + 1
    begin, end = edges[::2], edges[1::2]
    ids = _numbers(raw, begin, end)
    if stem:
        ids = _stem_numbers(raw, begin, end, ids)[ids]
    ends = np.append(np.flatnonzero(ids == 0), len(ids))
    start = np.append(0, ends[:-1] + 1)
    return Tokens(ids, start, ends - start, int(ids.max(initial=0)) + 1)


def _numbers(raw: bytes, begin: Ints, end: Ints) -> Ints:
    """Return the number of each word: 0 for the mark, equal ones for equal words."""
    eight = np.ndarray(len(raw) - 7, dtype="<u8", buffer=raw, strides=(1,))
    length = end - begin
    low = eight[begin] & _LOW_BYTES[np.minimum(length, 8)]
    ids = np.zeros(len(low), dtype=np.int64)
    # A word of up to eight letters is one machine word, and never equals a longer one.
    short, long = np.flatnonzero((length <= 8) & (low != 0)), np.flatnonzero(length > 8)
    next_number = _number_alike(ids, short, (low,), 1)
    high = np.zeros(len(low), dtype=np.uint64)
    high[long] = eight[begin[long] + 8] & _LOW_BYTES[np.minimum(length[long] - 8, 8)]
    known: dict[bytes, int] = {}
    for place in long[length[long] > 16].tolist():
        word = raw[begin[place] : end[place]]
        # ASCII leaves the highest bit free, so no shorter word looks like this.
        high[place] = (1 << 63) | known.setdefault(word, len(known))
    _number_alike(ids, long, (low, high), next_number)
    return ids


def _number_alike(ids: Ints, places: Ints, parts: tuple[Words, ...], number: int) -> int:
    """Give equal words at some places equal numbers, from ``number`` on; return the next one.

    Words meet in a table by a hash; those that meet a different word go on to the next round,
    with another hash.
    """
    table, numbers = (np.empty(1 << _SLOT_BITS, dtype=np.int32) for _ in range(2))
    own = [part[places] for part in parts]
    turn = 1
    while places.size:
        slot = _slots(own, turn)
        here = np.arange(len(places), dtype=np.int32)
        table[slot] = here
        met = table[slot]
        first = np.flatnonzero(met == here)
        numbers[slot[first]] = np.arange(number, number + len(first), dtype=np.int32)
        alike = own[0][met] == own[0]
        for part in own[1:]:
            alike &= part[met] == part
        if alike.all():
            ids[places] = numbers[slot]
            return number + len(first)
        ids[places[alike]] = numbers[slot[alike]]
        number += len(first)
        left = np.flatnonzero(~alike)
        places, own, turn = places[left], [part[left] for part in own], turn + 2
    return number


def _slots(parts: Sequence[Words], turn: int) -> Ints:
    mixed = parts[0] * np.uint64(_MIX[0] * turn % 2**64)
    for part in parts[1:]:
        mixed = mixed + part * np.uint64(_MIX[1] * turn**2 % 2**64)
    mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_MIX[2])
    return (mixed >> np.uint64(64 - _SLOT_BITS)).astype(np.int64)


def _stem_numbers(raw: bytes, begin: Ints, end: Ints, ids: Ints) -> Ints:
    """Return for each word's number that of the first word with the same stem; the mark keeps 0."""
    place = np.zeros(int(ids.max(initial=0)) + 1, dtype=np.int64)
    place[ids] = np.arange(len(ids))
    spans = zip(begin[place].tolist(), end[place].tolist(), strict=True) if len(ids) else iter(())
    words = [raw[a:b].decode("ascii") for a, b in spans][1:]
    first: dict[str, int] = {}
    stems = [first.setdefault(stem, number) for number, stem in enumerate(stemmed(words), start=1)]
    return np.array([0, *stems])
