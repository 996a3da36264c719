"""Counts of ratings by category, where it is not known who gave them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metrics_app.stats.patterns import Patterns, patterns_of_counts
from metrics_app.stats.scales import Ints, Scale

# From here on a float no longer holds every whole number.
_EXACT = 2**53


@dataclass(frozen=True, eq=False)
class CountTable:
    """How many raters gave each unit each category, where it is not known who they were.

    Attributes
    ----------
    counts : array of int, shape (n_units, q)
        Raters may differ in number from unit to unit.
    scale : Scale
        The declared points, one a column.
    """

    counts: Ints
    scale: Scale

    @classmethod
    def from_counts(cls, counts: npt.ArrayLike, *, scale: Scale | None = None) -> "CountTable":
        """Return the checked table; without a scale the columns are the points 1, 2, 3, ..."""
        try:
            cells = np.asarray(counts, dtype=np.float64)
        except (TypeError, ValueError):
            raise ValueError("counts must be rows of numbers of equal length") from None
        if not len(cells):
            scale = scale or Scale.points([1])
            return cls(np.zeros((0, scale.n_points), dtype=np.int64), scale)
        if cells.ndim != 2 or not cells.shape[1]:
            raise ValueError("counts need two dimensions, units by categories")
        if not np.isfinite(cells).all() or (cells < 0).any() or (cells % 1).any():
            raise ValueError("counts must be whole numbers, not negative and none missing")
        if cells.sum() >= _EXACT:
            raise ValueError("counts are too large to be added up exactly")
        scale = scale or Scale.points(range(1, cells.shape[1] + 1))
        if scale.n_points != cells.shape[1]:
            raise ValueError(f"{cells.shape[1]} columns of counts need as many points on the scale")
        return cls(cells.astype(np.int64), scale)

    @cached_property
    def patterns(self) -> Patterns:
        """The units by their counts, units without a rating left out."""
        return patterns_of_counts(self.counts.astype(np.float64))

    @cached_property
    def n_rated(self) -> int:
        """Number of units with at least one rating."""
        return int(np.count_nonzero(self.counts.any(axis=1)))

    @cached_property
    def n_ratings(self) -> int:
        """Number of ratings."""
        return int(self.counts.sum())

    @cached_property
    def n_raters(self) -> int:
        """Most ratings of a unit, which is all that counts say of the number of raters."""
        return int(self.counts.sum(axis=1).max(initial=0))

    @property
    def n_missing(self) -> int:
        """0: counts hold no blanks."""
        return 0

    @property
    def has_pairs(self) -> bool:
        """True where some unit has two ratings."""
        return self.n_ratings > self.n_rated
