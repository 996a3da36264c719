"""What turns a text into vectors, and how one is opened by name."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


class NoModelError(ValueError):
    """A model that is named but absent, or a folder that holds none; the message says which."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """A text as tokens and their vectors.

    Attributes
    ----------
    tokens : tuple of str
        Pieces as the model cuts them, without its special tokens.
    vectors : ndarray of float, shape (n_tokens, n_dimensions)
        One row a token.
    """

    tokens: tuple[str, ...]
    vectors: Floats


class Embedder(Protocol):
    """A model that gives each token of a text a vector."""

    @property
    def name(self) -> str:
        """Return the name and version that go into signatures."""

    def embed(self, text: str) -> Embedded:
        """Return the tokens of a text with their vectors."""


def open_embedder(name: str) -> Embedder:
    """Return an embedder by name: ``wordllama``, or the path of a model folder.

    Raises
    ------
    NoModelError
        Where the package or the folder is absent, or the folder holds no model that can be read.
    """
    if name == "wordllama":
        return _wordllama()
    folder = Path(name)
    if not folder.is_dir():
        raise NoModelError(f"the model folder {name} does not exist")
    return _folder(folder)


@lru_cache(maxsize=1)
def _wordllama() -> Embedder:
    try:
        from metrics_app.metrics.embeddings.static import WordLlama  # noqa: PLC0415 -- an extra
    except ImportError as fault:
        raise NoModelError(
            f"{fault.name} is not installed; install the extra 'embeddings'"
        ) from fault
    return WordLlama()


@lru_cache(maxsize=2)
def _folder(folder: Path) -> Embedder:
    try:
        from metrics_app.metrics.embeddings.bert import Bert  # noqa: PLC0415 -- an extra
    except ImportError as fault:
        raise NoModelError(
            f"{fault.name} is not installed; install the extra 'embeddings'"
        ) from fault
    return Bert(folder)


@lru_cache(maxsize=256)
def embedded(name: str, text: str) -> Embedded:
    """Return a text's vectors; kept, since every metric of the family looks at the same texts."""
    # The tokenizers refuse half characters, which a broken upload may hold.
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return open_embedder(name).embed(whole)
