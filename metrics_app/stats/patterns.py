"""Units that were rated alike, counted once: what makes a million units as cheap as a hundred."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.stats.scales import Floats, Ints, Scale
from metrics_app.stats.tables import RatingTable

# Above this a float no longer holds every integer, and a sum of powers would mix patterns up.
_EXACT = 2**53
_HISTOGRAM = 4_000_000


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
        cells = np.asarray(counts, dtype=np.float64)
        if cells.ndim != 2 or not cells.shape[1]:
            raise ValueError("counts need two dimensions, units by categories")
        if not np.isfinite(cells).all() or (cells < 0).any() or (cells % 1).any():
            raise ValueError("counts must be whole numbers, not negative and none missing")
        scale = scale or Scale.points(range(1, cells.shape[1] + 1))
        if scale.n_points != cells.shape[1]:
            raise ValueError(f"{cells.shape[1]} columns of counts need as many points on the scale")
        return cls(cells.astype(np.int64), scale)


@dataclass(frozen=True, eq=False)
class Patterns:
    """The different patterns of rating, and how many units show each.

    Attributes
    ----------
    counts : array of float, shape (n_patterns, q)
        Ratings of a unit by category.
    times : array of float, shape (n_patterns,)
        Number of units; units without a rating are left out.
    of_unit : array of int, shape (n_units,)
        Pattern of each unit; -1 for a unit without a rating.
    cells : array of int, shape (n_patterns, n_raters), or None
        Category of each rater, -1 where missing; None where raters are not told apart.
    """

    counts: Floats
    times: Floats
    of_unit: Ints
    cells: Ints | None = None

    @property
    def sizes(self) -> Floats:
        """Ratings of a unit, shape (n_patterns,)."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def is_paired(self) -> npt.NDArray[np.bool_]:
        """Whether a unit of the pattern has two ratings or more."""
        return np.asarray(self.sizes >= 2)

    @property
    def n_units(self) -> int:
        """Units with at least one rating."""
        return int(self.times.sum())


def count_patterns(table: RatingTable | CountTable) -> Patterns:
    """Return the patterns of a table, raters not told apart."""
    if isinstance(table, CountTable):
        return _from_counts(table.counts.astype(np.float64))
    q = table.scale.n_points
    base = int(table.ratings_per_unit.max(initial=0)) + 1
    if base**q >= _EXACT:
        flat = np.bincount(table.unit * q + table.codes, minlength=table.n_units * q)
        return _from_counts(flat.reshape(table.n_units, q).astype(np.float64))
    powers = np.power(float(base), np.arange(q), dtype=np.float64)
    code = _sum_per_unit(table, powers[table.codes]).astype(np.int64)
    different, times, of_unit = _histogram(code, base**q)
    counts = (different[:, None] // powers.astype(np.int64)) % base
    return _without_empty(counts.astype(np.float64), times, of_unit, None)


def rater_patterns(table: RatingTable) -> Patterns | None:
    """Return the patterns of a table with raters told apart; None where there are too many."""
    q, n_raters = table.scale.n_points, table.n_raters
    if (q + 1) ** n_raters >= _EXACT:
        return None
    powers = np.power(float(q + 1), np.arange(n_raters), dtype=np.float64)
    terms = np.asarray((table.codes + 1) * powers[table.rater], dtype=np.float64)
    code = _sum_per_unit(table, terms).astype(np.int64)
    different, times, of_unit = _histogram(code, (q + 1) ** n_raters)
    cells = (different[:, None] // powers.astype(np.int64)) % (q + 1) - 1
    counts = np.stack([(cells == k).sum(axis=1) for k in range(q)], axis=1)
    return _without_empty(counts.astype(np.float64), times, of_unit, cells)


def _sum_per_unit(table: RatingTable, terms: Floats) -> Floats:
    if table.is_complete:
        return np.asarray(terms.reshape(table.n_units, table.n_raters).sum(axis=1))
    return np.asarray(
        np.bincount(table.unit, weights=terms, minlength=table.n_units), dtype=np.float64
    )


def _histogram(code: Ints, n_codes: int) -> tuple[Ints, Ints, Ints]:
    if n_codes > _HISTOGRAM:
        different, of_unit, times = np.unique(code, return_inverse=True, return_counts=True)
        return different, times, of_unit
    all_times = np.bincount(code, minlength=n_codes)
    different = np.flatnonzero(all_times)
    position = np.zeros(n_codes, dtype=np.int64)
    position[different] = np.arange(different.size)
    return different, all_times[different], position[code]


def _without_empty(counts: Floats, times: Ints, of_unit: Ints, cells: Ints | None) -> Patterns:
    is_rated = counts.sum(axis=1) > 0
    if is_rated.all():
        return Patterns(counts, times.astype(np.float64), of_unit, cells)
    position = np.where(is_rated, np.cumsum(is_rated) - 1, -1)
    return Patterns(
        counts[is_rated],
        times[is_rated].astype(np.float64),
        position[of_unit],
        None if cells is None else cells[is_rated],
    )


def _from_counts(counts: Floats) -> Patterns:
    n_units = len(counts)
    return _without_empty(counts, np.ones(n_units, dtype=np.int64), np.arange(n_units), None)
