"""Units that were rated alike, counted once: what makes a million units as cheap as a hundred."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from metrics_app.stats.scales import Codes, Floats, Ints, code_type

# So few possible patterns are counted without a sort.
HISTOGRAM = 4_000_000
# Above this a float no longer holds every integer, and a sum of powers would mix patterns up.
_EXACT = 2**53


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

    @cached_property
    def sizes(self) -> Floats:
        """Ratings of a unit, shape (n_patterns,)."""
        return np.asarray(self.counts.sum(axis=1))

    @cached_property
    def is_paired(self) -> npt.NDArray[np.bool_]:
        """Whether a unit of the pattern has two ratings or more."""
        return np.asarray(self.sizes >= 2)

    @property
    def n_units(self) -> int:
        """Units with at least one rating."""
        return int(self.times.sum())


def count_patterns(unit: Ints, codes: Codes, n_units: int, q: int) -> Patterns:
    """Return the patterns of ratings sorted by unit, raters not told apart."""
    base = int(np.bincount(unit, minlength=1).max()) + 1
    if base**q >= _EXACT:
        flat = np.bincount(unit * q + codes, minlength=n_units * q)
        return patterns_of_counts(flat.reshape(n_units, q).astype(np.float64))
    powers = np.power(base, np.arange(q), dtype=np.int64)
    code = _sum_per_unit(unit, powers[codes], n_units)
    different, times, of_unit = _histogram(code, base**q)
    counts = (different[:, None] // powers) % base
    return _without_empty(counts.astype(np.float64), times, of_unit, None)


def rater_patterns(
    unit: Ints, rater: Ints, codes: Codes, shape: tuple[int, int], q: int
) -> Patterns | None:
    """Return the patterns of ratings with raters told apart; None where there are too many.

    ``shape`` is the number of units and of raters.
    """
    n_units, n_raters = shape
    if (q + 1) ** n_raters >= _EXACT:
        return None
    powers = np.power(q + 1, np.arange(n_raters), dtype=np.int64)
    if codes.size == n_units * n_raters:
        # Nothing is missing, so the ratings of a unit are a row of a matrix.
        code = _codes_of_rows(codes.reshape(n_units, n_raters), q)
    else:
        code = _sum_per_unit(unit, (codes.astype(np.int64) + 1) * powers[rater], n_units)
    different, times, of_unit = _histogram(code, (q + 1) ** n_raters)
    cells = (different[:, None] // powers) % (q + 1) - 1
    counts = np.stack([(cells == k).sum(axis=1) for k in range(q)], axis=1)
    return _without_empty(counts.astype(np.float64), times, of_unit, cells)


def patterns_of_counts(counts: Floats) -> Patterns:
    """Return one pattern a unit, from its ratings by category."""
    n_units = len(counts)
    return _without_empty(counts, np.ones(n_units, dtype=np.int64), np.arange(n_units), None)


def _codes_of_rows(codes: Codes, q: int) -> Codes:
    """Return each row as one number in base q + 1, as short as it can be."""
    n_raters = codes.shape[1]
    code = np.zeros(len(codes), dtype=code_type((q + 1) ** n_raters))
    for column in codes.T[::-1]:
        code *= q + 1
        code += column
    code += ((q + 1) ** n_raters - 1) // q  # one more in every place, since 0 is missing
    return code


def _sum_per_unit(unit: Ints, terms: Ints, n_units: int) -> Ints:
    if terms.size and terms.size % n_units == 0:
        blocks = unit.reshape(n_units, -1)
        places = np.arange(n_units)
        if np.array_equal(blocks[:, 0], places) and np.array_equal(blocks[:, -1], places):
            # The units ascend, so equal ends mean that every unit has as many ratings.
            return np.asarray(terms.reshape(blocks.shape).sum(axis=1))
    sums = np.bincount(unit, weights=terms, minlength=n_units)
    return np.asarray(sums, dtype=np.int64)


def _histogram(short: Codes, n_codes: int) -> tuple[Ints, Ints, Ints]:
    code: Ints = short.astype(np.int64, copy=False)
    if n_codes > HISTOGRAM:
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
