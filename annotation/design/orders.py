"""Orders in which outputs are handed out and shown. Every draw of chance comes from a seed."""

import random
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeVar

T = TypeVar("T")


def williams_square(n_conditions: int) -> list[list[int]]:
    """Return orders in which each condition follows each other equally often.

    An even number of conditions needs as many rows as conditions, an odd number twice as many
    (Williams 1949). A single condition has one order.
    """
    if n_conditions < 1:
        raise ValueError("a Williams square needs at least one condition")
    if n_conditions == 1:
        return [[0]]
    zigzag = [(i + 1) // 2 if i % 2 else -(i // 2) for i in range(n_conditions)]
    rows = [[(step + row) % n_conditions for step in zigzag] for row in range(n_conditions)]
    if n_conditions % 2:
        rows += [row[::-1] for row in rows]
    return rows


def latin_lists(n_sources: int, n_systems: int) -> list[list[int]]:
    """Return n_systems lists; list ``l`` gives source ``i`` the system ``(i + l) mod n_systems``.

    Each list meets each source once, all lists together meet each pair of source and system once.
    """
    if n_sources < 1 or n_systems < 1:
        raise ValueError("lists need at least one source and one system")
    return [
        [(source + start) % n_systems for source in range(n_sources)] for start in range(n_systems)
    ]


def shuffled_order(keys: Sequence[Hashable], *, seed: int) -> dict[Hashable, int]:
    """Return a random rank for each key, the same for the same seed."""
    ranks = list(range(len(keys)))
    random.Random(seed).shuffle(ranks)  # noqa: S311 -- a design, not a secret
    return dict(zip(keys, ranks, strict=True))


def counterbalanced(units: Sequence[tuple[int, T]], *, row: int) -> list[T]:
    """Return the units of one item in the order of a row of the Williams square.

    ``units`` are pairs of a system's number and a unit; ``row`` counts the blocks handed out.
    """
    if not units:
        return []
    by_system = [unit for _, unit in sorted(units, key=lambda pair: pair[0])]
    square = williams_square(len(by_system))
    return [by_system[index] for index in square[row % len(square)]]


def least_used(systems: Iterable[int], n_used: Mapping[int, int]) -> list[list[int]]:
    """Return the systems in groups of equal use, the least used first."""
    ordered = sorted(systems, key=lambda system: (n_used.get(system, 0), system))
    return [list(group) for _, group in groupby(ordered, key=lambda s: n_used.get(s, 0))]
