"""Labels that judges gave to single facts of an output, checked once."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from metrics_app.stats.samples import Floats
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class FactLabel:
    """One judge's answer on one fact of one output; a label of None is missing."""

    item: Hashable
    system: Hashable
    fact: Hashable
    judge: Hashable
    label: str | None
    group: Hashable = ""
    predicate: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact as it was judged in one output."""

    item: Hashable
    system: Hashable
    fact: Hashable
    predicate: str
    weight: float

    @property
    def output(self) -> tuple[Hashable, Hashable]:
        """Item and system of the output."""
        return self.item, self.system


@dataclass(frozen=True, eq=False)
class FactTable:
    """Answers on facts, one dimension: is the fact present (or contradicted), yes or no.

    Attributes
    ----------
    fact, judge : numpy.ndarray of int, shape (n_labels,)
        Positions in ``facts`` and ``judges``; each pair occurs once.
    is_positive : numpy.ndarray of bool, shape (n_labels,)
        Whether the answer is the label counted.
    facts : tuple of Fact
        One for each fact and output.
    judges : tuple
        Keys; experts who answered together are one.
    group : tuple
        Group of each judge.
    positive : str
        The label counted, ``Present`` for coverage.
    n_missing : int
        Answers left out because they were missing.
    """

    fact: Ints
    judge: Ints
    is_positive: Bools
    facts: tuple[Fact, ...]
    judges: tuple[Hashable, ...]
    group: tuple[Hashable, ...]
    positive: str
    n_missing: int = 0

    @classmethod
    def from_labels(
        cls, labels: Iterable[FactLabel], *, positive: str, declared: Sequence[str]
    ) -> "FactTable":
        """Build the table.

        Parameters
        ----------
        labels : iterable of FactLabel
        positive : str
            The label that is counted.
        declared : sequence of str
            All labels a judge could give.

        Raises
        ------
        ValueError
            If a label is not declared, a judge answered on a fact twice, belongs to two groups, or
            a fact has two weights or predicates.
        """
        if positive not in declared:
            raise ValueError(f"{positive!r} is none of the labels {', '.join(declared)}")
        facts: dict[tuple[Hashable, ...], tuple[int, Fact]] = {}
        judges: dict[Hashable, tuple[int, Hashable]] = {}
        given: dict[tuple[int, int], bool] = {}
        n_missing = 0
        for row in labels:
            if row.label is None:
                n_missing += 1
                continue
            pair = _place_fact(row, facts), _place_judge(row, judges)
            if row.label not in declared:
                raise ValueError(f"{_name(row)}: {row.label!r} is none of {', '.join(declared)}")
            if pair in given:
                raise ValueError(f"{_name(row)}: answered twice")
            given[pair] = row.label == positive
        pairs = np.array(list(given), dtype=np.int64).reshape(-1, 2)
        return cls(
            fact=pairs[:, 0],
            judge=pairs[:, 1],
            is_positive=np.array(list(given.values()), dtype=bool),
            facts=tuple(fact for _, fact in facts.values()),
            judges=tuple(judges),
            group=tuple(group for _, group in judges.values()),
            positive=positive,
            n_missing=n_missing,
        )

    def of_group(self, group: Hashable) -> "FactTable":
        """Return the answers of one group's judges; all facts stay.

        Raises
        ------
        ValueError
            If no judge belongs to the group.
        """
        if group not in self.group:
            raise ValueError(f"no judge is in the group {group!r}")
        kept = np.array([own == group for own in self.group], dtype=bool)
        return self._keep(kept)

    def of_judge(self, judge: Hashable) -> "FactTable":
        """Return one judge's answers; all facts stay."""
        return self._keep(np.array([own == judge for own in self.judges], dtype=bool))

    def joined(self, judges: Sequence[Hashable], *, name: Hashable) -> "FactTable":
        """Return the table in which experts who answered together are one joint judge.

        Raises
        ------
        ValueError
            If they differ on a fact: then they did not answer together.
        """
        first, *others = (self.of_judge(judge) for judge in judges)
        answers = dict(zip(first.fact.tolist(), first.is_positive.tolist(), strict=True))
        for other in others:
            found = dict(zip(other.fact.tolist(), other.is_positive.tolist(), strict=True))
            if found != answers:
                raise ValueError(f"judges {', '.join(map(str, judges))} did not answer alike")
        dropped = set(judges[1:])
        kept = np.array([judge not in dropped for judge in self.judges], dtype=bool)
        rest = self._keep(kept)
        renamed = tuple(name if judge == judges[0] else judge for judge in rest.judges)
        return replace(rest, judges=renamed)

    def as_ratings(self) -> RatingTable:
        """Return the answers as ratings, for the agreement of judges on facts.

        Units are the facts of outputs, with item and system; the scale is nominal, the counted
        label (value 2) against any other (value 1).
        """
        keys = [(fact.item, fact.system, fact.fact) for fact in self.facts]
        named = [keys[position] for position in self.fact.tolist()]
        return RatingTable.from_columns(
            named,
            [self.judges[position] for position in self.judge.tolist()],
            np.where(self.is_positive, 2.0, 1.0),
            scale=Scale.named([f"not {self.positive}", self.positive]),
            item=[item for item, _, _ in named],
            system=[system for _, system, _ in named],
        )

    def disagreements(self) -> tuple[Fact, ...]:
        """Return the facts on which judges gave different answers."""
        positive, answered = self.counts()
        split = np.flatnonzero((positive > 0) & (positive < answered))
        return tuple(self.facts[position] for position in split.tolist())

    def _keep(self, kept: Bools) -> "FactTable":
        rows = kept[self.judge]
        return replace(
            self,
            fact=self.fact[rows],
            judge=(np.cumsum(kept) - 1)[self.judge[rows]],
            is_positive=self.is_positive[rows],
            judges=tuple(judge for judge, keep in zip(self.judges, kept, strict=True) if keep),
            group=tuple(group for group, keep in zip(self.group, kept, strict=True) if keep),
        )

    @property
    def weights(self) -> Floats:
        """Weight of each fact, shape (n_facts,)."""
        return np.array([fact.weight for fact in self.facts], dtype=np.float64)

    def counts(self) -> tuple[Floats, Floats]:
        """Return the number of positive answers and of all answers on each fact."""
        n_facts = len(self.facts)
        positive = np.bincount(self.fact[self.is_positive], minlength=n_facts)
        return positive.astype(np.float64), np.bincount(self.fact, minlength=n_facts).astype(float)


def _name(row: FactLabel) -> str:
    return f"judge {row.judge!r}, item {row.item!r}, system {row.system!r}, fact {row.fact!r}"


def _place_fact(row: FactLabel, facts: dict[tuple[Hashable, ...], tuple[int, Fact]]) -> int:
    fact = Fact(row.item, row.system, row.fact, row.predicate, float(row.weight))
    if not 0 <= fact.weight < np.inf:
        raise ValueError(f"{_name(row)}: the weight {row.weight} must be 0 or more")
    position, known = facts.setdefault((row.item, row.system, row.fact), (len(facts), fact))
    if known != fact:
        raise ValueError(f"{_name(row)}: the fact has two weights or two predicates")
    return position


def _place_judge(row: FactLabel, judges: dict[Hashable, tuple[int, Hashable]]) -> int:
    position, group = judges.setdefault(row.judge, (len(judges), row.group))
    if group != row.group:
        raise ValueError(f"judge {row.judge!r} is in two groups, {group!r} and {row.group!r}")
    return position
