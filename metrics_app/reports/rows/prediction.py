"""Rows on how well several metrics together predict people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PredictionRow:
    """One number about a human dimension predicted from several metrics, over systems.

    ``part`` says what ``value`` is: ``coefficient`` (of ``term``, the intercept or a metric),
    ``half_split`` (Pearson on the machine systems that the fit did not see), ``bootstrap`` (the
    median of that over drawn systems; ``ci`` holds 95 per cent of the draws), ``gap`` (the median
    distance from what people said of texts that people wrote) or ``published`` (Pearson of a
    prediction with the coefficients that a paper printed). ``term`` is ``fitted`` for all metrics
    together and else the name of one.
    """

    dimension: str
    group: str
    metrics: tuple[str, ...]
    baseline: str
    part: str
    term: str
    value: float | None
    n_systems: int
    undefined: str | None
    se: float | None = None
    ci: Interval | None = None
    ci_method: str = ""
    p: float | None = None
    n_missing: int = 0
    n_resamples: int = 0
    n_undefined: int = 0
    method: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
