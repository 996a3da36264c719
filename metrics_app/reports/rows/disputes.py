"""Rows of outputs by how much the judges differ on them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DisputeRow:
    """An output, or one fact of it, on which judges differ.

    ``disagreement`` is, by ``measure``, the standard deviation of the ratings (``sd``) or, on a
    nominal scale, the share of unequal pairs of judges (``unequal_pairs``). ``place`` counts from
    1, the most disputed; ``n_disputed`` of ``n_outputs`` have any disagreement at all.
    """

    dimension: str
    group: str
    place: int
    item: str
    system: str
    fact: str
    measure: str
    disagreement: float
    ratings: Mapping[str, float]
    mean: float | None
    n_ratings: int
    n_disputed: int
    n_outputs: int
