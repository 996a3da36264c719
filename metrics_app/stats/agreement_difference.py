"""Differences of two groups, dimensions or coefficients: a paired bootstrap of shared items."""

import math
from collections.abc import Mapping

import numpy as np

from metrics_app.stats.agreement_report import clusters_of
from metrics_app.stats.coefficients import Coefficient, weight_matrices
from metrics_app.stats.features import Blocks, feature_rows, makers_of
from metrics_app.stats.intervals import percentile_interval
from metrics_app.stats.resampling import Rows
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Floats, Ints
from metrics_app.stats.table_checks import factorize
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.units import units_of

Side = tuple[RatingTable, Coefficient]
Place = tuple[slice, Mapping[str, slice]]


def agreement_difference(
    first: Side,
    second: Side,
    *,
    rng: np.random.Generator,
    n_resamples: int = 1000,
    confidence: float = 0.95,
) -> Estimate:
    """Return the agreement of the first side minus that of the second, with an interval.

    Parameters
    ----------
    first, second : tuple of RatingTable and Coefficient
        Two groups of raters, or two dimensions, on the same items; or one table with two
        coefficients. `metrics_app.stats.coefficients.find_coefficient` gives the coefficient.
    rng : numpy.random.Generator
        Source of every draw.
    n_resamples : int
        Number of resamples. Each draws the same items, with all their units, from both tables;
        units where the tables have no items.
    confidence : float
        Coverage of the percentile interval.

    Returns
    -------
    Estimate
        ``details`` hold the values ``first`` and ``second``. p is two-sided, from the share of
        resamples on either side of 0 with one added to count and number. Undefined where either
        coefficient is; resamples in which either is undefined are left out and counted.

    Raises
    ------
    ValueError
        For a coefficient that cannot be resampled, or tables of which one alone has items.
    """
    sides = (first, second)
    points = [coefficient.estimate(table) for table, coefficient in sides]
    reasons = [point.undefined for point in points if point.undefined]
    details = {"first": points[0].value, "second": points[1].value}
    words = f"difference: {points[0].method}, minus {points[1].method}"
    if reasons:
        return Estimate("agreement_difference", math.nan, undefined=reasons[0], details=details)
    rows, blocks, drawn = _joint_rows(sides)
    sampled = np.concatenate(
        [_difference(sums, blocks, sides) for sums in rows.resampled(n_resamples, rng)]
    )
    defined = sampled[~np.isnan(sampled)]
    return Estimate(
        statistic="agreement_difference",
        value=points[0].value - points[1].value,
        se=float(defined.std(ddof=1)) if defined.size > 1 else math.nan,
        ci=percentile_interval(sampled, confidence),
        ci_method=f"percentile bootstrap, {n_resamples} resamples of {drawn}, paired",
        confidence=confidence,
        p=_two_sided(defined),
        method=f"{words}; p two-sided",
        n_units=int(rows.times.sum()),
        n_ratings=points[0].n_ratings + points[1].n_ratings,
        n_undefined=int(sampled.size - defined.size),
        details=details,
    )


def _joint_rows(sides: tuple[Side, Side]) -> tuple[Rows, list[Place], str]:
    """Return rows that hold the features of both tables side by side."""
    plans = [_rows_of(table, coefficient) for table, coefficient in sides]
    tables = [table for table, _ in sides]
    clusters = [clusters_of(table) for table in tables]
    has_items = any(codes is not None for codes in clusters)
    keys = [list(_keys(table, has_items=has_items)) for table in tables]
    codes, names = factorize([*keys[0], *keys[1]])
    split = codes[: len(keys[0])], codes[len(keys[0]) :]
    parts = [(rows, own, of_unit) for (rows, _, of_unit), own in zip(plans, split, strict=True)]
    rows = _side_by_side(parts, len(names), has_items=has_items)
    width = plans[0][0].features.shape[1]
    blocks: list[Place] = [
        (slice(0, width), plans[0][1]),
        (slice(width, None), plans[1][1]),
    ]
    return rows, blocks, "items with all their units" if has_items else "units"


def _rows_of(table: RatingTable, coefficient: Coefficient) -> tuple[Rows, dict[str, slice], Ints]:
    units = units_of(table)
    if not coefficient.value or (coefficient.needs_raters and units.cells is None):
        raise ValueError(f"{coefficient.statistic} of this table cannot be resampled")
    makers = makers_of(table, weight_matrices(table))
    rows, places = feature_rows(units, makers, coefficient.needs)
    return rows, places, units.of_unit


def _keys(table: RatingTable, *, has_items: bool) -> list[object]:
    if not has_items:
        return list(table.unit_keys)
    if table.item is None:
        raise ValueError("one table has items and the other has none")
    return list(table.item)


def _side_by_side(parts: list[tuple[Rows, Ints, Ints]], n_keys: int, *, has_items: bool) -> Rows:
    if has_items:
        joined = [rows.clustered(own, of_unit, n_keys).features for rows, own, of_unit in parts]
        return Rows(np.concatenate(joined, axis=1), np.ones(n_keys))
    # Units that look alike in both tables are one row.
    padded, code = [], np.zeros(n_keys, dtype=np.int64)
    for rows, own, of_unit in parts:
        n_rows = len(rows.times)
        row = np.full(n_keys, n_rows)
        row[own] = np.where(of_unit >= 0, of_unit, n_rows)
        code = code * (n_rows + 1) + row
        padded.append(np.concatenate([rows.features, np.zeros((1, rows.features.shape[1]))]))
    different, times = np.unique(code, return_counts=True)
    left, right = np.divmod(different, len(padded[1]))
    features = np.concatenate([padded[0][left], padded[1][right]], axis=1)
    return Rows(features, times.astype(np.float64))


def _difference(sums: Floats, blocks: list[Place], sides: tuple[Side, Side]) -> Floats:
    first, second = (
        coefficient.value(Blocks(sums[:, part], places))
        for (part, places), (_, coefficient) in zip(blocks, sides, strict=True)
        if coefficient.value
    )
    return np.asarray(first - second)


def _two_sided(defined: Floats) -> float:
    if not defined.size:
        return math.nan
    tail = min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0))
    return min(1.0, 2 * (1 + tail) / (1 + defined.size))
