"""Which systems of an item are compared with each other. Every draw of chance comes from a seed."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import comb
from typing import TypeVar

from annotation.design.positions import balanced_positions

T = TypeVar("T")
# An item and the systems compared, in the order in which they are shown.
Comparison = tuple[int, tuple[int, ...]]


def pair_design(
    systems: Mapping[int, Sequence[int]],
    *,
    per_item: int | None,
    seed: int,
    made: Iterable[Comparison] = (),
) -> list[Comparison]:
    """Return the pairs of systems to be compared, in the order in which they are handed out.

    Parameters
    ----------
    systems : mapping of int to sequence of int
        Item to the systems that have an output for it. An item with fewer than two has no pair.
    per_item : int or None
        How many pairs of each item are compared, as far as it has them; None for all.
    seed : int
        Decides which pairs, their order and their sides.
    made : iterable of (item, systems)
        Comparisons that there are already; they count, and are not made again.

    Returns
    -------
    list of (item, (left, right))
        Where every item has the same systems, no pair comes more than once oftener than another.
        Each system, and each system of each pair, stands left as often as right, give or take one.
    """
    rng = random.Random(f"{seed}:pairs")  # noqa: S311 -- a design, not a secret
    have = _by_item(made)
    used = Counter(members for of_item in have.values() for members in of_item)
    chosen: list[Comparison] = []
    for item in _shuffled(sorted(systems), rng):
        own = have.get(item, set())
        pairs = [p for p in combinations(sorted(set(systems[item])), 2) if p not in own]
        rng.shuffle(pairs)
        pairs.sort(key=lambda pair: used[pair])
        for pair in pairs if per_item is None else pairs[: max(per_item - len(own), 0)]:
            used[pair] += 1
            chosen.append((item, pair))
    return _handed_out(chosen, rng)


def set_design(
    systems: Mapping[int, Sequence[int]],
    *,
    size: int,
    per_item: int,
    seed: int,
    made: Iterable[Comparison] = (),
) -> list[Comparison]:
    """Return the sets of systems to be compared, in the order in which they are handed out.

    Systems are drawn into a set by how seldom they were drawn before, then by how seldom they
    met those in the set, then by chance. An item with fewer than ``size`` systems has no set, and
    no set comes twice in an item. Where every item has the same systems, none is drawn more than
    once oftener than another, unless the sets of an item are nearly used up. Each system stands
    in each position equally often, give or take one. Parameters are those of `pair_design`.
    """
    rng = random.Random(f"{seed}:sets")  # noqa: S311 -- a design, not a secret
    have = _by_item(made)
    history = _History([members for of_item in have.values() for members in of_item])
    chosen: list[Comparison] = []
    for item in _shuffled(sorted(systems), rng):
        own, taken = sorted(set(systems[item])), have.setdefault(item, set())
        while len(taken) < min(per_item, comb(len(own), size)):
            members = history.seldom_set(own, size, rng)
            if members in taken:
                members = next(some for some in combinations(own, size) if some not in taken)
            history.add(members)
            taken.add(members)
            chosen.append((item, members))
    return _handed_out(chosen, rng)


class _History:
    """How often systems were drawn, alone and together."""

    def __init__(self, made: Iterable[tuple[int, ...]]) -> None:
        self._drawn: Counter[int] = Counter()
        self._met: Counter[tuple[int, ...]] = Counter()
        for members in made:
            self.add(members)

    def add(self, members: tuple[int, ...]) -> None:
        """Count a set; its members are in order."""
        self._drawn.update(members)
        self._met.update(combinations(members, 2))

    def seldom_set(self, own: Sequence[int], size: int, rng: random.Random) -> tuple[int, ...]:
        """Draw a set of the systems used and met least; its members are in order."""
        members: list[int] = []
        while len(members) < size:
            rest = _shuffled([system for system in own if system not in members], rng)
            members.append(min(rest, key=lambda s: (self._drawn[s], self._meetings(s, members))))
        return tuple(sorted(members))

    def _meetings(self, system: int, members: Sequence[int]) -> int:
        return sum(self._met[min(system, m), max(system, m)] for m in members)


def _by_item(made: Iterable[Comparison]) -> dict[int, set[tuple[int, ...]]]:
    by_item: dict[int, set[tuple[int, ...]]] = {}
    for item, members in made:
        by_item.setdefault(item, set()).add(tuple(sorted(members)))
    return by_item


def _handed_out(chosen: Sequence[Comparison], rng: random.Random) -> list[Comparison]:
    """Return the comparisons with positions; each combination comes once before any comes again.

    Judges who take one after the other so meet all combinations about equally often.
    """
    order = _shuffled(chosen, rng)
    placed = balanced_positions([members for _, members in order], rng=rng)
    n_before: Counter[tuple[int, ...]] = Counter()
    rounds = []
    for (item, members), positions in zip(order, placed, strict=True):
        rounds.append((n_before[members], item, positions))
        n_before[members] += 1
    rounds.sort(key=lambda entry: entry[0])
    return [(item, positions) for _, item, positions in rounds]


def _shuffled(values: Sequence[T], rng: random.Random) -> list[T]:
    ordered = list(values)
    rng.shuffle(ordered)
    return ordered
