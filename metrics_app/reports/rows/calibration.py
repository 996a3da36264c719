"""Rows of language models corrected by what people said."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class CalibrationRow:
    """What people would have said of a system, from a language model and the part people judged.

    ``raw`` is what the model said of the ``n_judged`` units that people did not judge, ``value``
    the same corrected by the ``n_calibration`` units that both judged; its interval carries the
    error of both. ``system`` is empty for all systems together. ``statistic`` is
    ``corrected_share`` (of the upper of two labels) or ``corrected_mean``.
    """

    dimension: str
    group: str
    judge: str
    system: str
    statistic: str
    raw: float | None
    value: float | None
    se: float | None
    ci: tuple[float, float] | None
    ci_method: str
    n_judged: int
    n_calibration: int
    undefined: str | None
    method: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
