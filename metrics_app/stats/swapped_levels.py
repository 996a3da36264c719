"""The correlations of two metrics after swaps of their scores, at any level."""

import numpy as np

from metrics_app.stats.columns import correlate_columns
from metrics_app.stats.samples import Floats
from metrics_app.stats.swaps import Masks


def standardize(scores: Floats) -> Floats:
    """Return scores less their mean over their population standard deviation, gaps kept.

    A metric without any spread is only centred, and one without any score stays as it is.
    """
    if np.isnan(scores).all():
        return scores
    spread = float(np.nanstd(scores))
    return np.asarray((scores - np.nanmean(scores)) / (spread or 1.0), dtype=np.float64)


def swapped_differences(
    pair: tuple[Floats, Floats], people: list[Floats], masks: Masks, level: str, coefficient: str
) -> Floats:
    """Return first minus second correlation after each swap, dimensions x swaps.

    Parameters
    ----------
    pair : two arrays, systems x items
        Standardized scores; NaN where a cell is incomplete in any series.
    people : list of array, systems x items
    masks : swaps x systems x items
    """
    x, y = pair
    sides = (np.where(masks, y, x), np.where(masks, x, y))
    columns = [_columns(side, level) for side in sides]
    found = np.empty((len(people), len(masks)))
    for row, human in zip(found, people, strict=True):
        target = np.broadcast_to(human, masks.shape)
        z = _columns(target, level)
        first, second = (
            _of_swaps(correlate_columns(side, z, coefficient), len(masks)) for side in columns
        )
        row[:] = first - second
    return found


def _columns(scores: Floats, level: str) -> Floats:
    """Return what is correlated as columns: one per swap, at the summary level one per item."""
    n, n_systems, n_items = scores.shape
    if level == "system":
        there = ~np.isnan(scores)
        size = there.sum(axis=2)
        sums = np.where(there, scores, 0).sum(axis=2)
        return np.where(size > 0, sums / np.maximum(size, 1), np.nan).T
    if level == "summary":
        return scores.transpose(1, 0, 2).reshape(n_systems, n * n_items)
    return scores.reshape(n, n_systems * n_items).T


def _of_swaps(values: Floats, n: int) -> Floats:
    """Return one value per swap: at the summary level the mean of the defined items."""
    by_swap = values.reshape(n, -1)
    there = ~np.isnan(by_swap)
    size = there.sum(axis=1)
    sums = np.where(there, by_swap, 0).sum(axis=1)
    return np.where(size > 0, sums / np.maximum(size, 1), np.nan)
