"""METEOR: words aligned, then scored by how many match and in how few chunks.

Banerjee and Lavie 2005, with the parameters of Lavie and Agarwal 2007 by default. The alignment
has the most matches that are possible and, among those, the fewest chunks: runs of matches that
are adjacent and in the same order in both texts.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

Keys = Callable[[str], Iterable[str]]

# Alignments kept at each word of the output; METEOR 1.5 keeps 40 as well. A long text keeps fewer,
# so that the time grows with the length only. Places of the reference tried for one word.
BEAM, BEAM_TIMES_WORDS, PLACES = 40, 20_000, 12


@dataclass(frozen=True, slots=True)
class Alignment:
    """How many words match, and in how many chunks."""

    n_matches: int
    n_chunks: int


class _Path(NamedTuple):
    """One way of aligning the first words: less lost, then fewer chunks, is better."""

    n_lost: int
    n_chunks: int
    n_matches: int
    last: int
    used: int


# No place of the reference follows this one, so the next match begins a chunk.
_NOWHERE = -2


class _Graph:
    """Which words of the output can go to which places of the reference."""

    def __init__(self, output: Sequence[str], reference: Sequence[str], keys: Keys) -> None:
        at = defaultdict[str, set[int]](set)
        for place, word in enumerate(reference):
            for key in keys(word):
                at[key].add(place)
        shared = {word: [key for key in keys(word) if key in at] for word in set(output)}
        groups = _groups(shared.values())
        self.places = [sorted(set().union(*(at[key] for key in shared[word]))) for word in output]
        self.group = [groups[shared[word][0]] if shared[word] else "" for word in output]
        self.left = Counter(self.group)
        self.masks = defaultdict[str, int](int)
        for key, group in groups.items():
            for place in at[key]:
                self.masks[group] |= 1 << place

    def tried(self, index: int, path: _Path) -> list[int]:
        """Return free places for a word: first the next one, then those the next word continues."""
        free = [place for place in self.places[index] if not path.used >> place & 1]
        if len(free) > PLACES:
            after = set(self.places[index + 1]) if index + 1 < len(self.places) else set()
            free.sort(key=lambda place: (place != path.last + 1, place + 1 not in after, place))
        return free[:PLACES]


def _groups(related: Iterable[Sequence[str]]) -> Mapping[str, str]:
    """Return a name for each set of keys that words tie together."""
    group: dict[str, str] = {}
    for keys in related:
        names = {group.get(key, key) for key in keys}
        if names:
            name = min(names)
            merged = {key: name for key, old in group.items() if old in names and old != name}
            group.update(merged, **dict.fromkeys(keys, name))
    return group


def align(output: Sequence[str], reference: Sequence[str], keys: Keys) -> Alignment:
    """Return the alignment of two tokenised texts.

    Parameters
    ----------
    output, reference : sequence of str
        Words.
    keys : callable
        From a word to its keys; two words match where they share one (the word itself, its stem,
        its meanings).

    Notes
    -----
    Found by a beam search from left to right, exact for texts of usual length unless a word comes
    more often than the beam is wide.
    """
    graph = _Graph(output, reference, keys)
    width = max(1, min(BEAM, BEAM_TIMES_WORDS // max(len(output), 1)))
    paths = [_Path(0, 0, 0, _NOWHERE, 0)]
    for index in range(len(output)):
        longer: dict[tuple[int, int], _Path] = {}
        for path in paths:
            for grown in _grown(graph, index, path):
                state = (grown.last, grown.used)
                longer[state] = min(grown, longer.get(state, grown))
        graph.left[graph.group[index]] -= 1
        paths = sorted(longer.values(), key=lambda p: (p.n_lost, p.n_chunks, -p.n_matches))[:width]
    return Alignment(paths[0].n_matches, paths[0].n_chunks)


def _grown(graph: _Graph, index: int, path: _Path) -> Iterable[_Path]:
    places = graph.tried(index, path)
    # Paths are made anew by place: to replace parts of one by name takes three times as long.
    n_lost, n_chunks, n_matches, last, used = path
    for place in places:
        is_new = place != last + 1
        yield _Path(n_lost, n_chunks + is_new, n_matches + 1, place, used | 1 << place)
    # Passing over a word costs a match unless enough of its kind are still to come.
    group = graph.group[index]
    free = (graph.masks[group] & ~used).bit_count() if places else 0
    lost = bool(places) and graph.left[group] <= free
    yield _Path(n_lost + lost, n_chunks, n_matches, _NOWHERE, used)


def meteor(
    found: Alignment, n_output: int, n_reference: int, *, alpha: float, beta: float, gamma: float
) -> float:
    """Return the score of an alignment, between 0 and 1; 0 where nothing matches.

    F = P R / (alpha P + (1 - alpha) R), less a share gamma (chunks / matches) ** beta.
    """
    if not found.n_matches:
        return 0.0
    p, r = found.n_matches / n_output, found.n_matches / n_reference
    f = p * r / (alpha * p + (1 - alpha) * r)
    penalty: float = gamma * (found.n_chunks / found.n_matches) ** beta
    return f * (1 - penalty)
