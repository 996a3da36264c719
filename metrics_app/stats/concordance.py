"""Kendall's coefficient of concordance: whether raters put the units in the same order."""

import math

import numpy as np
from scipy import stats

from metrics_app.stats.described import not_applicable, sizes, undefined_estimate
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Floats
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.units import complete_units


def kendall_w(table: RatingTable, *, correct_ties: bool = True) -> Estimate:
    """Return Kendall's W of the raters' rankings of the units.

    Parameters
    ----------
    table : RatingTable
        Ratings on points or a range; only units that every rater rated are ranked.
    correct_ties : bool
        Divide by m^2 (n^3 - n) - m sum(t^3 - t), which ratings on few points need.

    Returns
    -------
    Estimate
        p from chi squared = m (n - 1) W with n - 1 degrees of freedom; ``details`` hold ``chi2``
        and ``df``. Undefined where nobody tells two units apart.

    Notes
    -----
    Source: Kendall and Babington Smith (1939); Siegel and Castellan (1988) for ties.
    """
    if reason := not_applicable(table, "ordinal", takes_range=True):
        return undefined_estimate("kendall_w", table, reason)
    values, times = complete_units(table)
    n, m = int(times.sum()), table.n_raters
    if n < 2:
        return undefined_estimate("kendall_w", table, "too_few_units" if n else "incomplete")
    rankings = [_rank(column, times) for column in values.T]
    ranks = np.sum([ranks for ranks, _ in rankings], axis=0)
    spread = float(times @ (ranks - m * (n + 1) / 2) ** 2)
    ties = math.fsum(tied for _, tied in rankings) if correct_ties else 0.0
    largest = m**2 * (float(n) ** 3 - n) - m * ties
    if largest <= 0 or all(tied == float(n) ** 3 - n for _, tied in rankings):
        return undefined_estimate("kendall_w", table, "no_variance")
    value = 12 * spread / largest
    chi2 = m * (n - 1) * value
    words = "corrected for ties" if correct_ties else "not corrected for ties"
    return Estimate(
        statistic="kendall_w",
        value=value,
        p=float(stats.chi2.sf(chi2, n - 1)),
        method=f"Kendall's W, {words}; {table.n_units - n} incomplete units left out",
        details={"chi2": chi2, "df": n - 1},
        **{**sizes(table), "n_units": n},
    )


def _rank(column: Floats, times: Floats) -> tuple[Floats, float]:
    """Return the mean rank of each row, which stands for several units, and sum t^3 - t."""
    _, position = np.unique(column, return_inverse=True)
    tied = np.bincount(position, weights=times)
    ranks = np.cumsum(tied) - (tied - 1) / 2
    return np.asarray(ranks[position]), float((tied**3 - tied).sum())
