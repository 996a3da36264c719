"""WordLlama: one vector a token, whatever its context; the weights lie inside the wheel."""

from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from metrics_app.metrics.embeddings.embedder import Embedded, NoModelError

WEIGHTS = Path("weights") / "l2_supercat_256.safetensors"
TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"


class WordLlama:
    """The package's default model, read from its files.

    The package itself is not imported: it would look for other files on the network and set up
    the process's logging.
    """

    n_layers = 0

    def __init__(self) -> None:
        spec = find_spec("wordllama")
        if spec is None or spec.origin is None:
            raise NoModelError("wordllama is not installed; install the extra 'embeddings'")
        root = Path(spec.origin).parent
        for part in (WEIGHTS, TOKENIZER):
            if not (root / part).is_file():
                raise NoModelError(f"wordllama {version('wordllama')} comes without {part}")
        self.name = f"wordllama:{version('wordllama')}"
        self._matrix = load_file(root / WEIGHTS)["embedding.weight"]
        self._tokenizer = Tokenizer.from_file(str(root / TOKENIZER))

    def tokens(self, text: str) -> tuple[str, ...]:
        """Return the tokens of a text."""
        return tuple(self._tokenizer.encode(text, add_special_tokens=False).tokens)

    def embed(self, text: str, layer: int = 0) -> Embedded:  # noqa: ARG002 -- it has no layers
        """Return the tokens of a text with their vectors."""
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        vectors = self._matrix[encoded.ids].astype(np.float64)
        return Embedded(tuple(encoded.tokens), vectors, vectors[:0])
