"""Rows of what the exclusion of judges changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ExclusionRow:
    """One number without the excluded judges, as everywhere in the report, and with them.

    ``statistic`` is ``mean`` (of ``system``) or ``krippendorff_alpha``, where ``system`` is empty.
    Judges who withdrew are in neither.
    """

    dimension: str
    group: str
    statistic: str
    options: Mapping[str, Any]
    system: str
    value: float | None
    with_excluded: float | None
    difference: float | None
    n_ratings: int
    n_with_excluded: int
    undefined: str | None
