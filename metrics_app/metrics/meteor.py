"""METEOR: words aligned, then scored by how many match and in how few chunks.

Banerjee and Lavie 2005, with the parameters of Lavie and Agarwal 2007 by default, and METEOR 1.5
(Denkowski and Lavie 2014), which weighs matches. The alignment has the most matches that are
possible and, among those, the fewest chunks: runs of matches that are adjacent and in the same
order in both texts.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple

Keys = Callable[[str], Iterable[str]]
# From a word of the output and one of the reference to what their match is worth to each text.
Worth = Callable[[str, str], tuple[float, float]]

# Alignments kept at each word of the output; METEOR 1.5 keeps 40 as well. A long text keeps fewer,
# so that the time grows with the length only. Places of the reference tried for one word.
BEAM, BEAM_TIMES_WORDS, PLACES = 40, 20_000, 12


@dataclass(frozen=True, slots=True)
class Alignment:
    """How many words match, in how many chunks, and what the matches are worth to each text."""

    n_matches: int
    n_chunks: int
    in_output: float = 0.0
    in_reference: float = 0.0


# One way of aligning the first words: (n_lost, n_chunks, n_skipped, -in_output, -in_reference,
# last, used). Less lost, then fewer chunks, then more worth, is better. A plain tuple, since a
# search makes thousands.
_Path = tuple[int, int, int, float, float, int, int]

# No place of the reference follows this one, so the next match begins a chunk.
_NOWHERE = -2
_WORTHLESS = (0.0, 0.0)


class _Step(NamedTuple):
    """What a path must know to take one word of the output.

    Attributes
    ----------
    places : int
        Bits of the places of the reference that the word may go to.
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
    worth : mapping
        What a match with each place is worth; empty where it is not asked.
    """

    places: int
    kind: int
    n_left: int
    is_plain: bool
    continued: int
    wanted: int
    worth: Mapping[int, tuple[float, float]]


def _steps(
    output: Sequence[str], reference: Sequence[str], keys: Keys, worth: Worth | None
) -> list[_Step]:
    at = defaultdict[str, int](int)
    for place, word in enumerate(reference):
        for key in keys(word):
            at[key] |= 1 << place
    shared = {word: [key for key in keys(word) if key in at] for word in set(output)}
    groups = _groups(shared.values())
    n_keys = Counter(groups.values())
    kinds = defaultdict[str, int](int)
    for key, group in groups.items():
        kinds[group] |= at[key]
    places = {word: reduce(or_, (at[key] for key in found), 0) for word, found in shared.items()}
    worths = {word: _worths(word, bits, reference, worth) for word, bits in places.items()}
    n_left = Counter[str]()
    steps: list[_Step] = []
    continued = wanted = 0
    for word in reversed(output):
        if not shared[word]:
            continued = 0  # nothing goes on over it, and it changes no path
            continue
        group = groups[shared[word][0]]
        is_plain = n_keys[group] == 1
        known = (kinds[group], n_left[group], is_plain, continued, wanted, worths[word])
        step = _Step(places[word], *known)
        steps.append(step)
        n_left[group] += 1
        continued = step.places >> 1
        if step.kind & ~wanted:  # else the same number serves: a long one takes room
            wanted |= step.kind
    return steps[::-1]


def _worths(
    word: str, places: int, reference: Sequence[str], worth: Worth | None
) -> Mapping[int, tuple[float, float]]:
    if worth is None:
        return {}
    return {place: worth(word, reference[place]) for place in _lowest(places, len(reference))}


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


def align(
    output: Sequence[str], reference: Sequence[str], keys: Keys, worth: Worth | None = None
) -> Alignment:
    """Return the alignment of two tokenised texts.

    Parameters
    ----------
    output, reference : sequence of str
        Words.
    keys : callable
        From a word to its keys; two words match where they share one (the word itself, its stem,
        its meanings).
    worth : callable, optional
        What a match of two words is worth to the output and to the reference. Of alignments with
        as many matches and chunks, the one worth most to the output is taken, then to the
        reference.

    Notes
    -----
    Found by a beam search from left to right, exact for texts of usual length unless a word comes
    more often than the beam is wide.
    """
    width = max(1, min(BEAM, BEAM_TIMES_WORDS // max(len(output), 1)))
    steps = _steps(output, reference, keys, worth)
    paths: list[_Path] = [(0, 0, 0, 0.0, 0.0, _NOWHERE, 0)]
    for step in steps:
        longer: dict[tuple[int, int], _Path] = {}
        for path in paths:
            for grown in _grown(step, path):
                state = grown[5:]
                if state not in longer or grown < longer[state]:
                    longer[state] = grown
        paths = list(longer.values())
        if len(paths) > width:
            paths = sorted(paths, key=_promise)[:width]
    _, n_chunks, n_skipped, minus_output, minus_reference, *_ = min(paths)
    return Alignment(len(steps) - n_skipped, n_chunks, -minus_output, -minus_reference)


def _promise(path: _Path) -> tuple[int, int, int, float]:
    # A chunk that may go on is worth the one that the next match would begin.
    return (path[0], path[1] - (path[5] >= 0), path[2], path[3])


def _grown(step: _Step, path: _Path) -> list[_Path]:
    """Return the path with the word at each place it may go to, and without the word."""
    n_lost, n_chunks, n_skipped, own, others, last, used = path
    continued, wanted, worth = step.continued, step.wanted, step.worth
    found: list[_Path] = []
    for place in _tried(step, last, used):
        more, more_of_others = worth[place] if worth else _WORTHLESS
        found.append(
            (
                n_lost,
                n_chunks + (place != last + 1),
                n_skipped,
                own - more,
                others - more_of_others,
                place if continued >> place & 1 else _NOWHERE,
                (used | 1 << place) & wanted,
            )
        )
    # Passing over a word costs a match unless enough of its kind are still to come.
    lost = step.n_left < (step.kind & ~used).bit_count()
    if not (lost and step.is_plain):
        skipped = (n_lost + lost, n_chunks, n_skipped + 1, own, others, _NOWHERE, used & wanted)
        found.append(skipped)
    return found


def _tried(step: _Step, last: int, used: int) -> list[int]:
    """Return free places for a word: first the next one, then those the next word continues."""
    free = step.places & ~used
    if free.bit_count() <= PLACES:
        return _lowest(free, PLACES)
    following = free & (1 << last + 1 if last >= 0 else 0)
    going_on = free & step.continued & ~following
    found = _lowest(following, 1) + _lowest(going_on, PLACES)
    return (found + _lowest(free & ~following & ~going_on, PLACES))[:PLACES]


def _lowest(bits: int, at_most: int) -> list[int]:
    """Return the lowest places that bits stand for."""
    found: list[int] = []
    while bits and len(found) < at_most:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def meteor(
    found: Alignment, n_output: int, n_reference: int, *, alpha: float, beta: float, gamma: float
) -> float:
    """Return the score of an alignment, between 0 and 1; 0 where nothing matches.

    F = P R / (alpha P + (1 - alpha) R), less a share gamma (chunks / matches) ** beta.
    """
    if not found.n_matches:
        return 0.0
    p, r = found.n_matches / n_output, found.n_matches / n_reference
    return _penalised(p, r, found.n_chunks / found.n_matches, alpha=alpha, beta=beta, gamma=gamma)


def weighted_meteor(
    found: Alignment,
    lengths: tuple[int, int],
    weights: tuple[float, float],
    *,
    alpha: float,
    beta: float,
    gamma: float,
) -> float:
    """Return METEOR 1.5's score of an alignment, between 0 and 1; 0 where nothing matches.

    As `meteor`, with the worth of the matches over the weights of all words in the place of P and
    R, and with no penalty where all words of both texts match in one chunk (as the program does,
    which gives identical texts 1).

    Parameters
    ----------
    found : Alignment
        With the worth of its matches.
    lengths : tuple of int
        Words of the output and of the reference.
    weights : tuple of float
        The sum of their weights, likewise.
    """
    if not found.in_output or not found.in_reference:
        return 0.0
    p, r = found.in_output / weights[0], found.in_reference / weights[1]
    is_whole = lengths == (found.n_matches, found.n_matches) and found.n_chunks == 1
    fragmentation = 0.0 if is_whole else found.n_chunks / found.n_matches
    return max(0.0, _penalised(p, r, fragmentation, alpha=alpha, beta=beta, gamma=gamma))


def _penalised(
    p: float, r: float, fragmentation: float, *, alpha: float, beta: float, gamma: float
) -> float:
    f = p * r / (alpha * p + (1 - alpha) * r)
    penalty: float = gamma * fragmentation**beta
    return f * (1 - penalty)
