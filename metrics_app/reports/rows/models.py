"""Rows of fitted models."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ModelRow:
    """One term of one model.

    ``model`` is ``repeated_measures_anova`` (systems on the same items; ``statistic`` F),
    ``mixed_model`` or ``ordinal_regression`` (a system against ``reference``, the first one;
    ``statistic`` z). ``value`` is F, or the coefficient. ``details`` hold variances, corrections
    for sphericity, thresholds or odds ratios by their names.
    """

    dimension: str
    group: str
    model: str
    term: str
    statistic: str
    value: float | None
    se: float | None
    ci: Interval | None
    ci_method: str
    df: tuple[float, ...]
    p: float | None
    effects: Mapping[str, float | None]
    unit: str
    reference: str
    n: int
    n_missing: int
    undefined: str | None
    method: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
