"""Resamples of units as weights of rows: one matrix product instead of a loop over tables.

Rows are what is drawn with replacement: units that look alike, counted once (``times`` units each),
or clusters of units that belong together. A resample of N units is exactly a multinomial draw of N
over the rows, so a million units cost as little as their few hundred different patterns.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from metrics_app.stats.scales import Floats, Ints

# Numbers held at once, in a block of resamples.
_BLOCK = 4_000_000
# A multinomial draw costs as much a row as about twenty draws of one unit.
_UNITS_A_ROW = 20
# Drawn units that stay, with what is made of them, in the processor's cache.
_DRAWN_AT_ONCE = 50_000


@dataclass(frozen=True, eq=False)
class Rows:
    """What is resampled.

    Attributes
    ----------
    features : array of float, shape (n_rows, n_features)
        What one unit of each row adds to the sums.
    times : array of float, shape (n_rows,)
        Units in each row.
    """

    features: Floats
    times: Floats

    @property
    def totals(self) -> Floats:
        """Sums over all units, shape (n_features,)."""
        return np.asarray(self.times @ self.features)

    def clustered(self, cluster: Ints, row_of_unit: Ints, n_clusters: int) -> "Rows":
        """Return rows that are clusters of units, each drawn as a whole.

        ``cluster`` and ``row_of_unit`` give each unit its cluster and its row, -1 for no row.
        """
        is_used = row_of_unit >= 0
        members = sp.coo_array(
            (np.ones(int(is_used.sum())), (cluster[is_used], row_of_unit[is_used])),
            shape=(n_clusters, len(self.times)),
        ).tocsr()
        return Rows(np.asarray(members @ self.features), np.ones(n_clusters))

    def resampled(self, n_resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
        """Yield the sums of resamples in blocks, each of shape (n_block, n_features)."""
        for weights in draw_weights(self.times, n_resamples, rng):
            yield weights @ self.features

    def without_one(self) -> Iterator[Floats]:
        """Yield the sums without one unit of each row in turn, in blocks of rows."""
        width = max(1, _BLOCK // max(self.features.shape[1], 1))
        for start in range(0, len(self.times), width):
            yield self.totals - self.features[start : start + width]


def draw_weights(times: Floats, n_resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Yield how often each row is drawn, in blocks of shape (n_block, n_rows)."""
    n, n_rows = int(times.sum()), len(times)
    is_multinomial = n > _UNITS_A_ROW * n_rows
    block = max(1, _BLOCK // max(n_rows, 1))
    row_of_unit = None
    if n > n_rows and not is_multinomial:
        row_of_unit = np.repeat(np.arange(n_rows), times.astype(np.int64))
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        if is_multinomial:
            yield rng.multinomial(n, times / n, size=size).astype(np.float64)
        else:
            yield _draw_units(row_of_unit, (size, n, n_rows), rng)


def _draw_units(
    row_of_unit: Ints | None, shape: tuple[int, int, int], rng: np.random.Generator
) -> Floats:
    """Draw units one by one and count their rows; ``shape`` is resamples, units and rows."""
    n_resamples, n, n_rows = shape
    weights = np.empty((n_resamples, n_rows))
    step = max(1, _DRAWN_AT_ONCE // n)
    for start in range(0, n_resamples, step):
        part = weights[start : start + step]
        drawn = rng.integers(n, size=(len(part), n))
        rows = drawn if row_of_unit is None else row_of_unit[drawn]
        rows += np.arange(len(part))[:, None] * n_rows
        part[:] = np.bincount(rows.ravel(), minlength=part.size).reshape(part.shape)
    return weights
