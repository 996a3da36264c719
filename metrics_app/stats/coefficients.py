"""The coefficients of agreement as one list: how each is estimated, and how it follows from sums.

`metrics_app.stats.agreement_report` resamples them all at once by this list.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from metrics_app.stats import agreement, chance
from metrics_app.stats.alpha import alpha_of, distances
from metrics_app.stats.cohen import kappa_of
from metrics_app.stats.concordance import kendall_w
from metrics_app.stats.features import Blocks
from metrics_app.stats.icc import FORMS, icc
from metrics_app.stats.mean_squares import icc_of, oneway_squares, twoway_squares
from metrics_app.stats.pairwise import cohen_kappa
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import MEASUREMENTS, Floats, Measurement
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.weights import band_weights, weight_matrix

WEIGHTS = ("unweighted", "linear", "quadratic", "ordinal", "radical")


@dataclass(frozen=True, eq=False)
class Coefficient:
    """One coefficient with its options bound.

    Attributes
    ----------
    statistic : str
        Registered name.
    options : mapping
        ``weights``, ``measurement`` or ``form``.
    estimate : callable
        Takes a table, returns the analytic estimate.
    needs : tuple of str
        Names of the blocks of `metrics_app.stats.features`; empty where it is not resampled.
    value : callable or None
        Takes the sums, returns the value, vectorised over resamples.
    """

    statistic: str
    options: Mapping[str, str]
    estimate: Callable[[RatingTable], Estimate]
    needs: tuple[str, ...] = ()
    value: Callable[[Blocks], Floats] | None = field(default=None)

    @property
    def needs_raters(self) -> bool:
        """True where it matters who rated."""
        return bool({"marginals", "pairs", "twoway"} & set(self.needs))


def weight_matrices(table: RatingTable) -> dict[str, Floats]:
    """Return the named weights that the scale of a table admits, ``within_one`` among them."""
    scale = table.scale
    if scale.is_range:
        return {}
    names = WEIGHTS[:1] if scale.measurement == "nominal" else WEIGHTS
    found = {name: weight_matrix(name, scale) for name in names}
    return {**found, "within_one": band_weights(scale.n_points, 1)}


def coefficients_for(table: RatingTable) -> list[Coefficient]:
    """Return every coefficient that the scale of a table admits."""
    found = _alphas(table) + [_icc(form) for form in FORMS]
    if table.scale.is_range:
        return [*found, Coefficient("kendall_w", {}, kendall_w)]
    weights = weight_matrices(table)
    band = weights.pop("within_one")
    corrected = [
        _weighted(statistic, name, matrix)
        for statistic in _VALUES
        for name, matrix in weights.items()
        if statistic != "scott_pi" or table.n_raters == 2
    ]
    if table.scale.measurement == "nominal":
        return corrected + found[:1]
    within = Coefficient(
        "within_one",
        {},
        agreement.within_one,
        ("unit", "agreed:within_one"),
        partial(_corrected, "within_one", band, chance.no_chance),
    )
    return [*corrected, within, *found, Coefficient("kendall_w", {}, kendall_w)]


def _observed(name: str, blocks: Blocks) -> Floats:
    return chance.ratio(blocks.number(f"agreed:{name}"), blocks.units.paired)


def _corrected(name: str, weights: Floats, notion: chance.Chance, blocks: Blocks) -> Floats:
    return chance.corrected(_observed(name, blocks), notion(blocks.units, weights))


def _conger(name: str, weights: Floats, blocks: Blocks) -> Floats:
    block, q = blocks["marginals"], len(weights)
    marginals = block.reshape(*block.shape[:-1], -1, q)
    return chance.corrected(_observed(name, blocks), chance.conger_chance(marginals, weights))


def _cohen(_name: str, weights: Floats, blocks: Blocks) -> Floats:
    block, q = blocks["pairs"], len(weights)
    kappas = kappa_of(block.reshape(*block.shape[:-1], -1, q, q), weights)
    is_defined = ~np.isnan(kappas)
    total = np.where(is_defined, kappas, 0.0).sum(axis=-1)
    return chance.ratio(np.asarray(total), is_defined.sum(axis=-1).astype(np.float64))


def _krippendorff_gwet(name: str, weights: Floats, blocks: Blocks) -> Floats:
    agreed = blocks.number(f"coincident:{name}")
    return chance.corrected(*chance.krippendorff_gwet(blocks.units.values, agreed, weights))


_CHANCES = {
    "percent_agreement": (agreement.percent_agreement, chance.no_chance),
    "scott_pi": (agreement.scott_pi, chance.fleiss_chance),
    "fleiss_kappa": (agreement.fleiss_kappa, chance.fleiss_chance),
    "gwet_ac": (agreement.gwet_ac, chance.gwet_chance),
    "brennan_prediger": (agreement.brennan_prediger, chance.uniform_chance),
}
_OTHERS = {
    "cohen_kappa": (cohen_kappa, _cohen, ("pairs",)),
    "conger_kappa": (agreement.conger_kappa, _conger, ("unit", "agreed:{}", "marginals")),
    "krippendorff_alpha_gwet": (
        agreement.krippendorff_alpha_gwet,
        _krippendorff_gwet,
        ("unit", "coincident:{}"),
    ),
}
_VALUES = (*_CHANCES, *_OTHERS)


def _weighted(statistic: str, name: str, weights: Floats) -> Coefficient:
    options = {"weights": name}
    if statistic in _CHANCES:
        function, notion = _CHANCES[statistic]
        estimate = partial(function, weights=name)
        value = partial(_corrected, name, weights, notion)
        return Coefficient(statistic, options, estimate, ("unit", f"agreed:{name}"), value)
    function_of_raters, value_of, needs = _OTHERS[statistic]
    return Coefficient(
        statistic,
        options,
        partial(function_of_raters, weights=name),
        tuple(need.format(name) for need in needs),
        partial(value_of, name, weights),
    )


def _alphas(table: RatingTable) -> list[Coefficient]:
    scale = table.scale
    levels = [level for level in MEASUREMENTS if level != "ratio" or scale.minimum >= 0]
    if scale.is_range:
        return [_alpha_on_range(level) for level in levels if level != "nominal"]
    return [_alpha(level, np.asarray(scale.values)) for level in levels]


def _alpha(level: Measurement, points: Floats) -> Coefficient:
    estimate = partial(agreement.krippendorff_alpha, measurement=level)
    needs, value = ("unit", "coincidences"), _ordinal_alpha
    if level != "ordinal":
        needs = ("unit", f"disagreement:{level}")
        value = partial(_fixed_alpha, needs[1], distances(level, points, np.zeros(points.size)))
    return Coefficient("krippendorff_alpha", {"measurement": level}, estimate, needs, value)


def _fixed_alpha(need: str, distance: Floats, blocks: Blocks) -> Floats:
    return alpha_of(blocks.units.values, blocks.number(need), distance)


def _ordinal_alpha(blocks: Blocks) -> Floats:
    values = blocks.units.values
    distance = distances("ordinal", np.zeros(0), values)
    coincidences = blocks["coincidences"].reshape(distance.shape)
    observed = (coincidences * distance).sum(axis=(-1, -2))
    return alpha_of(values, np.asarray(observed), distance)


def _alpha_on_range(level: Measurement) -> Coefficient:
    estimate = partial(agreement.krippendorff_alpha, measurement=level)
    options = {"measurement": level}
    if level != "interval":
        return Coefficient("krippendorff_alpha", options, estimate)
    return Coefficient("krippendorff_alpha", options, estimate, ("moments",), _interval_alpha)


def _interval_alpha(blocks: Blocks) -> Floats:
    n, total, square, observed = np.moveaxis(blocks["moments"], -1, 0)
    return np.asarray(1 - (n - 1) * chance.ratio(observed, 2 * (n * square - total**2)))


def _icc(form: str) -> Coefficient:
    layout, squares = ("oneway", oneway_squares) if form[4] == "1" else ("twoway", twoway_squares)
    return Coefficient(
        "icc",
        {"form": form},
        partial(icc, form=form),
        (layout,),
        lambda blocks: icc_of(squares(blocks[layout]), form),
    )


def find_coefficient(table: RatingTable, statistic: str, **options: str) -> Coefficient:
    """Return the coefficient of that name and those options.

    Raises
    ------
    ValueError
        Where the scale of the table does not admit it; the message lists what it admits.
    """
    admitted = coefficients_for(table)
    for coefficient in admitted:
        if coefficient.statistic == statistic and dict(coefficient.options) == options:
            return coefficient
    names = ", ".join(
        " ".join([coefficient.statistic, *coefficient.options.values()]) for coefficient in admitted
    )
    wanted = " ".join([statistic, *options.values()])
    raise ValueError(f"there is no {wanted} for this table; it admits {names}")
