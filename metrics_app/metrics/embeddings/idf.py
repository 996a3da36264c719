"""How much a token tells: its inverse document frequency among the references of a set."""

import hashlib
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from metrics_app.metrics.embeddings.embedder import Floats


@dataclass(frozen=True)
class Idf:
    """Weights of tokens: log((N + 1) / (n + 1)) of N references, n of which have the token.

    Zhang et al. 2020, section 3, as bert_score counts. Called with tokens, it gives their weights.
    Its name, for signatures, is ``yes-`` and the first eight digits of a hash of the counts.
    """

    n_texts: int
    n_with: Counter[str] = field(repr=False)

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]]) -> "Idf":
        """Count the tokens of texts, each text once."""
        return cls(len(texts), Counter(token for text in texts for token in set(text)))

    @property
    def __name__(self) -> str:
        counted = repr((self.n_texts, sorted(self.n_with.items())))
        return f"yes-{hashlib.sha256(counted.encode()).hexdigest()[:8]}"

    def __call__(self, tokens: Sequence[str]) -> Floats:
        """Return the weight of each token, shape (n_tokens,)."""
        return np.array([math.log((self.n_texts + 1) / (self.n_with[t] + 1)) for t in tokens])
