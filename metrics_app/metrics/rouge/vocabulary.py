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
_SLOT_BITS = 17
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
    same_as = _first_alike(*_packed(raw, begin, end))
    ids = np.where(signs[begin] == 0, 0, _dense(same_as) + 1)
    if stem:
        ids = _stem_numbers(raw, begin, end, ids)[ids]
    ends = np.append(np.flatnonzero(ids == 0), len(ids))
    start = np.append(0, ends[:-1] + 1)
    return Tokens(ids, start, ends - start, int(ids.max(initial=0)) + 1)


def _packed(raw: bytes, begin: Ints, end: Ints) -> tuple[Words, Words]:
    """Return each word as two machine words."""
    eight = np.ndarray(len(raw) - 7, dtype="<u8", buffer=raw, strides=(1,))
    length = end - begin
    low = eight[begin] & _LOW_BYTES[np.minimum(length, 8)]
    high = eight[np.minimum(begin + 8, len(eight) - 1)] & _LOW_BYTES[np.clip(length - 8, 0, 8)]
    long: dict[bytes, int] = {}
    for place in np.flatnonzero(length > 16).tolist():
        word = raw[begin[place] : end[place]]
        # ASCII leaves the highest bit free, so no short word looks like this.
        high[place] = (1 << 63) | long.setdefault(word, len(long))
    return low, high


def _first_alike(low: Words, high: Words) -> Ints:
    """Return for each word the place of one word that is equal, the same for all equal ones.

    Words meet in a table by a hash; those that meet a different word go on to the next round,
    with another hash.
    """
    found = np.empty(len(low), dtype=np.int64)
    left = np.arange(len(low))
    table = np.empty(1 << _SLOT_BITS, dtype=np.int64)
    turn = 1
    while left.size:
        a, b = low[left], high[left]
        mixed = a * np.uint64(_MIX[0] * turn % 2**64) + b * np.uint64(_MIX[1] * turn**2 % 2**64)
        mixed = (mixed ^ (mixed >> np.uint64(29))) * np.uint64(_MIX[2])
        slot = (mixed >> np.uint64(64 - _SLOT_BITS)).astype(np.int64)
        table[slot] = left
        other = table[slot]
        alike = (low[other] == a) & (high[other] == b)
        found[left[alike]] = other[alike]
        left = left[~alike]
        turn += 2
    return found


def _dense(places: Ints) -> Ints:
    is_used = np.zeros(len(places), dtype=bool)
    is_used[places] = True
    return np.asarray((np.cumsum(is_used) - 1)[places])


def _stem_numbers(raw: bytes, begin: Ints, end: Ints, ids: Ints) -> Ints:
    """Return for each word's number that of the first word with the same stem; the mark keeps 0."""
    place = np.zeros(int(ids.max(initial=0)) + 1, dtype=np.int64)
    place[ids] = np.arange(len(ids))
    spans = zip(begin[place].tolist(), end[place].tolist(), strict=True) if len(ids) else iter(())
    words = [raw[a:b].decode("ascii") for a, b in spans][1:]
    first: dict[str, int] = {}
    stems = [first.setdefault(stem, number) for number, stem in enumerate(stemmed(words), start=1)]
    return np.array([0, *stems])
