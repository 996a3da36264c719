"""The clean rows that leave this room, and the rules they are held to.

The rows are named tuples, which are made four times as fast as data classes that are frozen.
"""

from collections.abc import Collection, Container, Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Kind = Literal["outputs", "ratings", "scores", "comparisons"]


class OutputRow(NamedTuple):
    """The output of one system for one item, with what the row says about the item.

    What is about the item (all but ``system``, ``system_kind`` and ``output``) may be empty where
    another row of the item says it. ``system_kind`` is ``machine``, ``human``, or empty.
    """

    item_id: str
    system: str
    output: str
    source: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    prior_references: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    language: str = ""
    domain: str = ""
    document: str = ""
    batch: str = ""
    output_version: str = ""
    system_kind: str = ""
    line: int = 0


class RatingRow(NamedTuple):
    """One rating in the fields of the tidy table.

    Exactly one of ``value``, ``text`` and ``missing_reason`` says something.
    """

    item_id: str
    system: str
    judge: str
    dimension: str
    value: float | None
    text: str = ""
    missing_reason: str = ""
    judge_group: str = ""
    batch: str = ""
    phase: str = ""
    output_version: str = ""
    fact_id: str = ""
    label: str = ""
    position: str = ""
    is_check: str = ""
    repeat_of: str = ""
    valid: str = ""
    excluded_by: str = ""
    late: str = ""
    origin: str = ""
    opened_at: str = ""
    submitted_at: str = ""
    active_seconds: str = ""
    revision: str = ""
    line: int = 0


class ChoiceRow(NamedTuple):
    """One choice among outputs of an item; ``systems`` stand as they were shown, A first.

    ``rating`` says who and when, and holds the choice as ``text``: ``A>B``, best before worst, or
    ``A=B``; on a dimension of comments it is the comment. Its ``system`` is empty.
    """

    rating: RatingRow
    systems: tuple[str, ...]


class ScoreRow(NamedTuple):
    """The value of one metric for one output."""

    item_id: str
    system: str
    metric: str
    score: float
    line: int = 0


CleanRow = OutputRow | RatingRow | ScoreRow | ChoiceRow


@dataclass(frozen=True, slots=True)
class ScaleRule:
    """The values a dimension allows: declared points, or a range with a step (0: any value).

    ``words`` is the explicit rule for labels in place of numbers, such as ``{"good": 3}``;
    letter case and spaces around a label do not matter.
    """

    points: tuple[float, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    step: float = 0.0
    words: Mapping[str, float] = field(default_factory=dict)

    def allows(self, value: float) -> bool:
        """Whether the value is one a judge could have given."""
        if self.points:
            return value in self.points
        if self.minimum is not None and value < self.minimum:
            return False
        if self.maximum is not None and value > self.maximum:
            return False
        if self.step and self.minimum is not None:
            steps = (value - self.minimum) / self.step
            return abs(steps - round(steps)) < 1e-9
        return True

    def __str__(self) -> str:
        if self.points:
            return ", ".join(f"{point:g}" for point in self.points)
        low = "" if self.minimum is None else f"{self.minimum:g}"
        high = "" if self.maximum is None else f"{self.maximum:g}"
        return f"{low} to {high}"


@dataclass(frozen=True, slots=True)
class Rules:
    """What the study knows, and what the administrator chose. ``None`` means: anything goes.

    ``scale`` holds for every dimension that ``scales`` does not name. ``texts`` names the
    dimensions answered in words. ``compared`` says of how many outputs a dimension asks, 2 or
    more; ``ties`` names those that allow a tie.
    """

    items: Container[str] | None = None
    systems: Container[str] | None = None
    dimensions: Container[str] | None = None
    scales: Mapping[str, ScaleRule] = field(default_factory=dict)
    scale: ScaleRule | None = None
    texts: Collection[str] = ()
    compared: Mapping[str, int] = field(default_factory=dict)
    ties: Collection[str] = ()
    empty_output: Literal["keep", "skip"] = "keep"
    good_rows_only: bool = False
    longest_text: int = 1_000_000

    def scale_of(self, dimension: str) -> ScaleRule | None:
        """Return the scale that holds for a dimension."""
        return self.scales.get(dimension, self.scale)
