"""ROUGE-1, -2 and -L of thousands of pairs at once, with numpy: the same numbers, faster.

The method is that of `positions`: a bit mask says where a reference holds a token. Here all pairs
advance together, one output token a step, on machine words; references of up to 128 tokens fit
two. Longer texts go through `positions`, where the masks are Python's integers.
"""

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from metrics_app.metrics.rouge.masks import Masks, masks
from metrics_app.metrics.rouge.pairs import shared_ngrams
from metrics_app.metrics.rouge.positions import Reference
from metrics_app.metrics.rouge.vocabulary import Ints, Words, numbered

KINDS = ("rouge1", "rouge2", "rougeL")
LONGEST_REFERENCE, LONGEST_OUTPUT, PAIRS_AT_ONCE = 128, 1000, 4096
# Masks of a text of so many different words take 160 MB; beyond, no subsequence is looked for.
LONGEST_SUBSEQUENCE = 50_000
# Arrays of this many texts stay in the processor's cache while words are cut and looked up.
CHARACTERS_CUT_AT_ONCE, PAIRS_CUT_AT_ONCE = 64_000, 256
_ONE, _SHIFT_OUT = np.uint64(1), np.uint64(63)


class Hits(NamedTuple):
    """What each pair shares, and how many tokens each side has.

    Attributes
    ----------
    hits : ndarray of int, shape (3, n_pairs)
        Shared unigrams, bigrams, and the length of the longest common subsequence; 0 where that
        was not asked for, or a text has more than `LONGEST_SUBSEQUENCE` words.
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


def shared(
    outputs: Sequence[str], references: Sequence[str], *, stem: bool, lcs: bool = True
) -> Hits:
    """Return what each output shares with the reference at the same place.

    Parameters
    ----------
    outputs, references : sequence of str, same length
        Pairs. A text that comes often is tokenised once.
    stem : bool
        Whether words are cut to their Porter stem, as rouge-score does.
    lcs : bool
        Whether the longest common subsequence is wanted too.
    """
    spans = _spans(len(outputs), PAIRS_AT_ONCE)
    return _joined(_shared(outputs[span], references[span], stem, lcs) for span in spans)


def _shared(outputs: Sequence[str], references: Sequence[str], stem: bool, lcs: bool) -> Hits:  # noqa: FBT001 -- as `shared` names them
    spans = _spans(len(outputs), _pairs_cut_at_once(outputs, references))
    blocks = [_block(outputs[span], references[span], stem, lcs) for span in spans]
    alone = _joined(hits for hits, _ in blocks)
    parts = [
        found._replace(pair=found.pair + span.start)
        for span, (_, found) in zip(spans, blocks, strict=True)
    ]
    found = Masks(*map(np.concatenate, zip(*parts, strict=True)))
    return alone._replace(hits=alone.hits + _Together(found, alone.n_reference).hits(lcs=lcs))


def _spans(n: int, size: int) -> list[slice]:
    return [slice(first, first + size) for first in range(0, max(n, 1), size)]


def _joined(parts: Iterable[Hits]) -> Hits:
    return Hits(*(np.concatenate(arrays, axis=-1) for arrays in zip(*parts, strict=True)))


def _pairs_cut_at_once(outputs: Sequence[str], references: Sequence[str]) -> int:
    n_characters = sum(map(len, outputs)) + sum(map(len, set(references)))
    fitting = CHARACTERS_CUT_AT_ONCE * len(outputs) // max(n_characters, 1)
    return max(1, min(PAIRS_CUT_AT_ONCE, fitting))


def _block(
    outputs: Sequence[str],
    references: Sequence[str],
    stem: bool,  # noqa: FBT001 -- as `shared` names it
    lcs: bool,  # noqa: FBT001 -- likewise
) -> tuple[Hits, Masks]:
    """Return the hits of pairs that are too long for machine words, and the masks of the others."""
    texts = {text: place for place, text in enumerate(dict.fromkeys([*outputs, *references]))}
    tokens = numbered(list(texts), stem=stem)
    output, reference = (
        np.array([texts[text] for text in side], dtype=np.int64) for side in (outputs, references)
    )
    n_output, n_reference = tokens.length[output], tokens.length[reference]
    is_short = (n_reference <= LONGEST_REFERENCE) & (n_output <= LONGEST_OUTPUT)
    hits = np.zeros((3, len(output)), dtype=np.int64)
    for pair in np.flatnonzero(~is_short):
        texts_of_pair = (tokens.of(int(side[pair])) for side in (output, reference))
        hits[:, pair] = _alone(*texts_of_pair, lcs=lcs)
    short = np.flatnonzero(is_short)
    found = masks(tokens, output[short], reference[short])
    return Hits(hits, n_output, n_reference), found._replace(pair=short[found.pair])


def _alone(output: Sequence[str], reference: Sequence[str], *, lcs: bool) -> tuple[int, int, int]:
    length = 0
    if lcs and max(len(output), len(reference)) <= LONGEST_SUBSEQUENCE:
        index = Reference(reference)
        length = index.lcs_length(index.positions(output))
    return shared_ngrams(output, reference, 1), shared_ngrams(output, reference, 2), length


class _Together:
    """Pairs whose masks fit two machine words."""

    def __init__(self, found: Masks, length: Ints) -> None:
        self.found, self.length, self.n_pairs = found, length, len(length)

    def hits(self, *, lcs: bool) -> Ints:
        """Return each pair's shared unigrams, bigrams and, if wanted, common subsequence."""
        pair, place, low, high = self.found
        follows = np.flatnonzero((np.diff(place) == 1) & (pair[1:] == pair[:-1]))
        a, b = follows, follows + 1
        both_low = (low[a] << _ONE) & low[b]
        both_high = ((high[a] << _ONE) | (low[a] >> _SHIFT_OUT)) & high[b]
        both = np.flatnonzero(both_low | both_high)
        return np.stack(
            [
                self._clipped(pair, low, high),
                self._clipped(pair[follows[both]], both_low[both], both_high[both]),
                self._subsequences() if lcs else np.zeros(self.n_pairs, dtype=np.int64),
            ]
        )

    def _clipped(self, pair: Ints, low: Words, high: Words) -> Ints:
        """Return per pair the n-grams of the output, each at most as often as the masks have it."""
        # An n-gram is known by where the reference has it first, so counting needs no sorting.
        slot = (np.cumsum(self.length) - self.length)[pair] + _first(low, high)
        times = np.bincount(slot, minlength=int(self.length.sum()))
        last = np.empty_like(times)
        last[slot] = np.arange(len(slot))
        once = np.flatnonzero(last[slot] == np.arange(len(slot)))
        in_reference = np.bitwise_count(low[once]) + np.bitwise_count(high[once])
        n_shared = np.minimum(times[slot[once]], in_reference)
        return np.bincount(pair[once], weights=n_shared, minlength=self.n_pairs).astype(np.int64)

    def _subsequences(self) -> Ints:
        n_steps = np.bincount(self.found.pair, minlength=self.n_pairs)
        order = np.argsort(-n_steps, kind="stable")
        rank = np.empty_like(order)
        rank[order] = np.arange(self.n_pairs)
        step = np.arange(len(self.found.pair)) - np.repeat(np.cumsum(n_steps) - n_steps, n_steps)
        shape = (int(n_steps.max(initial=0)), 2, self.n_pairs)
        rows = np.zeros(prod(shape), dtype=np.uint64)
        at = step * (2 * self.n_pairs) + rank[self.found.pair]
        rows[at], rows[at + self.n_pairs] = self.found.low, self.found.high
        n_active = np.searchsorted(-n_steps[order], -np.arange(shape[0]), side="left")
        return _grown(rows.reshape(shape), n_active)[rank]


def _grown(masks: Words, n_active: Ints) -> Ints:
    """Return the length of each pair's common subsequence; masks: (n_steps, 2 words, n_pairs)."""
    rows = np.full(masks.shape[1:], ~np.uint64(0))
    for mask, n in zip(masks, n_active.tolist(), strict=True):
        row = rows[:, :n]
        matched = row & mask[:, :n]
        summed = row + matched
        summed[1] += summed[0] < row[0]
        np.bitwise_or(summed, row - matched, out=row)
    # A bit is 0 where the subsequence grew; those beyond the reference stay 1.
    return np.asarray(np.bitwise_count(~rows).sum(axis=0), dtype=np.int64)


def _first(low: Words, high: Words) -> Ints:
    """Return the position of the lowest bit of two words."""
    in_low = low != 0
    word = np.where(in_low, low, high)
    lowest = np.bitwise_count((word & (~word + _ONE)) - _ONE).astype(np.int64)
    return np.asarray(lowest + np.where(in_low, 0, 64))
