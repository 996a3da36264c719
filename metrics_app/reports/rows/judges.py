"""Rows about single judges, pairs of judges, and the judges without one of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One judge against the others who rated the same units.

    ``severity`` is the mean of (mean of the others - own rating): above 0 the judge is the
    stricter one. ``modal_share`` is the share of the judge's most frequent answer, ``flat_share``
    the share of outputs that got one and the same answer on every dimension.
    """

    dimension: str
    group: str
    judge: str
    n_ratings: int
    n_shared: int
    mean: float | None
    sd: float | None
    severity: float | None
    ci: Interval | None
    ci_method: str
    correlation: float | None
    correlation_ci: Interval | None
    exact_agreement: float | None
    mean_distance: float | None
    modal_share: float | None
    flat_share: float | None
    undefined: str | None
    method: str = ""


@dataclass(frozen=True, slots=True)
class JudgePairRow:
    """Two judges on the units that both rated.

    ``exact_agreement`` is the share of equal ratings, ``difference`` the mean of first minus
    second; ``kappa`` is Cohen's with the weights named, None on a range.
    """

    dimension: str
    group: str
    judges: tuple[str, str]
    n_shared: int
    exact_agreement: float
    difference: float | None
    kappa: float | None
    weights: str
    undefined: str | None


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """Agreement of the judges without one of them, and how far it moves."""

    dimension: str
    group: str
    judge: str
    statistic: str
    options: Mapping[str, Any]
    value: float | None
    change: float | None
    n_units: int
    n_raters: int
    n_ratings: int
    undefined: str | None
    details: Mapping[str, Any] = field(default_factory=dict)
