"""ROUGE-Lsum: for each reference sentence, the union of its common subsequences (Lin 2004, 3.2)."""

from collections import Counter
from collections.abc import Sequence

from metrics_app.metrics.rouge.overlap import NOTHING, Overlap, overlap
from metrics_app.metrics.rouge.positions import Reference


def sentences(text: str) -> list[str]:
    """Return the lines of a text: rouge-score's Lsum takes a newline for the end of a sentence."""
    return [line for line in text.split("\n") if line]


def rouge_lsum(reference: Sequence[Sequence[str]], output: Sequence[Sequence[str]]) -> Overlap:
    """Return the overlap of two texts given as tokenised sentences.

    Every token counts at most as often as each text has it, as in ROUGE-1.5.5 and rouge-score.
    """
    left_of_output = Counter(token for sentence in output for token in sentence)
    left_of_reference = Counter(token for sentence in reference for token in sentence)
    n_output, n_reference = left_of_output.total(), left_of_reference.total()
    if not n_output or not n_reference:
        return NOTHING
    hits = 0
    for sentence in reference:
        for token in _union(sentence, output):
            if left_of_output[token] > 0 and left_of_reference[token] > 0:
                left_of_output[token] -= 1
                left_of_reference[token] -= 1
                hits += 1
    return overlap(hits, n_output, n_reference)


def _union(sentence: Sequence[str], output: Sequence[Sequence[str]]) -> list[str]:
    index = Reference(sentence)
    found: set[int] = set()
    for other in output:
        found.update(_common(index, other))
    return [sentence[position] for position in sorted(found)]


def _common(index: Reference, other: Sequence[str]) -> list[int]:
    """Return positions of one longest common subsequence: the one that rouge-score's table gives.

    Which of several it is decides the union, so the way back through the table is theirs:
    a match first, then a shorter output where that is strictly longer, else a shorter sentence.
    Output tokens that the sentence does not have belong to the table too: the way turns at them.
    """
    positions = index.positions(other)
    rows = _rows(index.length, positions)
    i, j, found = index.length, len(positions), list[int]()
    while i > 0 and j > 0:
        if positions[j - 1] >> (i - 1) & 1:
            i, j = i - 1, j - 1
            found.append(i)
        elif _length(rows[j - 1], i) > _length(rows[j], i - 1):
            j -= 1
        else:
            i -= 1
    return found


def _rows(length: int, positions: Sequence[int]) -> list[int]:
    # Row j of the table as bits: bit i is 0 where the length grows with the sentence's token i.
    everything = (1 << length) - 1
    rows = [everything]
    for here in positions:
        matched = rows[-1] & here
        rows.append(((rows[-1] + matched) | (rows[-1] - matched)) & everything)
    return rows


def _length(row: int, i: int) -> int:
    return i - (row & ((1 << i) - 1)).bit_count()
