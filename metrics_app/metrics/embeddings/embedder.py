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
    marks : ndarray of float, shape (n_marks, n_dimensions)
        What the model's begin and end marks became around this text; none without context.
    """

    tokens: tuple[str, ...]
    vectors: Floats
    marks: Floats


class Embedder(Protocol):
    """A model that gives each token of a text a vector."""

    @property
    def name(self) -> str:
        """Return the name and version that go into signatures."""

    @property
    def n_layers(self) -> int:
        """Return how many layers there are to choose from; 0 where vectors have no context."""

    def tokens(self, text: str) -> tuple[str, ...]:
        """Return the tokens of a text."""

    def embed(self, text: str, layer: int = 0) -> Embedded:
        """Return the tokens of a text with their vectors of a layer, 0 for the last one."""


def open_embedder(name: str, layer: int = 0) -> Embedder:
    """Return an embedder by name: ``wordllama``, or the path of a model folder.

    Raises
    ------
    NoModelError
        Where the package or the folder is absent, the folder holds no model that can be read, or
        the model has no such layer.
    """
    model = _wordllama() if name == "wordllama" else _folder(Path(name))
    if not 0 <= layer <= model.n_layers:
        raise NoModelError(
            f"{model.name} has {model.n_layers} layers to choose from, no layer {layer}; "
            "0 stands for the last one"
        )
    return model


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
    if not folder.is_dir():
        raise NoModelError(f"the model folder {folder} does not exist")
    try:
        from metrics_app.metrics.embeddings.bert import Bert  # noqa: PLC0415 -- an extra
    except ImportError as fault:
        raise NoModelError(
            f"{fault.name} is not installed; install the extra 'embeddings'"
        ) from fault
    return Bert(folder)


@lru_cache(maxsize=256)
def embedded(name: str, text: str, layer: int = 0) -> Embedded:
    """Return a text's vectors; kept, since every metric of the family looks at the same texts."""
    return open_embedder(name).embed(whole(text), layer)


def whole(text: str) -> str:
    """Return a text without half characters, which tokenizers refuse and a broken upload has."""
    return text.encode("utf-8", "replace").decode("utf-8")
