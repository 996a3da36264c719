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
_SLOT_BITS = 14
_MIX = 0x9E3779B97F4A7C15
# The lowest n bytes of a word, for n from 0 to 8.
_LOW_BYTES = np.array([(1 << 8 * n) - 1 for n in range(9)], dtype=np.uint64)
# ASCII leaves it free, so a numbered word never looks like one of letters.
_TOP_BIT = 1 << 63


@dataclass(frozen=True, slots=True)
class Tokens:
    """Texts as numbers of words, one after the other; equal words have equal numbers.

    Attributes
    ----------
    ids : ndarray of int
        Numbers of all words, and of the mark between texts.
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
    raw = b" " + latin_bytes(blob) + _PADDING
    is_space = np.frombuffer(raw, dtype=np.uint8) == 32
    edges = np.flatnonzero(is_space[1:] != is_space[:-1]) + 1
    begin, end = edges[::2], edges[1::2]
    words = _letters(raw, begin, end)
    alike = _first_alike(words)
    first = np.flatnonzero(alike == np.arange(len(alike)))
    number = np.empty_like(alike)
    number[first] = _stem_numbers(raw, begin[first], end[first]) if stem else np.arange(len(first))
    ends = np.append(np.flatnonzero(words == 0), len(words))
    start = np.append(0, ends[:-1] + 1)
    return Tokens(number[alike], start, ends - start, len(first))


def _letters(raw: bytes, begin: Ints, end: Ints) -> Words:
    """Return each word as a machine word: its letters, or a number where it is longer than 8."""
    eight = np.ndarray(len(raw) - 7, dtype="<u8", buffer=raw, strides=(1,))
    length = end - begin
    words = _up_to_eight(eight, begin, np.minimum(length, 8))
    long = np.flatnonzero(length > 8)
    begin, end, length = begin[long], end[long], length[long]
    rest = _up_to_eight(eight, begin + 8, np.minimum(length - 8, 8))
    known: dict[bytes, int] = {}
    for place in np.flatnonzero(length > 16).tolist():
        word = raw[begin[place] : end[place]]
        rest[place] = _TOP_BIT | known.setdefault(word, len(known))
    words[long] = np.uint64(_TOP_BIT) | _first_alike(words[long], rest).view(np.uint64)
    return words


def _up_to_eight(eight: Words, begin: Ints, n: Ints) -> Words:
    """Return the n letters from each place on."""
    # Plain indexing would take the slow way of numbers that do not begin where numbers may.
    return eight.take(begin) & _LOW_BYTES[n]


def _first_alike(*parts: Words) -> Ints:
    """Return for each word, of one or more parts, the place that stands for all its equals.

    Words meet in a table by a hash; those that meet a different word go on to the next turn.
    """
    found = np.empty(len(parts[0]), dtype=np.int64)
    table = np.empty(1 << _SLOT_BITS, dtype=np.int64)
    left, own, turn = np.arange(len(found)), parts, 0
    while left.size:
        slot = _slots(own, turn)
        table[slot] = left
        met = table[slot]
        found[left] = met
        differs = parts[0][met] != own[0]
        for part, mine in zip(parts[1:], own[1:], strict=True):
            differs |= part[met] != mine
        left = left[differs]
        own, turn = tuple(part[left] for part in parts), turn + 1
    return found


def _slots(parts: Sequence[Words], turn: int) -> Ints:
    mixed = parts[0] * _factor(2 * turn + 1)
    for part in parts[1:]:
        mixed += part * _factor(2 * turn + 2)
    return (mixed >> np.uint64(64 - _SLOT_BITS)).view(np.int64)


def _factor(power: int) -> np.uint64:
    return np.uint64(pow(_MIX, power, 1 << 64))


def _stem_numbers(raw: bytes, begin: Ints, end: Ints) -> Ints:
    """Return for each of some words the number of the first that has the same stem."""
    spans = zip(begin.tolist(), end.tolist(), strict=True)
    words = [raw[a:b].decode("ascii") for a, b in spans]
    first: dict[str, int] = {}
    return np.array(
        [first.setdefault(stem, number) for number, stem in enumerate(stemmed(words))],
        dtype=np.int64,
    )
