"""Krippendorff's alpha: 1 - observed / expected disagreement, of pairable values only.

Source: Krippendorff (2011), Computing Krippendorff's alpha-reliability. Units with fewer than two
values are dropped first. Ordinal distances come from the observed values, so points of the scale
that nobody used do not matter.
"""

import numpy as np

from metrics_app.stats.chance import ratio
from metrics_app.stats.patterns import Patterns
from metrics_app.stats.scales import Floats, Ints, Measurement
from metrics_app.stats.sums import sums_of
from metrics_app.stats.tables import RatingTable

# Rows of the table of ratio distances that are held at once.
_BLOCK = 1024


def distances(measurement: Measurement, points: Floats, values: Floats) -> Floats:
    """Return the squared distances of each two points, shape (..., q, q).

    ``values`` counts the pairable ratings by point, shape (..., q); only ``ordinal`` needs it.
    """
    if measurement == "nominal":
        return 1.0 - np.eye(points.size)
    if measurement == "ordinal":
        ranks = np.cumsum(values, axis=-1) - values / 2
        return np.asarray((ranks[..., :, None] - ranks[..., None, :]) ** 2)
    difference = np.subtract.outer(points, points)
    if measurement == "interval":
        return np.asarray(difference**2)
    total = np.add.outer(points, points)
    out = np.zeros_like(total)
    return np.asarray(np.divide(difference, total, out=out, where=total != 0) ** 2)


def alpha_of(values: Floats, observed: Floats, distance: Floats) -> Floats:
    """Return 1 - (n - 1) observed / sum n_c n_k d_ck; NaN where nothing differs.

    Parameters
    ----------
    values : array of float, shape (..., q)
        Pairable ratings by point.
    observed : array of float, shape (...)
        Sum of coincidences times distance.
    distance : array of float, shape (q, q) or (..., q, q)
        Squared distances.
    """
    if distance.ndim == 2:
        expected = ((values @ distance) * values).sum(axis=-1)
    else:
        expected = np.einsum("...c,...ck,...k->...", values, distance, values)
    n = values.sum(axis=-1)
    return np.asarray(1.0 - (n - 1) * ratio(observed, np.asarray(expected)))


def alpha_of_patterns(patterns: Patterns, points: Floats, measurement: Measurement) -> float:
    """Return alpha of ratings on declared points."""
    values = sums_of(patterns).values
    distance = distances(measurement, points, values)
    others = np.maximum(patterns.sizes - 1, 1.0)
    counts = patterns.counts
    disagreeing = (counts * (counts @ distance)).sum(axis=1) / others
    observed = (patterns.times * patterns.is_paired) @ disagreeing
    return float(alpha_of(values, np.asarray(observed), distance))


def alpha_of_range(table: RatingTable, measurement: Measurement) -> float:
    """Return alpha of ratings on a range, where each value may be its own."""
    is_pairable = table.ratings_per_unit[table.unit] >= 2
    unit, value = table.unit[is_pairable], table.value[is_pairable]
    if measurement == "ratio":
        return _ratio_alpha(unit, value)
    if measurement == "ordinal":
        value = midranks(value)
    observed, expected = squared_distances(unit, value, table.n_units)
    return float(1.0 - (value.size - 1) * ratio(np.asarray(observed), np.asarray(expected)))


def midranks(value: Floats) -> Floats:
    """Return the mean rank of each value; differences of these are ordinal distances."""
    _, position, counts = np.unique(value, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - counts / 2)[position])


def squared_distances(unit: Ints, value: Floats, n_units: int) -> tuple[float, float]:
    """Return the summed squared distances within units, each over m - 1, and over all pairs."""
    size = np.bincount(unit, minlength=n_units)
    mean = np.bincount(unit, weights=value, minlength=n_units) / np.maximum(size, 1)
    within = np.bincount(unit, weights=(value - mean[unit]) ** 2, minlength=n_units)
    observed = float((2 * size * within / np.maximum(size - 1, 1)).sum())
    expected = 2 * value.size * float(((value - value.mean()) ** 2).sum())
    return observed, expected


def _ratio_alpha(unit: Ints, value: Floats) -> float:
    points, code, counts = np.unique(value, return_inverse=True, return_counts=True)
    expected = 0.0
    for start in range(0, points.size, _BLOCK):
        rows = slice(start, start + _BLOCK)
        expected += float(counts[rows] @ (_ratio_distance(points[rows, None], points) @ counts))
    size = np.bincount(unit)
    observed = 0.0
    for lag in range(1, int(size.max(initial=1))):
        same = unit[lag:] == unit[:-lag]
        pair = _ratio_distance(value[lag:][same], value[:-lag][same])
        observed += 2 * float((pair / (size[unit[lag:][same]] - 1)).sum())
    return float(1.0 - (code.size - 1) * ratio(np.asarray(observed), np.asarray(expected)))


def _ratio_distance(left: Floats, right: Floats) -> Floats:
    total = left + right
    out = np.zeros_like(total)
    return np.asarray(np.divide(left - right, total, out=out, where=total != 0) ** 2)
