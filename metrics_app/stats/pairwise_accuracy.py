"""How often a metric orders two outputs as people do, ties being an answer of their own.

Pairwise accuracy with ties and tie calibration are those of Deutsch, Foster and Freitag (2023):
a pair that people call equal is right exactly where the metric calls it equal, within epsilon.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats
from metrics_app.stats.scores import MatrixLike, as_matrix

# Accuracies that differ by rounding only are a draw.
_DRAW = 1e-12


@dataclass(frozen=True, slots=True)
class _Pairs:
    """All pairs within groups: the metric's distance, what is right, and their weight."""

    distance: Floats
    people_tie: npt.NDArray[np.bool_]
    same_order: npt.NDArray[np.bool_]
    weight: Floats
    n_groups: int
    n_undefined: int


def acc_eq(human: MatrixLike, metric: MatrixLike, *, epsilon: float = 0.0) -> Estimate:
    """Return the pairwise accuracy with ties, averaged over groups.

    Parameters
    ----------
    human, metric : groups x members
        Pairs are formed within a row, say the systems' outputs for one item; NaN is missing.
        For a table of systems x items give its transpose.
    epsilon : float
        Metric scores at most this far apart count as tied.

    Returns
    -------
    Estimate
        Groups without a pair are left out and counted; ``no_defined_group`` where none has one.
    """
    if not epsilon >= 0:
        raise ValueError(f"epsilon must not be negative: {epsilon}")
    pairs = _pairs(human, metric)
    method = f"pairwise accuracy with ties, epsilon {epsilon:g}, mean over groups"
    if not pairs.n_groups:
        return _undefined("acc_eq", pairs, method)
    right = np.where(pairs.distance <= epsilon, pairs.people_tie, pairs.same_order)
    return Estimate(
        "acc_eq",
        float(pairs.weight @ right) / pairs.n_groups,
        method=method,
        n_units=pairs.n_groups,
        n_undefined=pairs.n_undefined,
        details={"epsilon": epsilon},
    )


def acc_eq_calibrated(human: MatrixLike, metric: MatrixLike) -> Estimate:
    """Return the highest accuracy over all epsilons, and that epsilon.

    Parameters are those of `acc_eq`. Candidates are 0 and every distance that occurs, all pairs
    being used; of equally good ones the smallest is taken. ``details["epsilon"]`` is the choice.
    The epsilon is fitted on the same pairs, so the accuracy flatters the metric a little.
    """
    pairs = _pairs(human, metric)
    method = "pairwise accuracy with ties, epsilon calibrated on all pairs, mean over groups"
    if not pairs.n_groups:
        return _undefined("acc_eq_calibrated", pairs, method)
    order = np.argsort(pairs.distance, kind="stable")
    distance = pairs.distance[order]
    # As epsilon grows past a pair, its answer turns from an order into a tie.
    turned = pairs.people_tie.astype(np.float64) - pairs.same_order
    gains = np.cumsum((turned * pairs.weight)[order])
    is_last = np.append(distance[1:] > distance[:-1], True)
    start = float(pairs.weight @ pairs.same_order)
    candidates, reached = distance[is_last], start + gains[is_last]
    if candidates[0] > 0:
        candidates, reached = np.append(0, candidates), np.append(start, reached)
    best = int(np.argmax(reached >= reached.max() - _DRAW * pairs.n_groups))
    return Estimate(
        "acc_eq_calibrated",
        float(reached[best]) / pairs.n_groups,
        method=method,
        n_units=pairs.n_groups,
        n_undefined=pairs.n_undefined,
        details={"epsilon": float(candidates[best])},
    )


def _pairs(human: MatrixLike, metric: MatrixLike) -> _Pairs:
    people, scores = as_matrix(human, "human"), as_matrix(metric, "metric")
    if people.shape != scores.shape:
        raise ValueError(f"human is {people.shape} and metric is {scores.shape}: not the same")
    first, second = np.triu_indices(people.shape[1], 1)
    there = ~np.isnan(people + scores)
    both = there[:, first] & there[:, second]
    counts = both.sum(axis=1)
    a, b = people[:, first][both], people[:, second][both]
    c, d = scores[:, first][both], scores[:, second][both]
    weight = np.repeat(1 / np.maximum(counts, 1), counts)
    same = ((a > b) & (c > d)) | ((a < b) & (c < d))
    n_groups = int((counts > 0).sum())
    return _Pairs(np.abs(c - d), a == b, same, weight, n_groups, counts.size - n_groups)


def _undefined(name: str, pairs: _Pairs, method: str) -> Estimate:
    return Estimate(
        name, NAN, method=method, undefined="no_defined_group", n_undefined=pairs.n_undefined
    )
