"""Rows of agreement beside the coefficients: over time, and of judges with themselves."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class OverTimeRow:
    """Agreement on one of ``n_parts`` equal parts of the units, in the order of their completion.

    A unit is complete when its last rating is handed in; ``first_at`` and ``last_at`` are the
    moments (ISO 8601, UTC) between which the units of the part were.
    """

    dimension: str
    group: str
    part: int
    n_parts: int
    first_at: str
    last_at: str
    statistic: str
    options: Mapping[str, Any]
    value: float | None
    ci: Interval | None
    ci_method: str
    n_units: int
    n_raters: int
    n_ratings: int
    n_undefined: int
    undefined: str | None
    method: str = ""


@dataclass(frozen=True, slots=True)
class SelfAgreementRow:
    """Agreement of judges with themselves, on what was shown to them again.

    ``judge`` is empty for all judges of the group together, where each (judge, unit) is one unit.
    """

    dimension: str
    group: str
    judge: str
    statistic: str
    options: Mapping[str, Any]
    value: float | None
    ci: Interval | None
    ci_method: str
    n_units: int
    n_judges: int
    undefined: str | None
    method: str = ""
    observed: float | None = None
