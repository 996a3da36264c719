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


# One way of aligning the first words: (n_lost, n_chunks, n_skipped, last, used). Less lost, then
# fewer chunks, is better. A plain tuple, since a search makes thousands.
_Path = tuple[int, int, int, int, int]

# No place of the reference follows this one, so the next match begins a chunk.
_NOWHERE = -2


class _Step(NamedTuple):
    """What a path must know to take one word of the output.

    Attributes
    ----------
    places : list of int
        Places of the reference that the word may go to.
    kind : int
        Bits of all places that words of its kind may go to.
    n_left : int
        Words of its kind that come later.
    is_plain : bool
        Whether each word of its kind matches each of these places: a match that is passed over is
        then never made good, and such a path never wins.
    continued : int
        Bits of the places after which the next word may go on with the chunk.
    wanted : int
        Bits of the places that words to come may go to; which others are used decides nothing.
    """

    places: list[int]
    kind: int
    n_left: int
    is_plain: bool
    continued: int
    wanted: int


def _steps(output: Sequence[str], reference: Sequence[str], keys: Keys) -> list[_Step]:
    at = defaultdict[str, list[int]](list)
    for place, word in enumerate(reference):
        for key in keys(word):
            at[key].append(place)
    shared = {word: [key for key in keys(word) if key in at] for word in set(output)}
    groups = _groups(shared.values())
    n_keys = Counter(groups.values())
    kinds = defaultdict[str, int](int)
    for key, group in groups.items():
        kinds[group] |= _bits(at[key])
    places = {word: sorted({p for key in found for p in at[key]}) for word, found in shared.items()}
    n_left = Counter[str]()
    steps: list[_Step] = []
    continued = wanted = 0
    for word in reversed(output):
        if not shared[word]:
            continued = 0  # nothing goes on over it, and it changes no path
            continue
        group = groups[shared[word][0]]
        is_plain = n_keys[group] == 1
        step = _Step(places[word], kinds[group], n_left[group], is_plain, continued, wanted)
        steps.append(step)
        n_left[group] += 1
        continued, wanted = _bits(step.places) >> 1, wanted | step.kind
    return steps[::-1]


def _bits(places: Iterable[int]) -> int:
    return sum(1 << place for place in set(places))


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
    width = max(1, min(BEAM, BEAM_TIMES_WORDS // max(len(output), 1)))
    steps = _steps(output, reference, keys)
    paths: list[_Path] = [(0, 0, 0, _NOWHERE, 0)]
    for step in steps:
        longer: dict[tuple[int, int], _Path] = {}
        for path in paths:
            for grown in _grown(step, path):
                state = grown[3:]
                if state not in longer or grown < longer[state]:
                    longer[state] = grown
        paths = list(longer.values())
        if len(paths) > width:
            paths = sorted(paths, key=_promise)[:width]
    _, n_chunks, n_skipped, _, _ = min(paths)
    return Alignment(len(steps) - n_skipped, n_chunks)


def _promise(path: _Path) -> tuple[int, int, int]:
    # A chunk that may go on is worth the one that the next match would begin.
    return (path[0], path[1] - (path[3] >= 0), path[2])


def _grown(step: _Step, path: _Path) -> list[_Path]:
    """Return the path with the word at each place it may go to, and without the word."""
    n_lost, n_chunks, n_skipped, last, used = path
    continued, wanted = step.continued, step.wanted
    found = [
        (
            n_lost,
            n_chunks + (place != last + 1),
            n_skipped,
            place if continued >> place & 1 else _NOWHERE,
            (used | 1 << place) & wanted,
        )
        for place in _tried(step, last, used)
    ]
    # Passing over a word costs a match unless enough of its kind are still to come.
    lost = step.n_left < (step.kind & ~used).bit_count()
    if not (lost and step.is_plain):
        found.append((n_lost + lost, n_chunks, n_skipped + 1, _NOWHERE, used & wanted))
    return found


def _tried(step: _Step, last: int, used: int) -> list[int]:
    """Return free places for a word: first the next one, then those the next word continues."""
    free = [place for place in step.places if not used >> place & 1]
    if len(free) > PLACES:
        after = step.continued
        free.sort(key=lambda place: (place != last + 1, not after >> place & 1, place))
    return free[:PLACES]


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
