"""ROUGE-1, -2 and -L of thousands of pairs at once, with numpy: the same numbers, faster.

The method is that of `positions`: a bit mask says where a reference holds a token. Here all pairs
advance together, one output token a step, on machine words; references of up to 128 tokens fit
two. Longer texts go through `positions`, where the masks are Python's integers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from metrics_app.metrics.rouge.positions import Reference
from metrics_app.metrics.rouge.vocabulary import Ints, Tokens, Words, numbered

KINDS = ("rouge1", "rouge2", "rougeL")
LONGEST_REFERENCE, LONGEST_OUTPUT, REFERENCES_AT_ONCE = 128, 1000, 256
# Arrays of this many texts stay in the processor's cache and are not given back to the system.
CHARACTERS_AT_ONCE = 800_000
_ONE, _SHIFT_OUT = np.uint64(1), np.uint64(63)


class Hits(NamedTuple):
    """What each pair shares, and how many tokens each side has.

    Attributes
    ----------
    hits : ndarray of int, shape (3, n_pairs)
        Shared unigrams, bigrams, and the length of the longest common subsequence.
    n_output, n_reference : ndarray of int, shape (n_pairs,)
        Tokens.
    """

    hits: Ints
    n_output: Ints
    n_reference: Ints

    def measures(self) -> npt.NDArray[np.float64]:
        """Return precision, recall and F1: shape (3 measures, 3 kinds, n_pairs)."""
        lost = np.array([[0], [1], [0]])
        with np.errstate(invalid="ignore", divide="ignore"):
            p = self.hits / (self.n_output - lost)
            r = self.hits / (self.n_reference - lost)
            found = np.stack([p, r, 2 * p * r / (p + r)])
        # Where nothing is shared, a side may be empty and the quotient undefined: ROUGE says 0.
        return np.where(self.hits > 0, found, 0.0)


def shared(outputs: Sequence[str], references: Sequence[str], *, stem: bool) -> Hits:
    """Return what each output shares with the reference at the same place.

    Parameters
    ----------
    outputs, references : sequence of str, same length
        Pairs. A text that comes often is tokenised once.
    stem : bool
        Whether words are cut to their Porter stem, as rouge-score does.
    """
    size = _pairs_at_once(outputs, references)
    spans = [slice(start, start + size) for start in range(0, len(outputs), size)]
    found = [_shared(outputs[span], references[span], stem=stem) for span in spans]
    if not found:
        return Hits(np.zeros((3, 0), dtype=np.int64), *np.zeros((2, 0), dtype=np.int64))
    return Hits(*(np.concatenate(parts, axis=-1) for parts in zip(*found, strict=True)))


def _pairs_at_once(outputs: Sequence[str], references: Sequence[str]) -> int:
    n_characters = sum(map(len, outputs)) + sum(map(len, set(references)))
    return max(1, CHARACTERS_AT_ONCE * len(outputs) // max(n_characters, 1))


def _shared(outputs: Sequence[str], references: Sequence[str], *, stem: bool) -> Hits:
    texts = {text: place for place, text in enumerate(dict.fromkeys([*outputs, *references]))}
    tokens = numbered(list(texts), stem=stem)
    output = np.array([texts[text] for text in outputs], dtype=np.int64)
    reference = np.array([texts[text] for text in references], dtype=np.int64)
    n_output, n_reference = tokens.length[output], tokens.length[reference]
    hits = np.zeros((3, len(output)), dtype=np.int64)
    is_short = (n_reference <= LONGEST_REFERENCE) & (n_output <= LONGEST_OUTPUT)
    order = np.argsort(reference, kind="stable")
    for wide in (False, True):
        chosen = order[(is_short & ((n_reference > 64) == wide))[order]]
        if chosen.size:
            hits[:, chosen] = _Together(tokens, output[chosen], reference[chosen], wide=wide).hits()
    for pair in np.flatnonzero(~is_short):
        hits[:, pair] = _alone(tokens, int(output[pair]), int(reference[pair]))
    return Hits(hits, n_output, n_reference)


def _alone(tokens: Tokens, output: int, reference: int) -> tuple[int, int, int]:
    index = Reference(tokens.of(reference))
    positions = index.positions(tokens.of(output))
    return (
        index.ngram_hits(positions, 1),
        index.ngram_hits(positions, 2),
        index.lcs_length(positions),
    )


class _Together:
    """Pairs, sorted by reference, whose masks fit one word, or two (``wide``)."""

    def __init__(self, tokens: Tokens, output: Ints, reference: Ints, *, wide: bool) -> None:
        self.n_pairs = len(output)
        unique, local = np.unique(reference, return_inverse=True)
        keys, at = _flat(tokens, unique)
        keys, place = np.unique(keys * tokens.n_words + at.ids, return_inverse=True)
        # Row 0 stands for a token that the reference does not have.
        self.n_rows = len(keys) + 1
        self.low, self.high = (np.zeros(self.n_rows, dtype=np.uint64) for _ in range(2))
        self._mark(place + 1, at.position, wide=wide)
        self.length = tokens.length[reference]
        self.pair, out = _flat(tokens, output)
        self.row = _look_up(keys, tokens.n_words, local[self.pair], out.ids)
        self.wide = wide

    def _mark(self, row: Ints, position: Ints, *, wide: bool) -> None:
        bit = _ONE << (position & 63).astype(np.uint64)
        in_high = position > 63
        np.bitwise_or.at(self.low, row[~in_high], bit[~in_high])
        if wide:
            np.bitwise_or.at(self.high, row[in_high], bit[in_high])

    def hits(self) -> Ints:
        """Return shared unigrams, bigrams and the common subsequence of each pair."""
        found = np.flatnonzero(self.row)
        pair, row = self.pair[found], self.row[found]
        unigrams = self._clipped(pair, self.low[row], self.high[row])
        follows = np.flatnonzero((np.diff(found) == 1) & (pair[1:] == pair[:-1]))
        a, b = row[follows], row[follows + 1]
        low = (self.low[a] << _ONE) & self.low[b]
        high = ((self.high[a] << _ONE) | (self.low[a] >> _SHIFT_OUT)) & self.high[b]
        bigrams = self._clipped(pair[follows], low, high)
        return np.stack([unigrams, bigrams, self._subsequences(pair, row)])

    def _clipped(self, pair: Ints, low: Words, high: Words) -> Ints:
        """Return per pair the n-grams of the output, each at most as often as the masks have it."""
        in_reference = np.bitwise_count(low) + np.bitwise_count(high)
        kept = np.flatnonzero(in_reference)
        # An n-gram is known by where the reference has it first, so counting needs no sorting.
        end = np.cumsum(self.length)
        slot = (end - self.length)[pair[kept]] + _first(low[kept], high[kept])
        times = np.bincount(slot, minlength=int(end[-1]))
        most = np.zeros_like(times)
        most[slot] = in_reference[kept]
        total = np.append(0, np.cumsum(np.minimum(times, most)))
        return np.asarray(total[end] - total[end - self.length])

    def _subsequences(self, pair: Ints, row: Ints) -> Ints:
        n_steps = np.bincount(pair, minlength=self.n_pairs)
        order = np.argsort(-n_steps, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(self.n_pairs)
        begin = np.cumsum(n_steps) - n_steps
        steps = np.zeros((int(n_steps.max(initial=0)), self.n_pairs), dtype=np.int64)
        steps[np.arange(len(pair)) - begin[pair], rank[pair]] = row
        low, high = _walk(steps, -np.sort(-n_steps), self.low, self.high if self.wide else None)
        length = self.length[order]
        left = np.bitwise_count(low & _ones(length)) + np.bitwise_count(high & _ones(length - 64))
        return np.asarray((length - left)[rank])


def _walk(steps: Ints, n_steps: Ints, low: Words, high: Words | None) -> tuple[Words, Words]:
    """Return each pair's row after its last token: a bit is 0 where the subsequence grew."""
    row_low = np.full(steps.shape[1], ~np.uint64(0))
    row_high = row_low.copy()
    n_active = np.searchsorted(-n_steps, -np.arange(len(steps)), side="left")
    for step, n in zip(steps, n_active.tolist(), strict=True):
        here = step[:n]
        before, mask = row_low[:n], low[here]
        summed = before + (before & mask)
        if high is not None:
            mask_high, upper = high[here], row_high[:n]
            carried = upper + (upper & mask_high) + (summed < before)
            row_high[:n] = carried | (upper & ~mask_high)
        row_low[:n] = summed | (before & ~mask)
    return row_low, row_high


def _first(low: Words, high: Words) -> Ints:
    """Return the position of the lowest bit of two words."""
    in_low = low != 0
    word = np.where(in_low, low, high)
    lowest = np.bitwise_count((word & (~word + _ONE)) - _ONE).astype(np.int64)
    return np.asarray(lowest + np.where(in_low, 0, 64))


def _ones(n: Ints) -> Words:
    """Return words whose lowest n bits are set, n cut to 0 to 64."""
    kept = np.clip(n, 0, 64).astype(np.uint64)
    return np.where(kept > 0, ~np.uint64(0) >> (np.uint64(64) - np.maximum(kept, _ONE)), 0 * _ONE)


class _Places(NamedTuple):
    ids: Ints
    position: Ints


def _flat(tokens: Tokens, texts: Ints) -> tuple[Ints, _Places]:
    """Return for every token of some texts the text's place in the list, its word, its position."""
    length = tokens.length[texts]
    owner = np.repeat(np.arange(len(texts)), length)
    position = np.arange(len(owner)) - np.repeat(np.cumsum(length) - length, length)
    return owner, _Places(tokens.ids[tokens.start[texts][owner] + position], position)


def _look_up(keys: Ints, n_words: int, owner: Ints, word: Ints) -> Ints:
    """Return 1 + the place of (owner, word) among sorted keys, 0 where it is not there.

    A table of some owners at a time is faster than a search, and is wiped by its own entries.
    """
    found = np.empty(len(word), dtype=np.int64)
    table = np.zeros(REFERENCES_AT_ONCE * n_words, dtype=np.int32)
    n_owners = int(owner[-1]) + 1 if len(owner) else 0
    for first in range(0, n_owners, REFERENCES_AT_ONCE):
        base, last = first * n_words, first + REFERENCES_AT_ONCE
        a, b = np.searchsorted(keys, [base, last * n_words])
        table[keys[a:b] - base] = np.arange(a + 1, b + 1)
        c, d = np.searchsorted(owner, [first, last])
        found[c:d] = table[owner[c:d] * n_words + word[c:d] - base]
        table[keys[a:b] - base] = 0
    return found
