"""ROUGE-N and ROUGE-L over bit masks of the positions at which a reference holds a token.

A token's mask has bit i set where the reference has it at position i. An n-gram's mask follows
from its tokens' masks by shifts; how often the reference has it is the number of its bits. The
longest common subsequence takes one addition per output token (Hyyrö 2004, "Bit-parallel
LCS-length computation revisited"). Only tokens that the reference has at all cost anything.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from metrics_app.metrics.rouge.overlap import Overlap, overlap


class Reference:
    """A tokenised reference, indexed once and compared with many outputs."""

    __slots__ = ("length", "masks")

    def __init__(self, tokens: Sequence[str]) -> None:
        self.length = len(tokens)
        self.masks: dict[str, int] = {}
        bit = 1
        for token in tokens:
            self.masks[token] = self.masks.get(token, 0) | bit
            bit <<= 1

    def positions(self, tokens: Iterable[str]) -> list[int]:
        """Return the mask of each output token; 0 where the reference does not have it."""
        look_up = self.masks.get
        return [look_up(token, 0) for token in tokens]

    def rouge_n(self, positions: Sequence[int], n: int) -> Overlap:
        """Return the overlap of n-grams."""
        n_output = max(len(positions) - n + 1, 0)
        return overlap(self.ngram_hits(positions, n), n_output, max(self.length - n + 1, 0))

    def ngram_hits(self, positions: Sequence[int], n: int) -> int:
        """Return how many n-grams are shared, each counted at most as often as both have it."""
        grams = list(positions)
        for step in range(1, n):
            # The n-gram that ends one position later goes on only where the next token is there.
            grams = [
                (mask << 1) & here for mask, here in zip(grams, positions[step:], strict=False)
            ]
        return _clipped(grams)

    def rouge_l(self, positions: Sequence[int]) -> Overlap:
        """Return the overlap by the longest common subsequence of tokens."""
        return overlap(self.lcs_length(positions), len(positions), self.length)

    def lcs_length(self, positions: Iterable[int]) -> int:
        """Return the length of the longest common subsequence."""
        everything = (1 << self.length) - 1
        row = everything
        for here in positions:
            if here:
                matched = row & here
                row = (row + matched) | (row - matched)
        return self.length - (row & everything).bit_count()


def _clipped(grams: Iterable[int]) -> int:
    # Equal masks are equal n-grams: two different ones never share a position.
    counts = Counter(filter(None, grams))
    return sum(min(count, mask.bit_count()) for mask, count in counts.items())
