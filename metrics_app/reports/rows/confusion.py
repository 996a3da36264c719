"""Rows of the grid of experts' against the crowd's answers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConfusionRow:
    """How often the first group says one point where the second says another.

    Every expert's answer is paired with every crowd judge's on the same output; each output
    weighs 1, however many judges it has. ``share`` is of all outputs, ``share_of_first`` of those
    of the first group's point.
    """

    dimension: str
    groups: tuple[str, str]
    points: tuple[float, float]
    share: float
    share_of_first: float | None
    n_outputs: int
