"""Bootstrap intervals of every difference of two systems' means, items being what is drawn."""

import numpy as np

from metrics_app.stats.samples import Floats

# Resamples held at once: their counts of items are a table of so many rows.
_BLOCK = 250


def bootstrap_differences(
    outputs: Floats, *, rng: np.random.Generator, n_resamples: int = 1000, confidence: float = 0.95
) -> Floats:
    """Return the percentile interval of every mean difference of two systems.

    Parameters
    ----------
    outputs : array of float, shape (n_systems, n_items)
        One number for each output; NaN is missing. Two systems are compared on the items that
        both have.
    rng : numpy.random.Generator
        Draws items with replacement, the same for all pairs.
    n_resamples : int
        Number of draws.
    confidence : float
        Coverage.

    Returns
    -------
    array of float, shape (n_systems, n_systems, 2)
        Bounds of row minus column; NaN where two systems share no item in some resample.
    """
    n_systems, n_items = outputs.shape
    first, second = np.triu_indices(n_systems, 1)
    bounds = np.full((n_systems, n_systems, 2), np.nan)
    if not first.size or not n_items or not n_resamples:
        return bounds
    gaps = (outputs[first] - outputs[second]).T
    there = ~np.isnan(gaps)
    sums, sizes = np.where(there, gaps, 0.0), there.astype(np.float64)
    drawn = [_means(_counts(rng, n_items, size), sums, sizes) for size in _blocks(n_resamples)]
    tail = (1 - confidence) / 2
    low, high = np.quantile(np.concatenate(drawn), [tail, 1 - tail], axis=0)
    bounds[first, second] = np.stack([low, high], axis=-1)
    bounds[second, first] = np.stack([-high, -low], axis=-1)
    return bounds


def _blocks(total: int) -> list[int]:
    whole, rest = divmod(total, _BLOCK)
    return [_BLOCK] * whole + ([rest] if rest else [])


def _counts(rng: np.random.Generator, n_items: int, size: int) -> Floats:
    """Return how often each of several resamples holds each item, shape (size, n_items)."""
    drawn = rng.integers(n_items, size=(size, n_items)) + np.arange(size)[:, None] * n_items
    counts = np.bincount(drawn.ravel(), minlength=size * n_items)
    return counts.reshape(size, n_items).astype(np.float64)


def _means(counts: Floats, sums: Floats, sizes: Floats) -> Floats:
    n = counts @ sizes
    means: Floats = np.full(n.shape, np.nan)
    np.divide(counts @ sums, n, out=means, where=n > 0)
    return means
