"""Sums over units, from which every categorical coefficient follows.

A coefficient is a function of such sums. So its value, its value in a resample of the units and
its value without one unit are the same calculation on other weights of the units.
"""

from dataclasses import dataclass

import numpy as np

from metrics_app.stats.patterns import Patterns
from metrics_app.stats.scales import Floats


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over units; a leading axis of all, if any, counts resamples.

    Attributes
    ----------
    rated, paired : array of float, shape (...)
        Units with at least one and with at least two ratings.
    shares : array of float, shape (..., q)
        Sum over rated units of r_k / m: r_k ratings of m say category k.
    values : array of float, shape (..., q)
        Ratings by category in the paired units.
    """

    rated: Floats
    paired: Floats
    shares: Floats
    values: Floats


def sums_of(patterns: Patterns) -> Sums:
    """Return the sums over all units of the patterns."""
    times, is_paired = patterns.times, patterns.is_paired
    return Sums(
        rated=np.asarray(times.sum()),
        paired=np.asarray(times @ is_paired),
        shares=np.asarray(times @ (patterns.counts / patterns.sizes[:, None])),
        values=np.asarray((times * is_paired) @ patterns.counts),
    )


def agreeing_pairs(patterns: Patterns, weights: Floats) -> Floats:
    """Return sum_k r_k (sum_l w_kl r_l - 1) of each pattern: ordered pairs of raters that agree."""
    counts = patterns.counts
    return np.asarray((counts * (counts @ weights - 1.0)).sum(axis=1))


def agreement_per_unit(patterns: Patterns, weights: Floats) -> Floats:
    """Return the weighted share of agreeing pairs in each pattern; 0 where it has no pair."""
    sizes = patterns.sizes
    pairs = np.maximum(sizes * (sizes - 1), 1.0)
    return np.where(patterns.is_paired, agreeing_pairs(patterns, weights) / pairs, 0.0)


def coincidences_per_unit(patterns: Patterns, weights: Floats) -> Floats:
    """Return agreeing pairs / (m - 1) of each pattern; 0 where it has no pair."""
    others = np.maximum(patterns.sizes - 1, 1.0)
    return np.where(patterns.is_paired, agreeing_pairs(patterns, weights) / others, 0.0)
