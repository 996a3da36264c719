"""ROUGE-S and -SU over skip-bigrams (Lin 2004, section 4), ROUGE-BE over dependency pairs."""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from metrics_app.metrics.rouge.overlap import Overlap, overlap
from metrics_app.metrics.tokens import ngrams

# Without a gap the pairs grow with the square of the length: 3,000 tokens make 4.5 million.
LONGEST_WITHOUT_GAP = 3000


def skip_bigrams(
    tokens: Sequence[str], *, max_gap: int | None, unigrams: bool
) -> Counter[Hashable]:
    """Return ordered pairs of tokens with at most ``max_gap`` words between, and how many of each.

    ``unigrams`` adds the tokens themselves (SU), counted directly: ROUGE-1.5.5 counts them as
    pairs with a marker that begins the sentence.

    Raises
    ------
    ValueError
        Where no gap is set and the text is too long to pair every word with every other.
    """
    if max_gap is None and len(tokens) > LONGEST_WITHOUT_GAP:
        raise ValueError(
            f"{len(tokens)} tokens are too many for skip-bigrams of any gap; set max_gap, 4 say"
        )
    reach = len(tokens) if max_gap is None else max_gap + 2
    pairs: Counter[Hashable] = Counter(tokens if unigrams else ())
    for step in range(1, reach):
        pairs.update(zip(tokens, tokens[step:], strict=False))
    return pairs


def shared_ngrams(output: Sequence[str], reference: Sequence[str], n: int) -> int:
    """Return how many n-grams two texts share, each counted at most as often as both have it.

    The time grows with the length of the texts alone, which that of `Reference` does not.
    """
    return _hits(Counter(ngrams(reference, n)), Counter(ngrams(output, n)))


def counted(reference: Counter[Hashable], output: Counter[Hashable]) -> Overlap:
    """Return the overlap of two multisets."""
    return overlap(_hits(reference, output), output.total(), reference.total())


def _hits(one: Counter[Any], other: Counter[Any]) -> int:
    small, large = sorted((one, other), key=len)
    return sum(min(count, large[part]) for part, count in small.items() if part in large)


def pooled(references: Iterable[Iterable[Hashable]], output: Iterable[Hashable]) -> Overlap:
    """Return the overlap of *sets*, the references pooled: the recipe of the AESLC evaluation card.

    Nothing is clipped, since a set has each part once.
    """
    of_output, of_references = set(output), set[Hashable]().union(*references)
    return overlap(len(of_output & of_references), len(of_output), len(of_references))
