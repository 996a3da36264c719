"""A correlation in every column of two matrices at once."""

import numpy as np
import numpy.typing as npt
from scipy import stats

from metrics_app.stats.correlation import COEFFICIENTS, require_coefficient
from metrics_app.stats.samples import ROUNDING, Floats

# Above so many rows the n log n count of one column beats the table of all its pairs.
_MOST_ROWS_IN_PAIRS = 1_000
_CELLS_AT_ONCE = 2_000_000
# Few rows are ranked sooner by comparing them all than by a sort of each column.
_MOST_ROWS_COMPARED = 32


def correlate_columns(x: Floats, y: Floats, coefficient: str) -> Floats:
    """Return the coefficient of x and y in each column.

    Parameters
    ----------
    x, y : array, n rows x m columns
        NaN is missing; a cell missing in either matrix is left out of its column.
    coefficient : str
        A name of `metrics_app.stats.correlation.COEFFICIENTS`.

    Returns
    -------
    array, length m
        NaN where a column has fewer than two pairs or is constant (tau a is then 0).
    """
    require_coefficient(coefficient)
    gone = np.isnan(x) | np.isnan(y)
    x, y = np.where(gone, np.nan, x), np.where(gone, np.nan, y)
    if not x.size:
        return np.full(x.shape[1], np.nan)
    if coefficient == "pearson":
        return _moments(x, y, floor=ROUNDING)
    if coefficient == "spearman":
        return _moments(rank_columns(x), rank_columns(y), floor=0)
    if x.shape[0] > _MOST_ROWS_IN_PAIRS:
        columns = zip(x.T, y.T, strict=True)
        return np.array([COEFFICIENTS[coefficient](a, b).value for a, b in columns])
    step = max(1, _CELLS_AT_ONCE // max(1, x.shape[0] ** 2 // 2))
    starts = range(0, x.shape[1], step)
    return np.concatenate(
        [_taus(x[:, i : i + step], y[:, i : i + step], coefficient) for i in starts]
    )


def rank_columns(values: Floats) -> Floats:
    """Return average ranks within each column; a missing value keeps NaN and takes no rank."""
    if values.shape[0] <= _MOST_ROWS_COMPARED:
        # Half a rank for each value that is not above, half for each that is below.
        above, not_below = (
            compare(values[:, None], values).sum(axis=1)
            for compare in (np.greater, np.greater_equal)
        )
        return np.where(np.isnan(values), np.nan, (above + not_below + 1) / 2)
    return np.asarray(stats.rankdata(values, axis=0, nan_policy="omit"), dtype=np.float64)


def pair_signs(values: Floats) -> npt.NDArray[np.int8]:
    """Return the signs of all row differences, n (n - 1) / 2 rows; 0 for a tie or a missing value.

    Values are compared, not subtracted, so that no overflow and no rounding can mislead.
    """
    first, second = np.triu_indices(values.shape[0], 1)
    a, b = values[first], values[second]
    return np.greater(a, b).astype(np.int8) - np.less(a, b).astype(np.int8)


def _moments(x: Floats, y: Floats, *, floor: float) -> Floats:
    there = ~np.isnan(x)
    count = there.sum(axis=0)
    dx, flat_x = _unit_deviations(x, there, count, floor)
    dy, flat_y = _unit_deviations(y, there, count, floor)
    r = np.clip((dx * dy).sum(axis=0), -1, 1)
    r = np.where(count == 2, np.sign(r), r)
    return np.where((count < 2) | flat_x | flat_y, np.nan, r)


def _unit_deviations(
    values: Floats, there: npt.NDArray[np.bool_], count: npt.NDArray[np.int_], floor: float
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Return deviations from the column's mean scaled to length 1, and which columns are flat."""
    filled = np.where(there, values, 0)
    low = np.where(there, values, np.inf).min(axis=0)
    high = np.where(there, values, -np.inf).max(axis=0)
    flat = (high - low) <= floor * np.abs(filled).max(axis=0)
    deviations = np.where(there, filled - filled.sum(axis=0) / np.maximum(count, 1), 0)
    length = np.sqrt((deviations**2).sum(axis=0))
    return deviations / np.where(flat | (length == 0), 1, length), flat | (length == 0)


def _taus(x: Floats, y: Floats, coefficient: str) -> Floats:
    signs_x, signs_y = pair_signs(x), pair_signs(y)
    surplus = (signs_x * signs_y).sum(axis=0, dtype=np.int64)
    count = (~np.isnan(x)).sum(axis=0)
    if coefficient == "kendall_tau_a":
        bottom = count * (count - 1) / 2
    elif coefficient == "kendall_tau_b":
        untied = [np.count_nonzero(signs, axis=0) for signs in (signs_x, signs_y)]
        bottom = np.sqrt(untied[0] * untied[1])
    else:
        least = np.minimum(_n_distinct(x), _n_distinct(y))
        # Twice the surplus over n^2 (m - 1) / m, m being the smaller number of distinct values.
        bottom = count**2 * (least - 1) / np.maximum(2 * least, 1)
    return np.where(bottom > 0, surplus / np.where(bottom > 0, bottom, 1), np.nan)


def _n_distinct(values: Floats) -> npt.NDArray[np.int_]:
    ordered = np.sort(values, axis=0)  # missing values come last
    steps = np.greater(ordered[1:], ordered[:-1]).sum(axis=0)
    return np.asarray(steps + ~np.isnan(ordered[0]), dtype=np.int_)
