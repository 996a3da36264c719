"""Raters two by two: the contingency table of each pair with enough units in common."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.stats.patterns import HISTOGRAM
from metrics_app.stats.scales import Floats, Ints
from metrics_app.stats.tables import RatingTable

# Fewer shared units make a kappa that says little.
MIN_SHARED = 10


@dataclass(frozen=True, eq=False)
class Meetings:
    """Every two ratings of one unit.

    Attributes
    ----------
    row, pair, cell : array of int, shape (n_meetings,)
        Row of units, pair of raters, and cell of the pair's flattened table.
    times : array of float, shape (n_rows,)
        Units in each row.
    """

    row: Ints
    pair: Ints
    cell: Ints
    times: Floats

    def tables(self, n_pairs: int, q: int) -> Floats:
        """Return the contingency tables, shape (n_pairs, q, q)."""
        flat = np.bincount(
            self.pair * q * q + self.cell,
            weights=self.times[self.row],
            minlength=n_pairs * q * q,
        )
        return np.asarray(flat.reshape(n_pairs, q, q), dtype=np.float64)

    def sum_per_row(self, terms: Floats) -> Floats:
        """Return, by row of units, the sum of a term (n_pairs, q, q) of each cell met."""
        q = terms.shape[-1]
        flat = terms.reshape(len(terms), q * q)[self.pair, self.cell]
        sums = np.bincount(self.row, weights=flat, minlength=self.times.size)
        return np.asarray(sums, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class PairTables:
    """One contingency table for each pair of raters.

    Attributes
    ----------
    raters : list of tuple
        The keys of each pair.
    tables : array of float, shape (n_pairs, q, q)
        Units by the category of the first (rows) and of the second rater (columns).
    meetings : Meetings
        What the tables count.
    n_too_few : int
        Pairs with units in common, but too few of them.
    """

    raters: list[tuple[Hashable, Hashable]]
    tables: Floats
    meetings: Meetings
    n_too_few: int

    def part(self, is_kept: npt.NDArray[np.bool_]) -> "PairTables":
        """Return some of the pairs; ``is_kept`` has shape (n_pairs,)."""
        place = np.cumsum(is_kept) - 1
        met, kept = self.meetings, is_kept[self.meetings.pair]
        meetings = Meetings(met.row[kept], place[met.pair[kept]], met.cell[kept], met.times)
        raters = [pair for pair, is_in in zip(self.raters, is_kept, strict=True) if is_in]
        return PairTables(raters, self.tables[is_kept], meetings, self.n_too_few)

    @property
    def n_shared(self) -> Ints:
        """Units in common, shape (n_pairs,)."""
        return np.asarray(self.tables.sum(axis=(1, 2)), dtype=np.int64)


def pair_tables(table: RatingTable, min_shared: int) -> PairTables:
    """Return the contingency table of each pair of raters with enough units in common."""
    q = table.scale.n_points
    raters, met = _meetings(table, q)
    n_shared = np.bincount(met.pair, weights=met.times[met.row], minlength=len(raters))
    is_enough = n_shared >= max(min_shared, 1)
    is_kept = is_enough[met.pair]
    place = np.cumsum(is_enough) - 1
    kept = Meetings(met.row[is_kept], place[met.pair[is_kept]], met.cell[is_kept], met.times)
    keys = table.rater_keys
    names = [(keys[first], keys[second]) for first, second in raters[is_enough].tolist()]
    n_too_few = int(np.count_nonzero(n_shared) - len(names))
    return PairTables(names, kept.tables(len(names), q), kept, n_too_few)


def _meetings(table: RatingTable, q: int) -> tuple[Ints, Meetings]:
    patterns = table.rater_patterns
    if patterns is not None and patterns.cells is not None:
        cells = pair_cells(patterns.cells, q)
        row, pair = np.nonzero(cells < q * q)
        raters = np.stack(np.triu_indices(table.n_raters, 1), axis=1)
        return raters, Meetings(row, pair, cells[row, pair], patterns.times)
    left, right = rating_pairs(table)
    code = table.rater[left] * table.n_raters + table.rater[right]
    different, pair = distinct(code, table.n_raters**2)
    raters = np.stack(np.divmod(different, table.n_raters), axis=1)
    cell = table.codes[left].astype(np.int64) * q + table.codes[right]
    return raters, Meetings(table.unit[left], pair, cell, np.ones(table.n_units))


def pair_cells(cells: Ints, q: int) -> Ints:
    """Return, for patterns by raters, the cell of each pair's table; q^2 where one is missing.

    The shape is (n_patterns, n_pairs), pairs in the order of `numpy.triu_indices`.
    """
    first, second = np.triu_indices(cells.shape[1], 1)
    left, right = cells[:, first], cells[:, second]
    return np.where((left >= 0) & (right >= 0), left * q + right, q * q)


def rating_pairs(table: RatingTable) -> tuple[Ints, Ints]:
    """Return the rows of each two ratings of one unit, the rater earlier in the table first."""
    first, second = [], []
    for lag in range(1, int(table.ratings_per_unit.max(initial=0))):
        rows = np.flatnonzero(table.unit[lag:] == table.unit[:-lag])
        first.append(rows)
        second.append(rows + lag)
    if not first:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    return np.concatenate(first), np.concatenate(second)


def distinct(codes: Ints, n_codes: int) -> tuple[Ints, Ints]:
    """Return the different codes below n_codes, ascending, and the place of each among them."""
    if n_codes > HISTOGRAM:
        different, place = np.unique(codes, return_inverse=True)
        return different, place
    is_met = np.zeros(n_codes, dtype=np.bool_)
    is_met[codes] = True
    different = np.flatnonzero(is_met)
    place = np.zeros(n_codes, dtype=np.int64)
    place[different] = np.arange(different.size)
    return different, place[codes]
