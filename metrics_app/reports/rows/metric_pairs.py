"""Rows of metrics against each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class MetricPairRow:
    """Whether the first of two metrics follows people better than the second.

    ``value`` is the first correlation minus the second; metrics of which less is better are turned
    round before. ``p_adjusted`` is corrected for all pairs of metrics on this dimension, group and
    level. ``details`` hold the share of swaps in which the first is the higher (``p_greater``).
    """

    metrics: tuple[str, ...]
    dimension: str
    group: str
    level: str
    statistic: str
    value: float | None
    p: float | None
    p_adjusted: float | None
    n_systems: int
    n_items: int
    n_missing: int
    undefined: str | None
    n_resamples: int = 0
    method: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
