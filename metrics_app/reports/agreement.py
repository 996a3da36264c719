"""Agreement of the judges: every coefficient, over all units and per batch and system."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from metrics_app.reports.contract import AgreementRow
from metrics_app.stats import agreement
from metrics_app.stats.concordance import kendall_w
from metrics_app.stats.icc import FORMS, icc
from metrics_app.stats.pairwise import cohen_kappa
from metrics_app.stats.results import Estimate, as_plain
from metrics_app.stats.scales import Measurement
from metrics_app.stats.scopes import mean_over
from metrics_app.stats.tables import RatingTable

Place = tuple[str, str]
WEIGHTS = ("identity", "linear", "quadratic", "ordinal")
MEASUREMENTS: tuple[Measurement, ...] = ("nominal", "ordinal", "interval")
RULES: tuple[Literal["one", "leave_out"], ...] = ("one", "leave_out")


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A statistic with its options bound."""

    statistic: str
    compute: Callable[[RatingTable], Estimate]
    options: Mapping[str, Any] = field(default_factory=dict)


def _weighted(statistic: str, function: Callable[..., Estimate]) -> list[Coefficient]:
    return [
        Coefficient(statistic, partial(function, weights=weights), {"weights": weights})
        for weights in WEIGHTS
    ]


def _observed_gwet(table: RatingTable) -> Estimate:
    return agreement.gwet_ac(table.with_observed_scale())


GWET_OBSERVED = Coefficient(
    "gwet_ac", _observed_gwet, {"weights": "identity", "categories": "observed"}
)
ALPHAS = [
    Coefficient(
        "krippendorff_alpha",
        partial(agreement.krippendorff_alpha, measurement=level),
        {"measurement": level},
    )
    for level in MEASUREMENTS
]
POOLED = (
    Coefficient("percent_agreement", agreement.percent_agreement),
    Coefficient("within_one", agreement.within_one),
    *_weighted("cohen_kappa", cohen_kappa),
    Coefficient("fleiss_kappa", agreement.fleiss_kappa, {"weights": "identity"}),
    *_weighted("gwet_ac", agreement.gwet_ac),
    Coefficient("brennan_prediger", agreement.brennan_prediger, {"weights": "identity"}),
    *ALPHAS,
    *[Coefficient("icc", partial(icc, form=form), {"form": form}) for form in FORMS],
    Coefficient("kendall_w", kendall_w),
)
BY_CELL = (
    Coefficient("percent_agreement", agreement.percent_agreement),
    Coefficient("cohen_kappa", cohen_kappa, {"weights": "identity"}),
    Coefficient("fleiss_kappa", agreement.fleiss_kappa, {"weights": "identity"}),
    Coefficient("gwet_ac", agreement.gwet_ac, {"weights": "identity"}),
    GWET_OBSERVED,
    *ALPHAS,
)


def agreement_rows(table: RatingTable, *, place: Place) -> Iterator[AgreementRow]:
    """Yield every coefficient of one dimension and group of judges.

    Parameters
    ----------
    place : tuple of str
        Dimension and group.
    """
    for coefficient in POOLED:
        yield as_row(place, "pooled", coefficient.options, coefficient.compute(table))
    if not has_batches(table):
        return
    for coefficient in BY_CELL:
        for rule in RULES:
            result = mean_over(table, coefficient.compute, undefined_rule=rule)
            options = {**coefficient.options, "rule": rule}
            yield as_row(place, "batch_system_mean", options, result)


def has_batches(table: RatingTable) -> bool:
    """Return whether the items were judged in fixed batches."""
    return table.batch is not None and any(table.batch != "")


def as_row(place: Place, scope: str, options: Mapping[str, Any], result: Estimate) -> AgreementRow:
    """Return an estimate as a row of the report."""
    dimension, group = place
    return AgreementRow(
        dimension=dimension,
        group=group,
        scope=scope,
        statistic=result.statistic,
        options=dict(options),
        value=as_plain(result.value),
        se=as_plain(result.se),
        ci=as_plain(result.ci),
        ci_method=result.ci_method,
        n_units=result.n_units,
        n_raters=result.n_raters,
        n_ratings=result.n_ratings,
        n_missing=result.n_missing,
        n_undefined=result.n_undefined,
        undefined=result.undefined,
        method=result.method,
        observed=as_plain(result.details.get("pa")),
    )
