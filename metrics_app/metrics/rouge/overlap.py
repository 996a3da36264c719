"""Precision, recall and F from counts."""

from typing import NamedTuple


class Overlap(NamedTuple):
    """Precision, recall and F1 of what an output shares with a reference."""

    p: float
    r: float
    f: float


NOTHING = Overlap(0.0, 0.0, 0.0)


def overlap(hits: int, n_output: int, n_reference: int) -> Overlap:
    """Return precision, recall and F1; 0 where a side has nothing, as in rouge-score."""
    if not hits:
        return NOTHING
    p, r = hits / n_output, hits / n_reference
    return Overlap(p, r, 2 * p * r / (p + r))
