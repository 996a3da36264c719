"""BLEU without smoothing, straight from Papineni et al. 2002: for short worked examples.

Scores that are to be compared with other papers come from sacrebleu (`families.translation`).
"""

import math
from collections import Counter
from collections.abc import Sequence

from metrics_app.metrics.tokens import ngrams

Tokens = Sequence[str]


def modified_precision(references: Sequence[Tokens], output: Tokens, n: int) -> float:
    """Return the share of the output's n-grams that a reference has, clipped.

    An n-gram counts at most as often as the one reference that has it most often. 0 where the
    output has no n-gram.
    """
    counts = Counter(ngrams(output, n))
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= Counter(ngrams(reference, n))
    return (counts & most).total() / max(counts.total(), 1)


def bleu(references: Sequence[Tokens], output: Tokens, *, max_n: int = 4) -> float:
    """Return BLEU between 0 and 1: the geometric mean of the precisions times the brevity penalty.

    The penalty looks at the reference whose length is closest, the shorter of two. One order
    without a match makes it 0: there is no smoothing.

    Raises
    ------
    ValueError
        Where there is no reference.
    """
    if not references:
        raise ValueError("BLEU needs at least one reference")
    precisions = [modified_precision(references, output, n) for n in range(1, max_n + 1)]
    if not all(precisions):
        return 0.0
    closest = min((abs(len(r) - len(output)), len(r)) for r in references)[1]
    penalty = min(0.0, 1 - closest / len(output))
    return math.exp(penalty + sum(map(math.log, precisions)) / max_n)
