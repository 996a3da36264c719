"""Estimates as rows of the report: one way for every list that holds coefficients."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

from metrics_app.stats.coefficients import Coefficient, coefficients_for
from metrics_app.stats.results import Estimate, as_plain
from metrics_app.stats.scales import Measurement, Scale
from metrics_app.stats.tables import RatingTable

Row = TypeVar("Row")
Wanted = tuple[str, Mapping[str, str]]
EXACT: Wanted = ("percent_agreement", {"weights": "unweighted"})


def estimate_row(
    kind: Callable[..., Row],
    result: Estimate,
    *,
    options: Mapping[str, Any] | None = None,
    **place: object,
) -> Row:
    """Return an estimate as a row.

    Parameters
    ----------
    kind : type
        A dataclass of `metrics_app.reports.rows`; it takes what it has fields for.
    options : mapping, optional
        Of the coefficient; those that the estimate bears where there are none.
    **place
        The other fields of the row: what the estimate is of.
    """
    known = {
        "statistic": result.statistic,
        "options": dict(result.details.get("options", {}) if options is None else options),
        "value": as_plain(result.value),
        "se": as_plain(result.se),
        "ci": as_plain(result.ci),
        "ci_method": result.ci_method,
        "n_units": result.n_units,
        "n_raters": result.n_raters,
        "n_ratings": result.n_ratings,
        "n_missing": result.n_missing,
        "n_undefined": result.n_undefined,
        "undefined": result.undefined,
        "method": result.method,
        "observed": as_plain(result.details.get("pa")),
    }
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    return kind(**{name: found for name, found in known.items() if name in names}, **place)


def chosen_coefficients(table: RatingTable, *wanted: Wanted) -> list[Coefficient]:
    """Return the wanted coefficients, by statistic and options, that the scale admits."""
    return [one for one in coefficients_for(table) if (one.statistic, dict(one.options)) in wanted]


def alpha_on(scale: Scale) -> Wanted:
    """Return Krippendorff's alpha with the measurement that it takes on a scale."""
    return "krippendorff_alpha", {"measurement": alpha_level(scale)}


def alpha_level(scale: Scale) -> Measurement:
    """Return the measurement that alpha takes on a scale: ordinal, unless it says otherwise."""
    if scale.measurement == "nominal":
        return "nominal"
    return "interval" if scale.is_range else "ordinal"
