"""Rows on comparisons of outputs: how strong systems are, and who was preferred to whom."""

from dataclasses import dataclass

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class StrengthRow:
    """How strong a system is among those it was compared with, by one group on one dimension.

    ``value`` is its log-strength in Bradley and Terry's model; those of all systems sum to 0, and
    a difference d means a chance of 1 / (1 + exp(-d)) to be preferred. ``share`` is the share of
    its meetings that it won, ties one half. A best-worst choice counts as one meeting of the best
    with each other output, and of each other output with the worst.
    """

    dimension: str
    group: str
    system: str
    rank: int | None
    value: float | None
    se: float | None
    ci: Interval | None
    ci_method: str
    share: float | None
    n_won: int
    n_tied: int
    n_lost: int
    n_comparisons: int
    n_items: int
    n_undefined: int
    undefined: str | None
    method: str = ""


@dataclass(frozen=True, slots=True)
class WinRow:
    """How often one system was preferred to another; ``share`` is the first's, ties one half."""

    dimension: str
    group: str
    systems: tuple[str, str]
    n_first: int
    n_second: int
    n_tied: int
    share: float | None
