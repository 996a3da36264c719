"""Soft pairwise accuracy: whether a metric doubts where people doubt.

For two systems the doubt is the p-value of a paired permutation test by item. Soft pairwise
accuracy (Thompson, Mathur, Deutsch and Khayrallah 2024) is 1 minus the mean distance between the
people's and the metric's p-values, over all pairs of systems.
"""

import numpy as np
import numpy.typing as npt

from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats
from metrics_app.stats.scores import ScoreMatrix

# 2^14 sign patterns are enumerated in a moment; beyond that signs are drawn.
_MOST_ITEMS_ENUMERATED = 14
# Sums that differ by rounding only count as equal.
_ROUNDING = 1e-12


def soft_pairwise_accuracy(
    matrix: ScoreMatrix, *, rng: np.random.Generator | None = None, n_resamples: int = 1_000
) -> Estimate:
    """Return the soft pairwise accuracy of a metric.

    Parameters
    ----------
    matrix : ScoreMatrix
        Incomplete cells are left out of the pairs they belong to, on both sides.
    rng : numpy.random.Generator
        Source of the sign flips, needed for more than 14 items; up to 14 all flips are counted.
    n_resamples : int
        Number of flips drawn; the same flips serve all pairs, for people and metric.

    Returns
    -------
    Estimate
        Undefined with ``too_few_units`` for fewer than two systems or no item in common.
    """
    first, second = np.triu_indices(len(matrix.systems), 1)
    both = matrix.complete[first] & matrix.complete[second]
    compared = both.any(axis=1)
    if not compared.any():
        return Estimate("soft_pairwise_accuracy", NAN, undefined="too_few_units")
    n_items = len(matrix.items)
    is_exact = n_items <= _MOST_ITEMS_ENUMERATED
    if is_exact:
        codes = np.arange(2**n_items)[:, None] >> np.arange(n_items) & 1
        flips = (1 - 2 * codes).astype(np.float64)
        how = f"all {flips.shape[0]} sign flips"
    else:
        if rng is None:
            raise ValueError(f"{n_items} items are too many to enumerate: give an rng")
        flips = rng.choice((-1.0, 1.0), size=(n_resamples, n_items))
        how = f"{n_resamples} random sign flips"
    people, metric = (
        _p_values(np.where(both, scores[first] - scores[second], 0)[compared], flips)
        for scores in (matrix.human, matrix.metric)
    )
    return Estimate(
        "soft_pairwise_accuracy",
        1 - float(np.abs(people - metric).mean()),
        method=f"soft pairwise accuracy, one-sided paired permutation p by item, {how}",
        n_units=int(compared.sum()),
        n_missing=int((~matrix.complete).sum()),
        n_undefined=int((~compared).sum()),
        details={"n_systems": len(matrix.systems), "n_items": n_items, "is_exact": is_exact},
    )


def _p_values(differences: Floats, flips: Floats) -> Floats:
    """Return per row the share of flips whose sum reaches the observed one."""
    observed = differences.sum(axis=1)
    slack = _ROUNDING * np.abs(differences).sum(axis=1)
    reached: npt.NDArray[np.bool_] = flips @ differences.T >= observed - slack
    return np.asarray(reached.mean(axis=0), dtype=np.float64)
