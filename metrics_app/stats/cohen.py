"""Cohen's kappa of two raters, and of all pairs of raters with enough units in common."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.stats.chance import CERTAIN, ratio
from metrics_app.stats.scales import Floats, Ints
from metrics_app.stats.tables import RatingTable

NAN = float("nan")
_HISTOGRAM = 4_000_000
# Fewer shared units make a kappa that says little.
MIN_SHARED = 10


@dataclass(frozen=True, eq=False)
class PairTables:
    """One contingency table for each pair of raters.

    Attributes
    ----------
    raters : list of tuple
        The keys of each pair.
    positions : array of int, shape (n_pairs, 2)
        The raters' positions in the table.
    tables : array of float, shape (n_pairs, q, q)
        Units by the category of the first (rows) and of the second rater (columns).
    n_too_few : int
        Pairs with units in common, but too few of them.
    """

    raters: list[tuple[Hashable, Hashable]]
    positions: Ints
    tables: Floats
    n_too_few: int

    @property
    def n_shared(self) -> Ints:
        """Units in common, shape (n_pairs,)."""
        return np.asarray(self.tables.sum(axis=(1, 2)), dtype=np.int64)


def rating_pairs(table: RatingTable) -> tuple[Ints, Ints]:
    """Return the rows of each two ratings of one unit, the rater earlier in the table first."""
    first, second = [], []
    most = int(table.ratings_per_unit.max(initial=0))
    for lag in range(1, most):
        rows = np.flatnonzero(table.unit[lag:] == table.unit[:-lag])
        first.append(rows)
        second.append(rows + lag)
    if not first:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate(first), np.concatenate(second)


def pair_tables(table: RatingTable, min_shared: int) -> PairTables:
    """Return the contingency table of each pair of raters with enough units in common."""
    raters, tables = _every_pair(table)
    n_shared = tables.sum(axis=(1, 2))
    is_enough = n_shared >= max(min_shared, 1)
    n_too_few = int(np.count_nonzero(n_shared > 0) - np.count_nonzero(is_enough))
    keys = table.rater_keys
    kept = [(keys[first], keys[second]) for first, second in raters[is_enough].tolist()]
    return PairTables(kept, raters[is_enough], tables[is_enough], n_too_few)


def _every_pair(table: RatingTable) -> tuple[Ints, Floats]:
    patterns, q, n_raters = table.rater_patterns, table.scale.n_points, table.n_raters
    if patterns is not None and patterns.cells is not None:
        first, second = np.triu_indices(n_raters, 1)
        cells = pair_cells(patterns.cells, q)
        sums = [
            np.bincount(column, weights=patterns.times, minlength=q * q + 1) for column in cells.T
        ]
        flat = np.array(sums, dtype=np.float64).reshape(-1, q * q + 1)[:, : q * q]
        return np.stack([first, second], axis=1), flat.reshape(-1, q, q)
    left, right = rating_pairs(table)
    pair = table.rater[left] * n_raters + table.rater[right]
    different, position, _ = _count(pair, n_raters**2)
    cell = table.codes[left] * q + table.codes[right]
    counts = np.bincount(position * q * q + cell, minlength=different.size * q * q)
    raters = np.stack(np.divmod(different, n_raters), axis=1)
    return raters, counts.reshape(-1, q, q).astype(np.float64)


def pair_cells(cells: Ints, q: int) -> Ints:
    """Return, for patterns by raters, the cell of each pair's table; q^2 where one is missing.

    The shape is (n_patterns, n_pairs), pairs in the order of `numpy.triu_indices`.
    """
    first, second = np.triu_indices(cells.shape[1], 1)
    left, right = cells[:, first], cells[:, second]
    return np.where((left >= 0) & (right >= 0), left * q + right, q * q)


def _count(pair: Ints, n_codes: int) -> tuple[Ints, Ints, Ints]:
    if n_codes > _HISTOGRAM:
        different, position, times = np.unique(pair, return_inverse=True, return_counts=True)
        return different, position, times
    all_times = np.bincount(pair, minlength=n_codes)
    different = np.flatnonzero(all_times)
    place = np.zeros(n_codes, dtype=np.int64)
    place[different] = np.arange(different.size)
    return different, place[pair], all_times[different]


def kappa_of(tables: Floats, weights: Floats) -> Floats:
    """Return kappa of contingency tables (..., q, q); NaN where chance agreement is 1.

    Whole numbers are subtracted before anything is divided, so a kappa of 0 is exactly 0.
    """
    n = tables.sum(axis=(-1, -2))
    agreed = n * np.tensordot(tables, weights, axes=2)
    expected = ((tables.sum(axis=-1) @ weights) * tables.sum(axis=-2)).sum(axis=-1)
    room = n * n - expected
    is_open = room > CERTAIN * n * n
    return ratio(np.asarray(agreed - expected), np.where(is_open, room, np.nan))


@dataclass(frozen=True, slots=True)
class Kappa:
    """Kappa of one pair of raters; NaN where undefined."""

    value: float = NAN
    se: float = NAN
    se_null: float = NAN
    pa: float = NAN
    pe: float = NAN
    undefined: str | None = None


def kappa_of_pair(table: Floats, weights: Floats) -> Kappa:
    """Return kappa of one contingency table (q, q) with its two standard errors.

    Source: Fleiss, Cohen and Everitt (1969): ``se`` for intervals, ``se_null`` for a test of
    kappa = 0.
    """
    n = float(table.sum())
    if not n:
        return Kappa(undefined="no_pairs")
    cells = table / n
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    pa, pe = float((cells * weights).sum()), float(rows @ weights @ columns)
    value = float(kappa_of(table, weights))
    if np.isnan(value):
        is_single = np.count_nonzero(rows + columns) < 2
        reason = "one_category" if is_single else "chance_is_certain"
        return Kappa(pa=pa, pe=pe, undefined=reason)
    if n < 2:
        return Kappa(value, NAN, NAN, pa, pe)
    expected = np.add.outer(weights @ columns, rows @ weights)
    spread = (cells * (weights - (1 - value) * expected) ** 2).sum()
    variance = spread - (value - pe * (1 - value)) ** 2
    null = (np.outer(rows, columns) * (weights - expected) ** 2).sum() - pe**2
    se, se_null = (_root(part / n) / (1 - pe) for part in (variance, null))
    return Kappa(value, se, se_null, pa, pe)


def _root(variance: npt.ArrayLike) -> float:
    # Rounding can carry a variance of 0 a hair below it.
    return float(np.sqrt(np.maximum(variance, 0.0)))
