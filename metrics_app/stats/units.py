"""The different units of a table, as sums of squares and resamples read them."""

from dataclasses import dataclass

import numpy as np

from metrics_app.stats.patterns import Patterns
from metrics_app.stats.scales import Floats, Ints
from metrics_app.stats.tables import RatingTable

# Beyond this many numbers raters are not told apart in resamples.
MOST_CELLS = 20_000_000


@dataclass(frozen=True, eq=False)
class Units:
    """Different units of a table: patterns on points, single units on a range.

    Attributes
    ----------
    patterns : Patterns or None
        None on a range.
    times : array of float, shape (n_rows,)
        Units in each row.
    of_unit : array of int, shape (n_units,)
        Row of each unit, -1 for none.
    size, total, square : array of float, shape (n_rows,)
        Ratings of a unit, their sum and sum of squares, from centred values.
    cells : array of float, shape (n_rows, n_raters), or None
        Centred ratings, NaN where missing; None where raters are not told apart.
    """

    patterns: Patterns | None
    times: Floats
    of_unit: Ints
    size: Floats
    total: Floats
    square: Floats
    cells: Floats | None


def units_of(table: RatingTable) -> Units:
    """Return the different units of a table that has ratings."""
    if table.scale.is_range:
        return _units_of_range(table, float(table.value.mean()))
    patterns = _affordable(table)
    points = np.asarray(table.scale.values)
    points = points - patterns.times @ (patterns.counts @ points) / table.n_ratings
    cells = None
    if patterns.cells is not None:
        cells = np.where(patterns.cells >= 0, points[np.maximum(patterns.cells, 0)], np.nan)
    total, square = patterns.counts @ points, patterns.counts @ points**2
    return Units(patterns, patterns.times, patterns.of_unit, patterns.sizes, total, square, cells)


def _affordable(table: RatingTable) -> Patterns:
    patterns, q = table.rater_patterns, table.scale.n_points
    pairs = table.n_raters * (table.n_raters - 1) // 2
    if patterns is None or patterns.times.size * pairs * q * q > MOST_CELLS:
        return table.patterns
    return patterns


def _units_of_range(table: RatingTable, centre: float) -> Units:
    n, value = table.n_units, table.value - centre
    size = table.ratings_per_unit.astype(np.float64)
    total, square = (
        np.bincount(table.unit, weights=part, minlength=n).astype(np.float64)
        for part in (value, value**2)
    )
    cells = None
    if n * table.n_raters <= MOST_CELLS:
        cells = np.full((n, table.n_raters), np.nan)
        cells[table.unit, table.rater] = value
    is_rated = size > 0
    times = is_rated.astype(np.float64)
    return Units(None, times, np.where(is_rated, np.arange(n), -1), size, total, square, cells)


def complete_units(table: RatingTable) -> tuple[Floats, Floats]:
    """Return the units that every rater rated: ratings (n_rows, n_raters), and units in each row.

    Units that were rated alike are one row where the scale has points and raters are few.
    """
    patterns = None if table.scale.is_range else table.rater_patterns
    if patterns is not None and patterns.cells is not None:
        is_complete = (patterns.cells >= 0).all(axis=1)
        points = np.asarray(table.scale.values)
        return points[patterns.cells[is_complete]], patterns.times[is_complete]
    rows = (table.ratings_per_unit == table.n_raters)[table.unit]
    values = table.value[rows].reshape(-1, table.n_raters)
    return values, np.ones(len(values))
