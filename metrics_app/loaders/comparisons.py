"""Comparisons as an analysis reads them: which output of a pair or set a judge chose."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

LETTERS = "ABCDE"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One valid answer about a pair or set of outputs of one item.

    Attributes
    ----------
    systems : tuple of str
        In the order in which they were shown.
    choice : str
        In the letters of that order: ``A>B``, best before worst; ``A=B``, a tie; empty where the
        judge gave no answer.
    again : str or None
        What the judge chose when the same was shown to them again; None where it was not.
    """

    dimension: str
    group: str
    judge: str
    item: str
    batch: str
    systems: tuple[str, ...]
    choice: str
    again: str | None = None

    @property
    def is_missing(self) -> bool:
        """Whether the judge chose nothing."""
        return not self.choice

    @property
    def is_tie(self) -> bool:
        """Whether the judge saw no difference."""
        return "=" in self.choice

    @property
    def best(self) -> str:
        """The system chosen as best; of a tie the first."""
        return self.systems[LETTERS.index(self.choice[0])]

    @property
    def worst(self) -> str:
        """The system chosen as worst; of a tie the second."""
        return self.systems[LETTERS.index(self.choice[-1])]


def with_repeats(
    firsts: Iterable[Comparison], again: Iterable[Comparison]
) -> tuple[Comparison, ...]:
    """Return first answers with what was said when the same was shown again.

    A repeat without a first answer says nothing; of several repeats only the first one counts.
    """
    told: dict[tuple[object, ...], str] = {}
    for row in again:
        told.setdefault(_shown(row), row.choice)
    return tuple(replace(row, again=told.get(_shown(row))) for row in firsts)


def _shown(row: Comparison) -> tuple[object, ...]:
    return row.dimension, row.judge, row.item, row.systems


@dataclass(frozen=True, slots=True)
class Compared:
    """The comparisons of one dimension by some of the judges."""

    dimension: str
    group: str
    rows: tuple[Comparison, ...]

    @property
    def answered(self) -> list[Comparison]:
        """Those in which something was chosen."""
        return [row for row in self.rows if not row.is_missing]

    @property
    def is_of_pairs(self) -> bool:
        """Whether two outputs were compared at a time."""
        return all(len(row.systems) == 2 for row in self.rows)


def compared_parts(
    comparisons: Sequence[Comparison], *, model_groups: Sequence[str], all_groups: str
) -> list[Compared]:
    """Return the comparisons by dimension and group; with several of people, all of them last."""
    parts = []
    for dimension in dict.fromkeys(row.dimension for row in comparisons):
        asked = [row for row in comparisons if row.dimension == dimension]
        groups = list(dict.fromkeys(row.group for row in asked))
        people = [group for group in groups if group not in model_groups]
        wanted = [(group, [group]) for group in groups]
        if len(people) > 1:
            wanted.append((all_groups, people))
        parts += [
            Compared(dimension, name, tuple(row for row in asked if row.group in members))
            for name, members in wanted
        ]
    return parts
