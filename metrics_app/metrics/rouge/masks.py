"""Where the references of many pairs hold the words of their outputs, as bits of machine words."""

from typing import NamedTuple

import numpy as np

from metrics_app.metrics.rouge.vocabulary import Ints, Tokens, Words

_ONE = np.uint64(1)


class Masks(NamedTuple):
    """The words of outputs that their references have as well.

    Attributes
    ----------
    pair, place : ndarray of int
        The pair of each such word, and its place: one more for the next word of the output.
    low, high : ndarray of uint64
        Bits of the positions at which the reference has the word: 0 to 63, 64 to 127.
    """

    pair: Ints
    place: Ints
    low: Words
    high: Words


def masks(tokens: Tokens, output: Ints, reference: Ints) -> Masks:
    """Return the words that pairs share.

    Parameters
    ----------
    tokens : Tokens
        The texts.
    output, reference : ndarray of int, shape (n_pairs,)
        The place of each pair's texts among them: at most 256 pairs, and no reference of more
        than 128 words, so that a row of the table is a number of 16 bits.
    """
    unique, local = np.unique(reference, return_inverse=True)
    owner, at = _flat(tokens, unique)
    # A table of all words for each reference: nothing needs to be sorted or searched.
    row_of = np.zeros(len(unique) * tokens.n_words, dtype=np.uint16)
    key = owner * tokens.n_words + tokens.ids[at]
    row_of[key] = np.arange(1, len(at) + 1)
    row = row_of[key]
    low, high = _bits(row, at - tokens.start[unique][owner])
    pair, at = _flat(tokens, output)
    row = row_of[(local * tokens.n_words)[pair] + tokens.ids[at]]
    place = np.flatnonzero(row)
    row = row[place]
    return Masks(pair[place], place, low[row], high[row])


def _bits(row: Ints, position: Ints) -> tuple[Words, Words]:
    """Return by row, where row 0 has none, the bits of all positions that belong to it."""
    low, high = (np.zeros(len(row) + 1, dtype=np.uint64) for _ in range(2))
    shift = position.view(np.uint64)
    # A shift by 64 or more, which below 64 this is, leaves nothing. No bit comes twice, so that
    # a sum is the union, and far faster.
    np.add.at(low, row, _ONE << shift)
    np.add.at(high, row, _ONE << (shift - np.uint64(64)))
    return low, high


def _flat(tokens: Tokens, texts: Ints) -> tuple[Ints, Ints]:
    """Return for every word of some texts the text's place in the list, and the word's place."""
    length = tokens.length[texts]
    owner = np.repeat(np.arange(len(texts)), length)
    shift = tokens.start[texts] - (np.cumsum(length) - length)
    return owner, np.arange(len(owner)) + shift[owner]
