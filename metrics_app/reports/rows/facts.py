"""Rows about single facts: how many of them outputs hold, and how two groups see it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FactRow:
    """The share of facts that got one label.

    ``scope`` is ``overall``, ``system`` or ``predicate``, and ``name`` says which one. ``rule``
    is how several judges' answers on a fact become one: ``any``, ``majority``, ``all`` or
    ``mean``. Shares are means over outputs; those of predicates are of facts.
    """

    dimension: str
    group: str
    label: str
    rule: str
    scope: str
    name: str
    value: float | None
    ci: Interval | None
    ci_method: str
    n_outputs: int
    n_facts: int
    n_ties: int
    n_unanswered: int
    undefined: str | None
    method: str = ""


@dataclass(frozen=True, slots=True)
class FactComparisonRow:
    """Two groups' percentages of the same outputs.

    ``statistic`` is ``oneway_anova`` (F with 1 and 2n - 2 degrees of freedom) or ``pearson``.
    """

    dimension: str
    groups: tuple[str, str]
    label: str
    rule: str
    statistic: str
    value: float | None
    df: tuple[float, ...]
    p: float | None
    ci: Interval | None
    group_means: tuple[float | None, ...]
    n_outputs: int
    n_left_out: int
    undefined: str | None
    unit: str = "output_percentage"
    effects: Mapping[str, float | None] = field(default_factory=dict)
    method: str = ""
