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
# A multinomial draw costs as much a row as about twelve draws of one unit.
_UNITS_A_ROW = 12


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
    block = max(1, _BLOCK // max(n_rows if is_multinomial else n, 1))
    row_of_unit = None if is_multinomial else np.repeat(np.arange(n_rows), times.astype(np.int64))
    for start in range(0, n_resamples, block):
        size = min(block, n_resamples - start)
        if row_of_unit is None:
            yield rng.multinomial(n, times / n, size=size).astype(np.float64)
            continue
        drawn = rng.integers(n, size=(size, n))
        rows = drawn if n == n_rows else row_of_unit[drawn]
        flat = (rows + np.arange(size)[:, None] * n_rows).ravel()
        counts = np.bincount(flat, minlength=size * n_rows)
        yield counts.reshape(size, n_rows).astype(np.float64)
