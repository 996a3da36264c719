"""Where each member of a comparison stands, so that every system is in every position as often."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

# A run of the appearances of a system: the system, and the number of the run.
Run = tuple[int, int]
Vertex = int | Run


def balanced_positions(
    combinations: Sequence[tuple[int, ...]], *, rng: random.Random
) -> list[tuple[int, ...]]:
    """Return each combination of systems in an order, drawn by chance under two rules.

    Each system stands in each position equally often, give or take one; and where a combination
    comes as often as it has members, or any multiple of that, so it does within the combination.
    All combinations have the same size.

    Notes
    -----
    Each system's appearances are cut into runs as long as a combination. Combinations and runs
    are the two sides of a graph in which no vertex has more edges than there are positions, so
    that its edges can be coloured with the positions, no two alike at a vertex (König 1916): each
    whole run stands once in each position. Runs begin with appearances in the same combination.
    """
    size = len(combinations[0]) if combinations else 0
    order = list(range(len(combinations)))
    rng.shuffle(order)
    colouring = _Colouring(size)
    n_seen: Counter[int] = Counter()
    for number in _alike_first(combinations, order, size):
        for system in combinations[number]:
            colouring.add(number, (system, n_seen[system] // size))
            n_seen[system] += 1
    return [colouring.systems_of(number) for number in range(len(combinations))]


def _alike_first(
    combinations: Sequence[tuple[int, ...]], order: Sequence[int], size: int
) -> Iterator[int]:
    """Yield whole bunches of the same combination before what is left over."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for number in order:
        alike.setdefault(combinations[number], []).append(number)
    for numbers in alike.values():
        yield from numbers[: len(numbers) // size * size]
    for numbers in alike.values():
        yield from numbers[len(numbers) // size * size :]


class _Colouring:
    """Edges between combinations and runs, each with a colour, no colour twice at a vertex."""

    def __init__(self, n_colours: int) -> None:
        self._n_colours = n_colours
        self._across: dict[Vertex, dict[int, Vertex]] = {}

    def add(self, number: int, run: Run) -> None:
        """Add an edge; earlier edges change their colours where they must."""
        wanted, free = self._free(number), self._free(run)
        if wanted != free:
            self._swap(run, wanted, free)
        self._join(number, run, wanted)

    def systems_of(self, number: int) -> tuple[int, ...]:
        """Return the systems of a combination by position."""
        runs = sorted(self._across[number].items())
        return tuple(run[0] for _, run in runs if isinstance(run, tuple))

    def _free(self, vertex: Vertex) -> int:
        taken = self._across.get(vertex, {})
        return next(colour for colour in range(self._n_colours) if colour not in taken)

    def _join(self, one: Vertex, other: Vertex, colour: int) -> None:
        self._across.setdefault(one, {})[colour] = other
        self._across.setdefault(other, {})[colour] = one

    def _swap(self, start: Vertex, colour: int, other_colour: int) -> None:
        """Exchange two colours along the path that leaves ``start`` by the first of them."""
        path = []
        here, leaving = start, colour
        while (there := self._across.get(here, {}).get(leaving)) is not None:
            path.append((here, there, leaving))
            here, leaving = there, other_colour if leaving == colour else colour
        for one, other, old in path:
            del self._across[one][old], self._across[other][old]
        for one, other, old in path:
            self._join(one, other, other_colour if old == colour else colour)
