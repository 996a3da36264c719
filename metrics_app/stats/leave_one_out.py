"""Krippendorff's alpha of the raters without each of them in turn, for all of them at once."""

import numpy as np

from metrics_app.stats.alpha import alpha_of, distances
from metrics_app.stats.scales import Codes, Floats, Measurement
from metrics_app.stats.tables import RatingTable


def alpha_without_each(table: RatingTable, measurement: Measurement) -> Floats:
    """Return alpha of all raters but one, by the rater left out, shape (n_raters,).

    Only the units of the rater that goes change, so the coincidences of all units are counted
    once and corrected for each rater: the work grows with the ratings, not with ratings times
    raters as in `metrics_app.stats.scopes.leave_one_rater_out`, whose values these are.

    Parameters
    ----------
    table : RatingTable
        Ratings on declared points.
    measurement : {"nominal", "ordinal", "interval", "ratio"}
        Kind of distance.

    Returns
    -------
    numpy.ndarray
        NaN where no unit keeps two ratings, or all that are left are equal.

    Raises
    ------
    ValueError
        If the scale is a range.
    """
    if table.scale.is_range:
        raise ValueError("leaving each rater out at once needs declared points, not a range")
    points = np.asarray(table.scale.values)
    q = points.size
    cells = np.bincount(table.unit * q + table.codes, minlength=table.n_units * q)
    counts = cells.reshape(table.n_units, q).astype(np.float64)
    everyone = _coincidences(counts)
    order = np.argsort(table.rater, kind="stable")
    ends = np.cumsum(np.bincount(table.rater, minlength=table.n_raters))[:-1]
    left = np.stack(
        [
            everyone + _change(counts[table.unit[rows]], table.codes[rows])
            for rows in np.split(order, ends)
        ]
    )
    values = np.rint(left.sum(axis=-1))  # each row of coincidences sums to a count of ratings
    distance = distances(measurement, points, values)
    return alpha_of(values, np.asarray((left * distance).sum(axis=(-2, -1))), distance)


def _change(before: Floats, gone: Codes) -> Floats:
    after = before.copy()
    after[np.arange(len(gone)), gone] -= 1
    return _coincidences(after) - _coincidences(before)


def _coincidences(counts: Floats) -> Floats:
    """Return the pairs of values within units, each unit weighing its ratings, shape (q, q)."""
    size = counts.sum(axis=1)
    kept = counts[size > 1]
    weight = 1 / (size[size > 1] - 1)
    pairs = (kept * weight[:, None]).T @ kept
    return np.asarray(pairs - np.diag(kept.T @ weight))
