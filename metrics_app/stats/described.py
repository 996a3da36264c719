"""What an estimate of agreement says beside its number: its method, its table, its reason."""

import math
from typing import Any

from scipy import special

from metrics_app.stats.counts import CountTable
from metrics_app.stats.linearisation import Corrected
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Measurement
from metrics_app.stats.tables import RatingTable

Table = RatingTable | CountTable


def sizes(table: Table) -> dict[str, Any]:
    """Return n_units (those with a rating), n_raters, n_ratings and n_missing."""
    return {
        "n_units": table.n_rated,
        "n_raters": table.n_raters,
        "n_ratings": table.n_ratings,
        "n_missing": table.n_missing,
    }


def with_raters(table: Table, statistic: str) -> RatingTable:
    """Return the table, or raise ValueError where it does not say who rated."""
    if isinstance(table, CountTable):
        raise ValueError(f"{statistic} needs to know who rated; counts do not say it")  # noqa: TRY004 -- it is what the data lack, and all data errors are ValueErrors
    return table


def not_applicable(table: Table, level: Measurement, *, takes_range: bool = False) -> str | None:
    """Return why a statistic of this level of measurement says nothing of the table, or None.

    Points that are ordered may be read as equally spaced, as the field does; categories without an
    order may not be ordered, and ratios need a scale without negative values.
    """
    scale = table.scale
    if scale.is_range and not takes_range:
        return "not_on_this_scale"
    if scale.measurement == "nominal" and level != "nominal":
        return "not_on_this_scale"
    if level == "ratio" and scale.minimum < 0:
        return "not_on_this_scale"
    if not table.n_ratings:
        return "all_missing"
    if isinstance(table, RatingTable) and table.n_raters < 2:
        return "too_few_raters"
    return None if table.has_pairs else "no_pairs"


def undefined_estimate(statistic: str, table: Table, reason: str) -> Estimate:
    """Return the estimate of a statistic that these data do not define."""
    return Estimate(statistic=statistic, value=math.nan, undefined=reason, **sizes(table))


def described(
    statistic: str, table: Table, parts: Corrected, method: str, confidence: float
) -> Estimate:
    """Return a chance-corrected coefficient as an estimate with its t interval."""
    return Estimate(
        statistic=statistic,
        value=parts.value,
        se=parts.se,
        ci=t_interval(parts.value, parts.se, parts.df, confidence),
        ci_method="" if math.isnan(parts.se) else f"t, df {parts.df:g}, Gwet's linearised error",
        confidence=confidence,
        p=two_sided_p(parts.value, parts.se, parts.df),
        method=f"{method}; p two-sided",
        undefined=parts.undefined,
        details={"pa": parts.pa, "pe": parts.pe},
        **sizes(table),
    )


def t_interval(value: float, se: float, df: float, confidence: float) -> tuple[float, float] | None:
    """Return value -+ t(df) se, cut at 1 above; None where there is no error."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence:g}")
    if math.isnan(se):
        return None
    reach = float(special.stdtrit(df, (1 + confidence) / 2)) * se
    return value - reach, min(1.0, value + reach)


def two_sided_p(value: float, se: float, df: float) -> float:
    """Return the p-value of value = 0; NaN where there is no error or it is 0."""
    return float(2 * special.stdtr(df, -abs(value / se))) if se > 0 else math.nan
