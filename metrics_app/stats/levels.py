"""Metric against people, at the level of systems, of summaries, or of all outputs.

A cell counts only where both the metric and the people scored it: the two sides always rest on
the same outputs, also after averaging.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy import special

from metrics_app.stats.columns import correlate_columns
from metrics_app.stats.correlation import COEFFICIENTS, require_coefficient
from metrics_app.stats.results import NAN, Estimate
from metrics_app.stats.samples import Floats, exact_mean
from metrics_app.stats.scores import ScoreMatrix

UndefinedGroups = Literal["drop", "zero"]


@dataclass(frozen=True, slots=True)
class _Options:
    undefined_groups: str
    confidence: float

    def __post_init__(self) -> None:
        if self.undefined_groups not in ("drop", "zero"):
            raise ValueError(
                f"undefined_groups must be drop or zero, not {self.undefined_groups!r}"
            )


def system_correlation(
    matrix: ScoreMatrix, coefficient: str, *, confidence: float = 0.95
) -> Estimate:
    """Return the correlation of the systems' mean scores.

    Systems without a complete cell are left out; ``n_missing`` counts incomplete cells.
    """
    require_coefficient(coefficient)
    result = COEFFICIENTS[coefficient](*matrix.system_means(), confidence=confidence)
    return _at_level(
        result, matrix, f"system level: {result.method}; each system's mean over items"
    )


def global_correlation(
    matrix: ScoreMatrix, coefficient: str, *, confidence: float = 0.95
) -> Estimate:
    """Return the correlation over all outputs at once, whatever their system and item.

    The interval takes outputs as independent, which outputs of one item or system are not.
    """
    require_coefficient(coefficient)
    result = COEFFICIENTS[coefficient](
        matrix.metric.ravel(), matrix.human.ravel(), confidence=confidence
    )
    return _at_level(result, matrix, f"global level: {result.method}; outputs as independent")


def summary_correlation(
    matrix: ScoreMatrix,
    coefficient: str,
    *,
    undefined_groups: UndefinedGroups = "drop",
    confidence: float = 0.95,
) -> Estimate:
    """Return the mean over items of the correlation across systems within the item.

    Parameters
    ----------
    undefined_groups : {"drop", "zero"}
        Whether items where the correlation is undefined are left out (the field's practice) or
        count as 0. Either way ``n_undefined`` counts them.

    Returns
    -------
    Estimate
        The interval is t over items; undefined with ``no_defined_group`` where no item has a
        correlation.
    """
    by_item = correlate_columns(matrix.metric, matrix.human, coefficient)
    return _mean_of_groups(
        matrix, by_item, "item", coefficient, _Options(undefined_groups, confidence)
    )


def grouped_correlation(
    matrix: ScoreMatrix,
    coefficient: str,
    *,
    group_by: Literal["none", "item", "system"],
    undefined_groups: UndefinedGroups = "drop",
    confidence: float = 0.95,
) -> Estimate:
    """Return the correlation within items, within systems, or over all outputs (``none``).

    Within items it is the summary level, over all outputs the global level.
    """
    if group_by == "none":
        return global_correlation(matrix, coefficient, confidence=confidence)
    if group_by not in ("item", "system"):
        raise ValueError(f"group_by must be none, item or system, not {group_by!r}")
    x, y = matrix.metric, matrix.human
    if group_by == "system":
        x, y = x.T, y.T
    values = correlate_columns(x, y, coefficient)
    return _mean_of_groups(
        matrix, values, group_by, coefficient, _Options(undefined_groups, confidence)
    )


def _at_level(result: Estimate, matrix: ScoreMatrix, method: str) -> Estimate:
    n_systems, n_items = matrix.metric.shape
    return replace(
        result,
        method=method,
        n_missing=int((~matrix.complete).sum()),
        details={**result.details, "n_systems": n_systems, "n_items": n_items},
    )


def _mean_of_groups(
    matrix: ScoreMatrix, values: Floats, group_by: str, coefficient: str, options: _Options
) -> Estimate:
    defined = values[~np.isnan(values)]
    n_undefined = values.size - defined.size
    if options.undefined_groups == "zero":
        defined = np.concatenate([defined, np.zeros(n_undefined)]) if defined.size else defined
    se, ci = _t_interval(defined, options.confidence)
    rule = "left out" if options.undefined_groups == "drop" else "counted as 0"
    result = Estimate(
        coefficient,
        exact_mean(defined.tolist()),
        se=se,
        ci=ci,
        ci_method=f"t over {group_by}s" if ci else "",
        confidence=options.confidence,
        undefined=None if defined.size else "no_defined_group",
        n_units=defined.size,
        n_undefined=n_undefined,
    )
    level = "summary level" if group_by == "item" else f"by {group_by}"
    return _at_level(
        result,
        matrix,
        f"{level}: mean over {group_by}s of {coefficient} within the {group_by}; "
        f"{n_undefined} undefined {group_by}s {rule}",
    )


def _t_interval(values: Floats, confidence: float) -> tuple[float, tuple[float, float] | None]:
    if values.size < 2:
        return NAN, None
    centre, se = values.mean(), values.std(ddof=1) / math.sqrt(values.size)
    reach = float(special.stdtrit(values.size - 1, (1 + confidence) / 2)) * se
    return float(se), (float(centre - reach), float(centre + reach))


LEVELS: dict[str, Callable[..., Estimate]] = {
    "system": system_correlation,
    "summary": summary_correlation,
    "global": global_correlation,
}


def correlate(
    matrix: ScoreMatrix, *, level: str, coefficient: str, confidence: float = 0.95
) -> Estimate:
    """Return the coefficient of metric and people at the named level."""
    if level not in LEVELS:
        raise ValueError(f"there is no level {level!r}: choose system, summary or global")
    return LEVELS[level](matrix, coefficient, confidence=confidence)
