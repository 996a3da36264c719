"""Agreement corrected for chance: (pa - pe) / (1 - pe), and the notions of chance.

All functions work on sums over units, alone or with a leading axis of resamples. Missing ratings
are treated as Gwet (2014) and his R package irrCAC treat them: the observed agreement pa comes from
units with two ratings or more; the shares of the categories are the mean over all rated units,
those with a single rating too.
"""

from collections.abc import Callable

import numpy as np

from metrics_app.stats.scales import Floats
from metrics_app.stats.sums import Sums

Chance = Callable[[Sums, Floats], Floats]

# Chance agreement this near to 1 is 1, but for rounding.
CERTAIN = 1e-12


def corrected(pa: Floats, pe: Floats) -> Floats:
    """Return (pa - pe) / (1 - pe), NaN where chance agreement is 1."""
    room = 1.0 - pe
    return ratio(pa - pe, np.where(room > CERTAIN, room, np.nan))


def no_chance(sums: Sums, _weights: Floats) -> Floats:
    """Return 0: percent agreement is not corrected."""
    return np.zeros_like(sums.rated)


def fleiss_chance(sums: Sums, weights: Floats) -> Floats:
    """Return sum w_kl pi_k pi_l (Fleiss 1971; Scott 1955 for two raters)."""
    shares = category_shares(sums)
    return np.asarray(((shares @ weights) * shares).sum(axis=-1))


def gwet_chance(sums: Sums, weights: Floats) -> Floats:
    """Return T_w / (q (q - 1)) sum pi_k (1 - pi_k), T_w the sum of the weights (Gwet 2008)."""
    q = len(weights)
    shares = category_shares(sums)
    return np.asarray(weights.sum() / (q * (q - 1)) * (shares * (1 - shares)).sum(axis=-1))


def uniform_chance(sums: Sums, weights: Floats) -> Floats:
    """Return T_w / q^2 (Brennan and Prediger 1981)."""
    return np.full_like(sums.rated, weights.sum() / len(weights) ** 2)


def category_shares(sums: Sums) -> Floats:
    """Return pi_k, the mean over rated units of the share of category k."""
    return ratio(sums.shares, sums.rated[..., None])


def krippendorff_gwet(values: Floats, agreed: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return pa and pe of irrCAC's alpha, which weights pairs of categories (Gwet 2014).

    ``values`` are the ratings of paired units by category, ``agreed`` their agreeing pairs, each
    divided by the number of other ratings of its unit.
    """
    total = values.sum(axis=-1)
    shares = ratio(values, total[..., None])
    epsilon = ratio(np.ones_like(total), total)
    pe = np.asarray(((shares @ weights) * shares).sum(axis=-1))
    return (1 - epsilon) * ratio(agreed, total) + epsilon, pe


def conger_chance(marginals: Floats, weights: Floats) -> Floats:
    """Return Conger's chance agreement from each rater's own ratings by category.

    pe = sum w_kl (pbar_k pbar_l - s_kl / r), s_kl with divisor r - 1, which is the mean over pairs
    of different raters of sum w_kl p_gk p_hl (Conger 1980). ``marginals`` has the shape
    (..., n_raters, q); a rater without a rating leaves the mean.
    """
    n_rated = marginals.sum(axis=-1, keepdims=True)
    shares = np.divide(marginals, n_rated, out=np.zeros_like(marginals), where=n_rated > 0)
    n_raters = np.count_nonzero(n_rated[..., 0], axis=-1)
    total = shares.sum(axis=-2)
    same = ((shares @ weights) * shares).sum(axis=(-1, -2))
    across = ((total @ weights) * total).sum(axis=-1) - same
    return ratio(np.asarray(across), np.asarray(n_raters * (n_raters - 1.0)))


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Return the quotient, NaN where the denominator is 0 or NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        quotient = np.divide(numerator, denominator)
    return np.where(denominator == 0, np.nan, quotient)
