"""What may be chosen about a report, and the random numbers of its parts."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What may be chosen about a report; all of it is written into it.

    Attributes
    ----------
    seed : int
        Seed of every random draw.
    n_resamples : int
        Number of bootstrap resamples behind each interval of agreement and of contrasts.
    takes_time : bool
        Whether to compute what takes long on this data too: the rows that are else undefined as
        ``on_request``, with the estimated seconds beside them.
    with_excluded : bool
        Whether to count the ratings of excluded judges too, to see what the exclusion changes.
        Judges who withdrew stay out.
    predictors : sequence of str
        Metrics from which people are predicted together, the first of them the baseline; where
        none is named, every pair of R(AB) and R(BB) that published coefficients exist for.
    """

    seed: int
    n_resamples: int = 1_000
    takes_time: bool = False
    with_excluded: bool = False
    predictors: Sequence[str] = ()
    preset: str = ""


def stream(seed: int, *place: str) -> np.random.Generator:
    """Return the random numbers of one part, derived from the seed and the part's name."""
    name = hashlib.sha256("\x1f".join(place).encode()).digest()
    return np.random.default_rng([seed, int.from_bytes(name[:8], "big")])
