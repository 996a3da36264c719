"""How single judges rate: severity, spread, agreement with the rest."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from metrics_app.stats.correlation import pearson
from metrics_app.stats.mean_interval import estimate_mean
from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats
from metrics_app.stats.tables import RatingTable


@dataclass(frozen=True, slots=True)
class JudgeProfile:
    """One judge against the others who rated the same units.

    Attributes
    ----------
    judge : hashable
    n_ratings, n_shared : int
        Ratings given, and those on units that another judge rated too.
    mean, spread : float
        Mean and standard deviation (n - 1) of the judge's ratings; NaN below two ratings.
    severity : Estimate
        Mean of (mean of the others - own rating) over shared units, t interval over units:
        above 0 the judge is stricter than the others. ``no_pairs`` without a shared unit.
    correlation : Estimate
        Pearson correlation with the mean of the others.
    exact_agreement : float
        Mean share of the others who gave the very same value; NaN without a shared unit.
    mean_distance : float
        Mean absolute distance to the mean of the others.
    modal_share : float
        Share of the judge's most frequent value: 1 for a judge who always answers alike.
    """

    judge: Hashable
    n_ratings: int
    n_shared: int
    mean: float
    spread: float
    severity: Estimate
    correlation: Estimate
    exact_agreement: float
    mean_distance: float
    modal_share: float


def judge_profiles(table: RatingTable, *, confidence: float = 0.95) -> tuple[JudgeProfile, ...]:
    """Describe each judge; the others' mean on a unit never holds the judge's own rating.

    Parameters
    ----------
    table : RatingTable
        Ratings of one dimension, sparse or complete.
    confidence : float
        Coverage of the intervals.

    Returns
    -------
    tuple of JudgeProfile
        In the order of ``table.rater_keys``. Severity is confounded with the units a judge got
        as far as other judges rated them differently; comparing within units removes the units'
        own quality.
    """
    if not table.n_raters:
        return ()
    n_others = np.bincount(table.unit, minlength=table.n_units)[table.unit] - 1.0
    totals = np.bincount(table.unit, table.value, minlength=table.n_units)
    shared = n_others > 0
    rest = np.full(table.n_ratings, NAN)
    rest[shared] = (totals[table.unit] - table.value)[shared] / n_others[shared]
    alike = np.full(table.n_ratings, NAN)
    alike[shared] = _equal_others(table)[shared] / n_others[shared]
    # One sort by judge serves all of them, however many.
    order = np.argsort(table.rater, kind="stable")
    ends = np.cumsum(np.bincount(table.rater, minlength=table.n_raters))
    return tuple(
        _profile(judge, table.value[rows], rest[rows], alike[rows], confidence)
        for judge, rows in zip(table.rater_keys, np.split(order, ends[:-1]), strict=True)
    )


def _equal_others(table: RatingTable) -> Floats:
    """Return the number of other judges who gave the unit the same value."""
    code = np.unique(table.value, return_inverse=True)[1]
    cell = table.unit * (code.max(initial=0) + 1) + code
    _, position, counts = np.unique(cell, return_inverse=True, return_counts=True)
    return np.asarray(counts[position] - 1, dtype=np.float64)


def _profile(
    judge: Hashable, value: Floats, rest: Floats, alike: Floats, confidence: float
) -> JudgeProfile:
    shared = ~np.isnan(rest)
    own, others = value[shared], rest[shared]
    gaps = others - own
    severity = estimate_mean(
        "judge_severity",
        gaps,
        method="mean of the others' mean minus the own rating, over shared units",
        confidence=confidence,
        undefined="no_pairs",
    )
    return JudgeProfile(
        judge=judge,
        n_ratings=len(value),
        n_shared=int(shared.sum()),
        mean=float(value.mean()) if len(value) else NAN,
        spread=float(value.std(ddof=1)) if len(value) > 1 else NAN,
        severity=severity,
        correlation=pearson(own, others, confidence=confidence),
        exact_agreement=float(alike[shared].mean()) if shared.any() else NAN,
        mean_distance=float(np.abs(gaps).mean()) if shared.any() else NAN,
        modal_share=_modal_share(value),
    )


def _modal_share(value: Floats) -> float:
    if not len(value):
        return NAN
    return float(np.unique(value, return_counts=True)[1].max() / len(value))
