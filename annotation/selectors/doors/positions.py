"""How far a language model's choices hang on the order in which it is shown the outputs."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count

from annotation.design.choices import (
    FIRST,
    SECOND,
    choice_of_both_orders,
    chosen_of_set,
    turned_round,
)
from annotation.enums import DimensionKind
from annotation.models import Rating

CHUNK = 2_000


@dataclass(frozen=True, slots=True)
class PositionRecord:
    """How far a model judge's choices on one dimension hang on which output is shown first.

    Attributes
    ----------
    dimension : str
        Its name.
    n_pairs : int
        Pairs with a choice in both orders.
    n_consistent, n_first, n_second : int
        Those with the same choice in both; with the first, and with the second place both times.
    """

    dimension: str
    n_pairs: int
    n_consistent: int
    n_first: int
    n_second: int

    @property
    def n_half_tied(self) -> int:
        """Pairs called a tie in one order only."""
        return self.n_pairs - self.n_consistent - self.n_first - self.n_second

    @property
    def shares(self) -> list[tuple[int, float]]:
        """Each count with its share of the pairs in percent, in the order given above."""
        counts = (self.n_consistent, self.n_first, self.n_second, self.n_half_tied)
        return [(n, 100 * n / self.n_pairs) for n in counts]


@dataclass(frozen=True, slots=True)
class SetPositionRecord:
    """The same of its choices of the best and the worst of sets on one dimension.

    Attributes
    ----------
    dimension : str
        Its name.
    n_sets : int
        Sets with a choice in both orders.
    n_consistent, n_best, n_worst : int
        Those with the same best and worst output in both; with only the best, and only the worst.
    best_first, best_last, worst_first, worst_last : int
        Answers, two of each set, that named the output in the first or the last place. Of one who
        looks only at the outputs, first and last are equal: each output stands in both.
    """

    dimension: str
    n_sets: int
    n_consistent: int
    n_best: int
    n_worst: int
    best_first: int
    best_last: int
    worst_first: int
    worst_last: int

    @property
    def shares(self) -> list[tuple[int, float]]:
        """Each count, and the sets without agreement, with its share in percent.

        First of the sets (both, the best only, the worst only, neither), then of the answers.
        """
        of_sets = (self.n_consistent, self.n_best, self.n_worst)
        of_answers = (self.best_first, self.best_last, self.worst_first, self.worst_last)
        every = (*of_sets, self.n_sets - sum(of_sets))
        return [(n, 100 * n / self.n_sets) for n in every] + [
            (n, 100 * n / (2 * self.n_sets)) for n in of_answers
        ]


def position_records(judge_id: int) -> list[PositionRecord]:
    """Return a model judge's consistency under swapped positions of pairs, by dimension."""
    counts: dict[str, Counter[tuple[float, float]]] = {}
    for name, _, *both in _answered_twice(judge_id, DimensionKind.PAIRWISE):
        counts.setdefault(name, Counter())[both[0], both[1]] += 1
    return [
        PositionRecord(
            name,
            n_pairs=found.total(),
            n_consistent=sum(
                n for both, n in found.items() if choice_of_both_orders(*both) is not None
            ),
            n_first=found[FIRST, FIRST],
            n_second=found[SECOND, SECOND],
        )
        for name, found in counts.items()
    ]


def set_position_records(judge_id: int) -> list[SetPositionRecord]:
    """Return a model judge's consistency where sets are shown from their end, by dimension."""
    counts: dict[str, Counter[str]] = {}
    for name, size, shown, swapped in _answered_twice(judge_id, DimensionKind.BEST_WORST):
        counts.setdefault(name, Counter()).update(_found(size, shown, swapped))
    return [
        SetPositionRecord(
            name,
            n_sets=found["sets"],
            n_consistent=found["same best and worst"],
            n_best=found["same best"],
            n_worst=found["same worst"],
            best_first=found["best first"],
            best_last=found["best last"],
            worst_first=found["worst first"],
            worst_last=found["worst last"],
        )
        for name, found in counts.items()
    ]


def _found(size: int, shown: float, swapped: float) -> Iterator[str]:
    """Yield what two answers about a set count for."""
    yield "sets"
    here, there = chosen_of_set(shown), turned_round(swapped, n_members=size)
    same = [name for name, a, b in zip(("best", "worst"), here, there, strict=False) if a == b]
    if same:
        yield f"same {' and '.join(same)}"
    for answer in (here, chosen_of_set(swapped)):
        for name, place in (("best", answer.best), ("worst", answer.worst)):
            if place in {0, size - 1}:
                yield f"{name} {'last' if place else 'first'}"


def _answered_twice(judge_id: int, kind: DimensionKind) -> Iterator[tuple[str, int, float, float]]:
    """Yield, of what has an answer in both orders: dimension, number of outputs, both answers."""
    ratings = Rating.objects.filter(
        assignment__judge_id=judge_id, dimension__kind=kind, model_call__swapped__isnull=False
    )
    rows = ratings.annotate(size=Count("assignment__unit__unit_members")).order_by(
        "dimension__phase__position", "dimension__position", "dimension"
    )
    for name, size, shown, swapped in rows.values_list(
        "dimension__name", "size", "model_call__value", "model_call__swapped__value"
    ).iterator(chunk_size=CHUNK):
        if shown is not None and swapped is not None:
            yield name, size, shown, swapped
