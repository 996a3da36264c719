"""What an evaluation knows beside its ratings: repeats, and what was hidden from whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Repeated(NamedTuple):
    """What a judge said of one output, or fact of it, and said again; NaN is missing."""

    dimension: str
    group: str
    judge: str
    item: str
    system: str
    fact: str
    first: float
    again: float


@dataclass(frozen=True, slots=True)
class Blinding:
    """What was hidden from researchers until the closing, and who looked behind it.

    Attributes
    ----------
    hides_systems, hides_results : bool
        The rule of the study.
    is_blind : bool
        Systems bear neutral names here.
    looks : tuple of (moment, what, reason)
        Looks before the closing.
    """

    hides_systems: bool
    hides_results: bool
    is_blind: bool
    looks: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class ExclusionRules:
    """Which judges were to be excluded, by rules declared before the first rating, and who is.

    Attributes
    ----------
    rules : tuple of str
        The rules that hold now, in words.
    changes : tuple of (moment, before, now, reason)
        Later changes of them.
    excluded : tuple of (judge, moment, reason)
        The reason begins with ``Rule:`` where a rule was applied.
    """

    rules: tuple[str, ...]
    changes: tuple[tuple[str, str, str, str], ...]
    excluded: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class Conduct:
    """How ratings were collected, as a methods paragraph tells it.

    Attributes
    ----------
    layout : str
        What a judge sees at a time: ``one_output``, ``page``, ``item``, ``batch``.
    first_on, last_on : str
        Days (ISO 8601) between which counted work was handed in here; empty where none was.
    n_excluded : mapping of group to int
        Judges who are excluded or withdrew.
    median_seconds : mapping of group to float
        Median active time on an output; groups whose time is not known are not there.
    n_instruction_words, n_examples : int
        What judges read before they began; the words of instructions and suggestions together.
    repeat_percent : int
        How many of a hundred outputs were shown to the same judge again.
    """

    layout: str
    one_dimension_per_pass: bool
    shuffles_dimensions: bool
    source_once_per_judge: bool
    repeat_percent: int
    n_instruction_words: int
    n_examples: int
    first_on: str
    last_on: str
    n_excluded: Mapping[str, int]
    median_seconds: Mapping[str, float]
