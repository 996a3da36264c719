"""A protocol: what a study asks, of whom, and how it shows it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from annotation.enums import DimensionKind, ExampleKind, GroupKind, Measurement


@dataclass(frozen=True, slots=True)
class NewScale:
    """A scale to be: points as (value, label), or a range as (minimum, maximum, step)."""

    key: str
    points: Sequence[tuple[float, str]] = ()
    limits: tuple[float, float, float] | None = None
    measurement: Measurement = Measurement.ORDINAL


@dataclass(frozen=True, slots=True)
class NewDimension:
    """A dimension to be."""

    key: str
    name: str
    scale: str | None = None
    kind: DimensionKind = DimensionKind.POINTS
    question: str = ""
    definition: str = ""
    is_required: bool = True
    allows_no_answer: bool = False
    allows_tie: bool = False


@dataclass(frozen=True, slots=True)
class NewExample:
    """An example or counter-example to be."""

    text: str
    kind: ExampleKind = ExampleKind.EXAMPLE
    source: str = ""
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class NewPhase:
    """A phase to be, with its dimensions and examples in order."""

    key: str
    title: str
    dimensions: Sequence[NewDimension]
    instructions: str = ""
    suggestions: str = ""
    examples: Sequence[NewExample] = ()


@dataclass(frozen=True, slots=True)
class NewGroup:
    """A group of judges to be."""

    key: str
    name: str
    judges_per_unit: int
    kind: GroupKind = GroupKind.OTHER


@dataclass(frozen=True, slots=True)
class Protocol:
    """What a study asks, of whom, and how it shows it."""

    scales: Sequence[NewScale]
    phases: Sequence[NewPhase]
    groups: Sequence[NewGroup]
    settings: Mapping[str, object] = field(default_factory=dict)
