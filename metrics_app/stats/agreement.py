"""Agreement of raters: the coefficients of the field, each an `Estimate` with its method in words.

Every function takes a `RatingTable` (or, where raters need not be told apart, a `CountTable`) of
one dimension. Missing ratings are allowed. A coefficient that the data do not define has the value
NaN, a reason code, and the observed agreement in its details. Intervals are analytic here; see
`metrics_app.stats.agreement_report` for those from resampled items.
"""

import math
from dataclasses import replace

import numpy as np

from metrics_app.stats import chance, linearisation
from metrics_app.stats.alpha import alpha_of_patterns, alpha_of_range
from metrics_app.stats.described import (
    Table,
    described,
    not_applicable,
    sizes,
    undefined_estimate,
    with_raters,
)
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import MEASUREMENTS, Measurement
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.weights import (
    Weights,
    band_weights,
    is_identity,
    weight_matrix,
    words_of_weights,
)


def percent_agreement(
    table: Table, *, weights: Weights = "unweighted", confidence: float = 0.95
) -> Estimate:
    """Return the share of agreeing pairs of ratings, the mean over units with two or more.

    Parameters
    ----------
    table : RatingTable or CountTable
        Ratings on declared points.
    weights : str or array of float, shape (q, q)
        See `metrics_app.stats.weights.weight_matrix`.
    confidence : float
        Coverage of the t interval with Gwet's standard error.

    Returns
    -------
    Estimate
    """
    return _chance_corrected("percent_agreement", table, weights, confidence)


def within_one(table: Table, *, confidence: float = 0.95) -> Estimate:
    """Return the share of pairs of ratings at most one point of the scale apart."""
    if reason := not_applicable(table, "ordinal"):
        return undefined_estimate("within_one", table, reason)
    band = band_weights(table.scale.n_points, 1)
    parts = linearisation.estimate_corrected(table.patterns, band, chance.no_chance)
    return described("within_one", table, parts, "Share at most one point apart", confidence)


def fleiss_kappa(
    table: Table, *, weights: Weights = "unweighted", confidence: float = 0.95
) -> Estimate:
    """Return Fleiss's kappa (1971), generalised to missing ratings and weights (Gwet 2014).

    Parameters are those of `percent_agreement`. ``details`` of unweighted complete data hold
    ``se_null`` and ``z_null`` for a test of kappa = 0; the interval never uses them.
    """
    estimate = _chance_corrected("fleiss_kappa", table, weights, confidence)
    return _with_null_error(estimate, table) if is_identity(weights) else estimate


def scott_pi(
    table: Table, *, weights: Weights = "unweighted", confidence: float = 0.95
) -> Estimate:
    """Return Scott's pi (1955), which is for two raters.

    Raises
    ------
    ValueError
        For more than two raters: their generalisation is `fleiss_kappa`.
    """
    if isinstance(table, RatingTable) and table.n_raters > 2:
        raise ValueError("Scott's pi is for two raters; for more take fleiss_kappa")
    return _chance_corrected("scott_pi", table, weights, confidence)


def gwet_ac(table: Table, *, weights: Weights = "unweighted", confidence: float = 0.95) -> Estimate:
    """Return Gwet's AC1 (2008), or AC2 where it is weighted; it counts the declared points."""
    return _chance_corrected("gwet_ac", table, weights, confidence)


def brennan_prediger(
    table: Table, *, weights: Weights = "unweighted", confidence: float = 0.95
) -> Estimate:
    """Return the coefficient of Brennan and Prediger (1981); it counts the declared points."""
    return _chance_corrected("brennan_prediger", table, weights, confidence)


def krippendorff_alpha_gwet(
    table: Table, *, weights: Weights = "unweighted", confidence: float = 0.95
) -> Estimate:
    """Return the alpha of irrCAC, which puts fixed weights on pairs of points (Gwet 2014).

    It equals Krippendorff's alpha for identity and quadratic weights, not for others: with
    ``ordinal`` weights it is a different coefficient from ordinal alpha.
    """
    if reason := not_applicable(table, _needed(weights)):
        return undefined_estimate("krippendorff_alpha_gwet", table, reason)
    matrix = weight_matrix(weights, table.scale)
    parts = linearisation.estimate_krippendorff_gwet(table.patterns, matrix)
    words = f"alpha by weights on pairs of points (irrCAC), {words_of_weights(weights)}"
    return described("krippendorff_alpha_gwet", table, parts, words, confidence)


def conger_kappa(
    table: Table, *, weights: Weights = "unweighted", confidence: float = 0.95
) -> Estimate:
    """Return Conger's kappa (1980): each rater has shares of its own; Cohen's kappa for two."""
    table = with_raters(table, "Conger's kappa")
    if reason := not_applicable(table, _needed(weights)):
        return undefined_estimate("conger_kappa", table, reason)
    matrix = weight_matrix(weights, table.scale)
    parts = linearisation.estimate_conger(table, matrix)
    words = f"Conger's kappa, {words_of_weights(weights)}"
    return described("conger_kappa", table, parts, words, confidence)


def krippendorff_alpha(table: Table, *, measurement: Measurement | None = None) -> Estimate:
    """Return Krippendorff's alpha (2011).

    Parameters
    ----------
    table : RatingTable or CountTable
        Ratings on points or on a range.
    measurement : {"nominal", "ordinal", "interval", "ratio"}, optional
        Level of measurement; that of the scale where it is not given.

    Returns
    -------
    Estimate
        Without an interval: the one in use is from resampled items (`agreement_report`).
    """
    level = measurement or table.scale.measurement
    if level not in MEASUREMENTS:
        raise ValueError(f"measurement must be one of {', '.join(MEASUREMENTS)}, not {level!r}")
    if reason := not_applicable(table, level, takes_range=level != "nominal"):
        return undefined_estimate("krippendorff_alpha", table, reason)
    details: dict[str, object] = {"measurement": level}
    if table.scale.is_range and isinstance(table, RatingTable):
        value = alpha_of_range(table, level)
    else:
        points, patterns = np.asarray(table.scale.values), table.patterns
        value = alpha_of_patterns(patterns, points, level)
        plain = np.eye(points.size)
        details["pa"] = linearisation.estimate_corrected(patterns, plain, chance.no_chance).pa
    return Estimate(
        statistic="krippendorff_alpha",
        value=value,
        method=f"Krippendorff's alpha, {level} distances; units with one rating left out",
        undefined="one_category" if math.isnan(value) else None,
        details=details,
        **sizes(table),
    )


_CHANCE = {
    "percent_agreement": (chance.no_chance, "Percent agreement"),
    "fleiss_kappa": (chance.fleiss_chance, "Fleiss's kappa"),
    "scott_pi": (chance.fleiss_chance, "Scott's pi"),
    "gwet_ac": (chance.gwet_chance, "Gwet's AC1"),
    "brennan_prediger": (chance.uniform_chance, "Brennan-Prediger"),
}


def _needed(weights: Weights) -> Measurement:
    return "ordinal" if isinstance(weights, str) and not is_identity(weights) else "nominal"


def _chance_corrected(
    statistic: str, table: Table, weights: Weights, confidence: float
) -> Estimate:
    if reason := not_applicable(table, _needed(weights)):
        return undefined_estimate(statistic, table, reason)
    matrix = weight_matrix(weights, table.scale)
    notion, words = _CHANCE[statistic]
    if statistic == "gwet_ac" and not is_identity(weights):
        words = "Gwet's AC2"
    parts = linearisation.estimate_corrected(table.patterns, matrix, notion)
    method = f"{words}, {words_of_weights(weights)}"
    return described(statistic, table, parts, method, confidence)


def _with_null_error(estimate: Estimate, table: Table) -> Estimate:
    """Add the error under kappa = 0 (Fleiss, Nee and Landis 1979) where all units have as many."""
    if estimate.undefined:
        return estimate
    patterns = table.patterns
    if np.ptp(patterns.sizes):
        return estimate
    n, m = patterns.n_units, float(patterns.sizes[0])
    p = patterns.times @ patterns.counts / (n * m)
    open_share = float((p * (1 - p)).sum())
    skew = float((p * (1 - p) * (1 - 2 * p)).sum())
    se_null = math.sqrt(2 * max(open_share**2 - skew, 0) / (n * m * (m - 1))) / open_share
    z_null = estimate.value / se_null if se_null else math.nan
    details = {**estimate.details, "se_null": se_null, "z_null": z_null}
    return replace(estimate, details=details)
