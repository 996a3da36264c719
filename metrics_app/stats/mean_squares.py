"""Mean squares of ratings, and the intraclass correlations that follow from them.

All functions work on sums over units, alone or with a leading axis of resamples.
"""

from dataclasses import dataclass

import numpy as np

from metrics_app.stats.chance import ratio
from metrics_app.stats.scales import Floats

# A mean square this small beside the total is rounding.
_ROUNDING = 1e-13


@dataclass(frozen=True, eq=False)
class MeanSquares:
    """Mean squares of n units with k ratings; a leading axis, if any, counts resamples.

    ``rows`` between units; ``columns`` between raters and ``error`` in the two-way layout, where
    the one-way layout has ``columns`` NaN and ``error`` within units.
    """

    rows: Floats
    columns: Floats
    error: Floats
    n: Floats
    k: Floats


def icc_of(squares: MeanSquares, form: str) -> Floats:
    """Return the ICC of mean squares, NaN where its denominator is not positive."""
    rows, columns, error = squares.rows, squares.columns, squares.error
    # A resample may hold no unit at all.
    n, k = np.where(squares.n > 0, squares.n, np.nan), squares.k
    below = {
        "ICC(1,1)": rows + (k - 1) * error,
        "ICC(C,1)": rows + (k - 1) * error,
        "ICC(A,1)": rows + (k - 1) * error + ratio(k, n) * (columns - error),
        "ICC(1,k)": rows,
        "ICC(C,k)": rows,
        "ICC(A,k)": rows + ratio(columns - error, n),
    }[form]
    # What is left of mean squares that cancel out is rounding, and no denominator.
    least = _ROUNDING * k * (rows + np.nan_to_num(columns) + error)
    return ratio(rows - error, np.where(below > least, below, np.nan))


def oneway_features(size: Floats, total: Floats, square: Floats) -> Floats:
    """Return what a unit adds to the one-way sums: 1, m, m^2, sum x, sum x^2, (sum x)^2 / m."""
    is_used = size >= 2
    mean_square = np.divide(total**2, size, out=np.zeros_like(total), where=size > 0)
    columns = [np.ones_like(size), size, size**2, total, square, mean_square]
    return np.stack(columns, axis=-1) * is_used[..., None]


def oneway_squares(sums: Floats) -> MeanSquares:
    """Return the mean squares of one-way sums (..., 6); k is n0 where units differ in size."""
    n, ratings, squared_sizes, total, square, means = np.moveaxis(sums, -1, 0)
    correction = ratio(total**2, ratings)
    k = ratio(ratings - ratio(squared_sizes, ratings), n - 1)
    between, within = means - correction, square - means
    rows = ratio(_not_rounding(between, square), n - 1)
    error = ratio(_not_rounding(within, square), ratings - n)
    return MeanSquares(rows, np.full_like(rows, np.nan), error, n, k)


def twoway_features(values: Floats) -> Floats:
    """Return what complete units (..., k) add: 1, sum x^2, (sum x)^2 / k, and each x."""
    ones = np.ones((*values.shape[:-1], 1))
    square = (values**2).sum(axis=-1, keepdims=True)
    mean_square = values.sum(axis=-1, keepdims=True) ** 2 / values.shape[-1]
    return np.concatenate([ones, square, mean_square, values], axis=-1)


def twoway_squares(sums: Floats) -> MeanSquares:
    """Return the mean squares of two-way sums (..., 3 + k)."""
    n, square, means, raters = sums[..., 0], sums[..., 1], sums[..., 2], sums[..., 3:]
    k = np.full_like(n, raters.shape[-1])
    correction = ratio(raters.sum(axis=-1) ** 2, n * k)
    rows = means - correction
    columns = ratio((raters**2).sum(axis=-1), n) - correction
    error = square - correction - rows - columns
    return MeanSquares(
        ratio(_not_rounding(rows, square), n - 1),
        ratio(_not_rounding(columns, square), k - 1),
        ratio(_not_rounding(error, square), (n - 1) * (k - 1)),
        n,
        k,
    )


def _not_rounding(part: Floats, square: Floats) -> Floats:
    return np.where(part > _ROUNDING * square, part, 0.0)
