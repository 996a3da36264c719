"""All coefficients of a table at once, with intervals from the same resamples of its items."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from metrics_app.stats.coefficients import Coefficient, coefficients_for, weight_matrices
from metrics_app.stats.features import Blocks, feature_rows, makers_of
from metrics_app.stats.intervals import bca_interval, percentile_interval
from metrics_app.stats.resampling import Rows
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Floats, Ints
from metrics_app.stats.table_checks import factorize
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.units import Units, units_of

Interval = Literal["percentile", "bca"]


def agreement_report(
    table: RatingTable,
    *,
    rng: np.random.Generator,
    coefficients: Sequence[Coefficient] | None = None,
    n_resamples: int = 1000,
    interval: Interval = "percentile",
    confidence: float = 0.95,
) -> list[Estimate]:
    """Return every coefficient of a table with a bootstrap interval.

    Parameters
    ----------
    table : RatingTable
        Ratings of one dimension. Where it has items, whole items are drawn: the outputs of several
        systems for one item are not independent. Otherwise units are drawn.
    rng : numpy.random.Generator
        Source of every draw; all coefficients see the same resamples.
    coefficients : sequence of Coefficient, optional
        A choice from `coefficients_for`; all of them where it is not given.
    n_resamples : int
        Number of resamples.
    interval : {"percentile", "bca"}
        Kind of interval.
    confidence : float
        Coverage.

    Returns
    -------
    list of Estimate
        In the order of the coefficients. ``se`` is the standard deviation of the resamples,
        ``n_undefined`` counts those in which the coefficient is undefined; ``details`` gain
        ``options`` and, under ``analytic_se`` and ``analytic_ci``, what the literature has.
        Coefficients that cannot be resampled (Kendall's W; ordinal and ratio alpha on a range;
        where raters are too many to be told apart, those that tell them apart) keep their
        analytic interval, which ``ci_method`` says.
    """
    wanted = coefficients_for(table) if coefficients is None else list(coefficients)
    points = [coefficient.estimate(table) for coefficient in wanted]
    if not table.n_ratings:
        return points
    units = units_of(table)
    drawn = [
        coefficient
        for coefficient, point in zip(wanted, points, strict=True)
        if coefficient.value and not point.undefined and _is_drawable(coefficient, units)
    ]
    plan = _plan(table, units, drawn)
    samples = dict(zip(map(id, drawn), _sample(plan, drawn, n_resamples, rng), strict=True))
    jackknife = _jackknife(plan, drawn) if interval == "bca" else {}
    return [
        _with_interval(
            replace(point, details={**point.details, "options": dict(coefficient.options)}),
            samples.get(id(coefficient)),
            jackknife.get(id(coefficient)),
            plan,
            confidence,
        )
        for coefficient, point in zip(wanted, points, strict=True)
    ]


@dataclass(frozen=True, eq=False)
class Plan:
    """What is drawn, and where the sums of each coefficient lie."""

    rows: Rows
    places: dict[str, slice]
    drawn: str


def _is_drawable(coefficient: Coefficient, units: Units) -> bool:
    return units.cells is not None or not coefficient.needs_raters


def _plan(table: RatingTable, units: Units, drawn: Sequence[Coefficient]) -> Plan:
    makers = makers_of(table, weight_matrices(table))
    names = [name for coefficient in drawn for name in coefficient.needs]
    rows, places = feature_rows(units, makers, names)
    clusters = clusters_of(table)
    if clusters is None:
        return Plan(rows, places, "units")
    n_clusters = int(clusters.max()) + 1
    rows = rows.clustered(clusters, units.of_unit, n_clusters)
    return Plan(rows, places, "items with all their units")


def clusters_of(table: RatingTable) -> Ints | None:
    """Return the item of each unit where items have several units, None where they have one."""
    if table.item is None:
        return None
    codes, items = factorize(table.item)
    return codes if len(items) < table.n_units else None


def _sample(
    plan: Plan, drawn: Sequence[Coefficient], n_resamples: int, rng: np.random.Generator
) -> list[Floats]:
    blocks = [
        values_of(Blocks(sums, plan.places), drawn)
        for sums in plan.rows.resampled(n_resamples, rng)
    ]
    return [np.concatenate(parts) for parts in zip(*blocks, strict=True)]


def _jackknife(plan: Plan, drawn: Sequence[Coefficient]) -> dict[int, Floats]:
    blocks = [values_of(Blocks(sums, plan.places), drawn) for sums in plan.rows.without_one()]
    joined = [np.concatenate(parts) for parts in zip(*blocks, strict=True)]
    return dict(zip(map(id, drawn), joined, strict=True))


def values_of(blocks: Blocks, drawn: Sequence[Coefficient]) -> list[Floats]:
    """Return the value of each coefficient in each resample."""
    return [coefficient.value(blocks) for coefficient in drawn if coefficient.value]


def _with_interval(
    point: Estimate,
    sampled: Floats | None,
    jackknife: Floats | None,
    plan: Plan,
    confidence: float,
) -> Estimate:
    if sampled is None:
        return point
    if jackknife is None:
        kind, ci = "percentile", percentile_interval(sampled, confidence)
    else:
        kind = "BCa"
        ci = bca_interval(sampled, point.value, jackknife, plan.rows.times, confidence)
    defined = sampled[~np.isnan(sampled)]
    n_undefined = sampled.size - defined.size
    return replace(
        point,
        se=float(defined.std(ddof=1)) if defined.size > 1 else math.nan,
        ci=ci,
        ci_method=f"{kind} bootstrap, {sampled.size} resamples of {plan.drawn}",
        confidence=confidence,
        n_undefined=n_undefined,
        details={**point.details, "analytic_se": point.se, "analytic_ci": point.ci},
    )
