"""Where the ratings of a report come from: files, or a stored study."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from metrics_app.loaders.evaluation import Evaluation

TidyRows = Iterator[tuple[str, ...]]


@dataclass(frozen=True, eq=False)
class Source:
    """An evaluation, and the tidy ratings it was made of.

    Attributes
    ----------
    ratings : callable
        Yields the tidy rows, the left-out ones too, each time anew.
    seed : int
        The seed where the caller has none.
    """

    evaluation: Evaluation
    ratings: Callable[[], TidyRows]
    seed: int
