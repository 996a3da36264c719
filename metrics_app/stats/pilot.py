"""Variance parts of a pilot study, for the power planner's model of ratings."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.stats import norm

from metrics_app.stats.power_model import RatingModel
from metrics_app.stats.results import NAN
from metrics_app.stats.samples import Floats
from metrics_app.stats.tables import RatingTable

Ints = npt.NDArray[np.int64]

# Terms of the series; a latent correlation of .99 needs some hundreds, the rest vanish sooner.
N_TERMS = 400


@dataclass(frozen=True, slots=True)
class PilotFit:
    """What a pilot says about the ratings to come.

    Attributes
    ----------
    model : RatingModel or None
        None where it is undefined.
    correlations : mapping
        Correlation of two ratings of one ``output`` by two judges, of one ``item`` in two systems
        by two judges, and of two items by one ``judge``, as observed on the scale (systems' means
        taken out).
    negative : tuple of str
        Parts whose estimate was below 0 and is set to 0: variances cannot be negative.
    undefined : str or None
        ``no_pairs`` where no output has two judges, ``too_few_raters``, ``no_variance``,
        ``not_identified`` where no item has two systems judged by two judges or no judge has two
        items, ``not_on_this_scale`` for a scale without points.
    """

    model: RatingModel | None
    correlations: dict[str, float]
    negative: tuple[str, ...] = ()
    undefined: str | None = None


def fit_pilot(table: RatingTable, *, n_pool: int | None = None) -> PilotFit:
    """Estimate the parts of the rating model from a pilot, by moments.

    Parameters
    ----------
    table : RatingTable
        Units are outputs, with item and system; the scale has points. Any layout of judges.
    n_pool : int, optional
        Judges of the study to plan; by default as many as in the pilot.

    Returns
    -------
    PilotFit
        The model's latent ratings have variance 1; cut points follow from the pooled shares of
        the scale points (with half a rating added to each, so that an unused point stays).

    Raises
    ------
    ValueError
        If the table has no items or no systems.

    Notes
    -----
    Mean products of pairs of ratings that share the output, the item or the judge estimate sums
    of the variance parts without a normal likelihood, also in sparse crowds. Cutting into points
    weakens correlations; they are carried back to the latent scale through the Hermite series of
    a cut normal variable (Olsson 1979, Psychometrika 44, on polychoric correlation).
    """
    if table.item is None or table.system is None:
        raise ValueError("a pilot needs the item and the system of each output")
    if not table.scale.values:
        return PilotFit(None, {}, undefined="not_on_this_scale")
    item, system = (_positions(keys)[table.unit] for keys in (table.item, table.system))
    deviations = _without_group_means(table.value, system)
    variance = float((deviations**2).mean()) if len(deviations) else 0.0
    correlations = {
        name: covariance / variance if variance > 0 else NAN
        for name, covariance in _pair_covariances(table, item, deviations).items()
    }
    if reason := _why_undefined(table, variance, correlations):
        return PilotFit(None, correlations, undefined=reason)
    cut_points = _cut_points(table)
    latent = {name: _uncut(r, cut_points, table) for name, r in correlations.items()}
    parts = {
        "item": latent["item"],
        "system_item": latent["output"] - latent["item"],
        "judge": latent["judge"],
        "residual": 1 - latent["output"] - latent["judge"],
    }
    negative = tuple(name for name, part in parts.items() if part < 0)
    sd = {name: float(np.sqrt(max(part, 0.0))) for name, part in parts.items()}
    model = RatingModel(
        sd_item=sd["item"],
        sd_system_item=sd["system_item"],
        sd_judge=sd["judge"],
        sd_residual=sd["residual"],
        cut_points=cut_points,
        points=table.scale.values,
        n_pool=n_pool or table.n_raters,
        source="fitted to the pilot",
    )
    return PilotFit(model, correlations, negative)


def _why_undefined(
    table: RatingTable, variance: float, correlations: dict[str, float]
) -> str | None:
    if not table.n_ratings:
        return "all_missing"
    if table.n_raters < 2:
        return "too_few_raters"
    if variance <= 0:
        return "no_variance"
    if np.isnan(correlations["output"]):
        return "no_pairs"
    return "not_identified" if np.isnan(list(correlations.values())).any() else None


def _positions(keys: npt.NDArray[np.object_]) -> Ints:
    place: dict[object, int] = {}
    return np.array([place.setdefault(key, len(place)) for key in keys], dtype=np.int64)


def _without_group_means(x: Floats, group: Ints) -> Floats:
    means = np.bincount(group, x) / np.maximum(np.bincount(group), 1)
    return np.asarray(x - means[group])


def _pair_covariances(table: RatingTable, item: Ints, x: Floats) -> dict[str, float]:
    """Return mean products of pairs that share just the output, the item or the judge."""
    of_unit = _products(table.unit, x)
    of_item = _products(item, x)
    of_judge = _products(table.rater, x)
    # One judge's ratings of one item share both and belong to neither.
    of_both = _products(item * (table.n_raters + 1) + table.rater, x)
    return {
        "output": _mean_product(of_unit),
        "item": _mean_product(of_item - of_unit - of_both),
        "judge": _mean_product(of_judge - of_both),
    }


def _products(group: Ints, x: Floats) -> Floats:
    """Return the sum of products over all ordered pairs within groups, and their number."""
    position = np.unique(group, return_inverse=True)[1]
    n, total = np.bincount(position), np.bincount(position, x)
    return np.array([(total**2).sum() - (x**2).sum(), (n.astype(np.float64) ** 2 - n).sum()])


def _mean_product(sums: Floats) -> float:
    product, n_pairs = sums.tolist()
    return float(product / n_pairs) if n_pairs > 0 else NAN


def _cut_points(table: RatingTable) -> tuple[float, ...]:
    shares = np.bincount(table.codes, minlength=len(table.scale.values)) + 0.5
    return tuple(norm.ppf(np.cumsum(shares)[:-1] / shares.sum()).tolist())


def _uncut(correlation: float, cut_points: tuple[float, ...], table: RatingTable) -> float:
    """Return the correlation of normal variables that, cut, correlate as given."""
    power = _hermite_powers(np.array(cut_points), np.diff(table.scale.values))
    order = np.arange(1, len(power) + 1)

    def excess(rho: float) -> float:
        return float((power * rho**order).sum() / power.sum()) - correlation

    lowest, highest = excess(-0.999), excess(0.999)
    if lowest >= 0 or highest <= 0:
        return -0.999 if lowest >= 0 else 0.999
    return float(brentq(excess, -0.999, 0.999, xtol=1e-10))


def _hermite_powers(cuts: Floats, steps: Floats) -> Floats:
    """Return squared coefficients of the cut variable in normalised Hermite polynomials."""
    # He_m / sqrt(m!) by its recurrence, so that nothing overflows.
    before, current = np.zeros_like(cuts), np.ones_like(cuts)
    weights = steps * norm.pdf(cuts)
    powers = np.empty(N_TERMS)
    for m in range(1, N_TERMS + 1):
        powers[m - 1] = (weights @ current) ** 2 / m
        before, current = current, (cuts * current - np.sqrt(m - 1) * before) / np.sqrt(m)
    return powers
