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


@dataclass(frozen=True, eq=False)
class PairTables:
    """One contingency table for each pair of raters.

    Attributes
    ----------
    raters : list of tuple
        The keys of each pair.
    tables : array of float, shape (n_pairs, q, q)
        Units by the category of the first (rows) and of the second rater (columns).
    n_too_few : int
        Pairs with units in common, but too few of them.
    """

    raters: list[tuple[Hashable, Hashable]]
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
    first, second = rating_pairs(table)
    q, n_raters = table.scale.n_points, table.n_raters
    pair = table.rater[first] * n_raters + table.rater[second]
    different, position, n_shared = _count(pair, n_raters**2)
    is_enough = n_shared >= min_shared
    kept = np.cumsum(is_enough) - 1
    rows = is_enough[position]
    cell = table.codes[first[rows]] * q + table.codes[second[rows]]
    n_pairs = int(is_enough.sum())
    tables = np.bincount(kept[position[rows]] * q * q + cell, minlength=n_pairs * q * q)
    raters = [
        (table.rater_keys[code // n_raters], table.rater_keys[code % n_raters])
        for code in different[is_enough].tolist()
    ]
    return PairTables(
        raters, tables.reshape(n_pairs, q, q).astype(np.float64), int((~is_enough).sum())
    )


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
