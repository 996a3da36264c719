"""Chance-corrected coefficients at a table, with the standard errors of Gwet's linearisation.

The variance is that of the mean of one term a unit, with divisor n - 1; the interval takes t with
n - 1 degrees of freedom, n counting units with a single rating too (irrCAC for R). Units without
any rating are left out everywhere.
"""

from dataclasses import dataclass

import numpy as np

from metrics_app.stats.chance import (
    CERTAIN,
    Chance,
    category_shares,
    conger_chance,
    fleiss_chance,
    gwet_chance,
    krippendorff_gwet,
    uniform_chance,
)
from metrics_app.stats.patterns import Patterns
from metrics_app.stats.scales import Floats
from metrics_app.stats.sums import Sums, agreement_per_unit, coincidences_per_unit, sums_of
from metrics_app.stats.tables import RatingTable

NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Corrected:
    """One coefficient of the family and its parts; NaN where undefined.

    Attributes
    ----------
    value, se : float
        Coefficient and standard error.
    pa, pe : float
        Observed agreement and chance agreement.
    df : float
        Degrees of freedom of the t interval.
    undefined : str or None
        Reason code.
    """

    value: float = NAN
    se: float = NAN
    pa: float = NAN
    pe: float = NAN
    df: float = NAN
    undefined: str | None = None


def estimate_corrected(patterns: Patterns, weights: Floats, chance: Chance) -> Corrected:
    """Return percent agreement, Fleiss, Gwet or Brennan-Prediger, as ``chance`` says."""
    if reason := _missing(patterns):
        return Corrected(undefined=reason)
    sums = sums_of(patterns)
    agreed = agreement_per_unit(patterns, weights)
    pa = float(patterns.times @ agreed / sums.paired)
    if chance in (gwet_chance, uniform_chance) and len(weights) < 2:
        return Corrected(pa=pa, undefined="one_category")
    pe = float(chance(sums, weights))
    if 1 - pe <= CERTAIN:
        return Corrected(pa=pa, pe=pe, undefined=_certain(sums.shares))
    own = patterns.counts / patterns.sizes[:, None]
    per_unit = _chance_per_unit(own, sums, weights, chance, pe)
    terms = _linear_terms(patterns.is_paired, agreed, patterns.times, (pa, pe), per_unit)
    return _with_error(terms, patterns.times, pa, pe)


def estimate_conger(table: RatingTable, weights: Floats) -> Corrected:
    """Return Conger's kappa, in which each rater has shares of its own."""
    patterns = table.patterns
    if reason := _missing(patterns):
        return Corrected(undefined=reason)
    agreed = agreement_per_unit(patterns, weights)
    pa = float(patterns.times @ agreed / (patterns.times @ patterns.is_paired))
    marginals = rater_marginals(table, len(weights))
    pe = float(conger_chance(marginals, weights))
    if 1 - pe <= CERTAIN:
        return Corrected(pa=pa, pe=pe, undefined=_certain(marginals.sum(axis=0)))
    gains, constant = _conger_gains(marginals, weights, patterns.n_units)
    units, per_unit = _rater_terms(table, gains)
    terms = _linear_terms(
        units.is_paired,
        agreement_per_unit(units, weights),
        units.times,
        (pa, pe),
        per_unit + constant,
    )
    return _with_error(terms, units.times, pa, pe)


def estimate_krippendorff_gwet(patterns: Patterns, weights: Floats) -> Corrected:
    """Return irrCAC's alpha; its error rests on the paired units, its t interval on all."""
    if reason := _missing(patterns):
        return Corrected(undefined=reason)
    sums = sums_of(patterns)
    agreed = coincidences_per_unit(patterns, weights)
    pa, pe = krippendorff_gwet(sums.values, np.asarray(patterns.times @ agreed), weights)
    if 1 - pe <= CERTAIN:
        return Corrected(pa=float(pa), pe=float(pe), undefined=_certain(sums.values))
    return Corrected(
        value=float((pa - pe) / (1 - pe)),
        se=_krippendorff_gwet_error(patterns, sums, weights, float(pe)),
        pa=float(pa),
        pe=float(pe),
        df=patterns.n_units - 1,
    )


def rater_marginals(table: RatingTable, q: int) -> Floats:
    """Return each rater's ratings by category, shape (n_raters, q)."""
    patterns = table.rater_patterns
    if patterns is not None and patterns.cells is not None:
        by_category = [patterns.times @ (patterns.cells == k) for k in range(q)]
        return np.stack(by_category, axis=1)
    cells = np.bincount(table.rater * q + table.codes, minlength=table.n_raters * q)
    return cells.reshape(table.n_raters, q).astype(np.float64)


def standard_error(terms: Floats, value: float, times: Floats) -> float:
    """Return the standard error of a mean of terms that occur so many times; NaN for one unit."""
    n = float(times.sum())
    if n < 2:
        return NAN
    return float(np.sqrt(times @ (terms - value) ** 2 / (n * (n - 1))))


def _missing(patterns: Patterns) -> str | None:
    if not patterns.n_units:
        return "all_missing"
    return None if patterns.is_paired.any() else "no_pairs"


def _certain(by_category: Floats) -> str:
    return "one_category" if np.count_nonzero(by_category) < 2 else "chance_is_certain"


def _linear_terms(
    is_paired: np.ndarray[tuple[int, ...], np.dtype[np.bool_]],
    agreed: Floats,
    times: Floats,
    agreement: tuple[float, float],
    chance_per_unit: Floats,
) -> Floats:
    """Return each unit's (n/n2) (pa_i - pe) / (1 - pe) - 2 (1 - kappa) (pe_i - pe) / (1 - pe)."""
    pa, pe = agreement
    doubt = 2 * (1 - pa) / (1 - pe) ** 2
    upscale = float(times.sum() / (times @ is_paired))
    return upscale * (agreed - pe * is_paired) / (1 - pe) - doubt * (chance_per_unit - pe)


def _with_error(terms: Floats, times: Floats, pa: float, pe: float) -> Corrected:
    value = (pa - pe) / (1 - pe)
    n = float(times.sum())
    return Corrected(value, standard_error(terms, value, times), pa, pe, n - 1)


def _chance_per_unit(own: Floats, sums: Sums, weights: Floats, chance: Chance, pe: float) -> Floats:
    shares, q = category_shares(sums), len(weights)
    if chance is fleiss_chance:
        return np.asarray(own @ (weights @ shares))
    if chance is gwet_chance:
        return np.asarray(weights.sum() / (q * (q - 1)) * (own @ (1 - shares)))
    return np.full(len(own), pe)


def _conger_gains(marginals: Floats, weights: Floats, n: int) -> tuple[Floats, float]:
    """Return what a rating of a category by a rater adds to its unit's chance term."""
    n_rated = np.maximum(marginals.sum(axis=1, keepdims=True), 1.0)
    r = np.count_nonzero(marginals.sum(axis=1))
    shares = marginals / n_rated
    others = (shares.sum(axis=0) - shares) @ weights
    expected = (others * shares).sum(axis=1, keepdims=True)
    pairs = r * (r - 1)
    return np.asarray(n / n_rated * (others - expected) / pairs), float(expected.sum() / pairs)


def _rater_terms(table: RatingTable, gains: Floats) -> tuple[Patterns, Floats]:
    """Return patterns that tell raters apart, or single units, and the sum of their gains."""
    patterns = table.rater_patterns
    if patterns is not None and patterns.cells is not None:
        taken = gains[np.arange(table.n_raters), np.maximum(patterns.cells, 0)]
        return patterns, np.where(patterns.cells >= 0, taken, 0.0).sum(axis=1)
    is_rated = table.ratings_per_unit > 0
    of_rated = table.patterns.of_unit[is_rated]
    once = Patterns(table.patterns.counts[of_rated], np.ones(of_rated.size), of_rated)
    sums = np.bincount(table.unit, weights=gains[table.rater, table.codes], minlength=table.n_units)
    return once, np.asarray(sums[is_rated])


def _krippendorff_gwet_error(patterns: Patterns, sums: Sums, weights: Floats, pe: float) -> float:
    is_paired = patterns.is_paired
    times, counts, sizes = (
        part[is_paired] for part in (patterns.times, patterns.counts, patterns.sizes)
    )
    mean_size = float(times @ sizes / times.sum())
    agreed = coincidences_per_unit(patterns, weights)[is_paired] / mean_size
    # The error is that of alpha without its small-sample term, as in irrCAC for R.
    pa = float(times @ agreed / times.sum())
    value = (pa - pe) / (1 - pe)
    surplus = (sizes - mean_size) / mean_size
    shares = sums.values / sums.values.sum()
    chance_per_unit = counts @ (weights @ shares) / mean_size - pe * surplus
    terms = (agreed - pa * surplus - pe) / (1 - pe)
    terms -= 2 * (1 - value) * (chance_per_unit - pe) / (1 - pe)
    return standard_error(terms, value, times)
