"""Cohen's kappa of contingency tables, its standard errors, and what one unit does to it."""

import math
from dataclasses import dataclass

import numpy as np

from metrics_app.stats.chance import CERTAIN, ratio
from metrics_app.stats.scales import Floats

NAN = float("nan")
ROUNDING = 1e-28


def kappa_influences(tables: Floats, weights: Floats) -> Floats:
    """Return how much one unit in each cell moves kappa, shape (n_pairs, q, q); 0 if undefined.

    The squares of these, summed over units, are the variance of Fleiss, Cohen and Everitt (1969);
    summed over pairs first, they give that of a mean of kappas whose pairs share units.
    """
    n = np.maximum(tables.sum(axis=(-1, -2)), 1.0)[..., None, None]
    cells = tables / n
    rows, columns = cells.sum(axis=-1), cells.sum(axis=-2)
    expected = (columns @ weights.T)[..., :, None] + (rows @ weights)[..., None, :]
    pa = (cells * weights).sum(axis=(-1, -2))[..., None, None]
    pe = ((rows @ weights) * columns).sum(axis=-1)[..., None, None]
    value = kappa_of(tables, weights)[..., None, None]
    moved = (weights - pa) - (1 - value) * (expected - 2 * pe)
    influence = ratio(moved, n * np.where(1 - pe > CERTAIN, 1 - pe, np.nan))
    return np.nan_to_num(influence)


def kappa_of(tables: Floats, weights: Floats) -> Floats:
    """Return kappa of contingency tables (..., q, q); NaN where chance agreement is 1.

    Whole numbers are subtracted before anything is divided, so a kappa of 0 is exactly 0.
    """
    q = len(weights)
    row, column = np.divmod(np.arange(q * q), q)
    # By one product: all units, those that agree, and what chance multiplies.
    basis = np.column_stack(
        [np.ones(q * q), weights.ravel(), weights[row], column[:, None] == np.arange(q)]
    )
    sums = tables.reshape(*tables.shape[:-2], q * q) @ basis
    n, agreed = sums[..., 0], sums[..., 0] * sums[..., 1]
    expected = np.einsum("...k,...k->...", sums[..., 2 : 2 + q], sums[..., 2 + q :])
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
    variance = _spread(weights - (1 - value) * expected, cells)
    null = _spread(weights - expected, np.outer(rows, columns))
    se, se_null = (math.sqrt(part / n) / (1 - pe) for part in (variance, null))
    return Kappa(value, se, se_null, pa, pe)


def _spread(terms: Floats, shares: Floats) -> float:
    """Return the variance of terms that occur in these shares."""
    mean = (shares * terms).sum()
    spread = float((shares * (terms - mean) ** 2).sum())
    # Terms that are all equal differ by rounding.
    return spread if spread > ROUNDING * float((shares * terms**2).sum()) else 0.0
