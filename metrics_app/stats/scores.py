"""Scores of a metric and of people for the same outputs: systems x items."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.stats.samples import Floats, Values

MatrixLike = Sequence[Values] | Floats


@dataclass(frozen=True, slots=True, eq=False)
class ScoreMatrix:
    """Scores of a metric and of people for the same outputs.

    Attributes
    ----------
    metric, human : array, systems x items
        NaN is missing.
    systems, items : tuple of str
        Keys of rows and columns.
    """

    metric: Floats
    human: Floats
    systems: tuple[str, ...]
    items: tuple[str, ...]

    @classmethod
    def from_arrays(
        cls,
        metric: MatrixLike,
        human: MatrixLike,
        *,
        systems: Sequence[str] | None = None,
        items: Sequence[str] | None = None,
    ) -> "ScoreMatrix":
        """Return the table of two systems x items arrays; None or NaN is missing.

        Raises
        ------
        ValueError
            For ragged rows, unequal shapes, infinite numbers, or keys that repeat or do not fit.
        """
        metric, human = as_matrix(metric, "metric"), as_matrix(human, "human")
        if metric.shape != human.shape:
            raise ValueError(
                f"metric is {_shape(metric)} and human is {_shape(human)}: give both for the same "
                "systems (rows) and items (columns)"
            )
        n_systems, n_items = metric.shape
        return cls(
            metric,
            human,
            _keys(systems, n_systems, "systems", "s"),
            _keys(items, n_items, "items", "i"),
        )

    @classmethod
    def from_rows(
        cls, rows: Iterable[tuple[str, str, float | None, float | None]]
    ) -> "ScoreMatrix":
        """Return the table of rows (system, item, metric score, human score).

        Raises
        ------
        ValueError
            When a system has two rows for one item; the message names both.
        """
        cells: dict[tuple[str, str], tuple[float | None, float | None]] = {}
        for system, item, metric, human in rows:
            if (system, item) in cells:
                raise ValueError(f"system {system!r} has two rows for item {item!r}: keep one")
            cells[system, item] = (metric, human)
        systems = tuple(dict.fromkeys(system for system, _ in cells))
        items = tuple(dict.fromkeys(item for _, item in cells))
        both = np.full((2, len(systems), len(items)), np.nan)
        row, column = ({key: i for i, key in enumerate(keys)} for keys in (systems, items))
        for (system, item), scores in cells.items():
            both[:, row[system], column[item]] = np.array(scores, dtype=np.float64)
        return cls.from_arrays(both[0], both[1], systems=systems, items=items)

    @property
    def complete(self) -> npt.NDArray[np.bool_]:
        """Which cells have both scores, systems x items."""
        return ~(np.isnan(self.metric) | np.isnan(self.human))

    def system_means(self) -> tuple[Floats, Floats]:
        """Return per system the mean metric and human score over its complete cells.

        Scores are added in the order of the items, as the published tables were made, and NaN
        stands for a system without a complete cell. Two systems whose human means are thirds or
        fifths tie exactly only where their sums do: give sums of ratings (k times the mean, whole
        numbers) where every cell has the same number of judges and such ties matter.
        """
        there = self.complete
        return _row_means(self.metric, there), _row_means(self.human, there)


def as_matrix(values: MatrixLike, name: str) -> Floats:
    """Return values as a systems x items array in which None is NaN.

    Raises
    ------
    ValueError
        For ragged rows, text, or an infinite number; the message names the place.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be rows of numbers of equal length: {error}") from None
    if not array.size and array.ndim == 1:
        return np.empty((0, 0))
    if array.ndim != 2:
        raise ValueError(f"{name} must have systems as rows and items as columns")
    if np.isinf(array).any():
        row, column = np.argwhere(np.isinf(array))[0] + 1
        raise ValueError(f"{name} holds an infinite number in row {row}, column {column}")
    return array


def _shape(array: Floats) -> str:
    return f"{array.shape[0]} x {array.shape[1]}"


def _keys(given: Sequence[str] | None, n: int, what: str, prefix: str) -> tuple[str, ...]:
    if given is None:
        return tuple(f"{prefix}{i + 1}" for i in range(n))
    if len(given) != n:
        raise ValueError(f"there are {len(given)} keys for {n} {what}")
    if len(set(given)) != n:
        twice = next(key for key in given if list(given).count(key) > 1)
        raise ValueError(f"the key {twice!r} stands for two of the {what}")
    return tuple(given)


def _row_means(values: Floats, there: npt.NDArray[np.bool_]) -> Floats:
    if not values.size:
        return np.full(values.shape[0], np.nan)
    # A running sum fixes the order of addition, which numpy's pairwise sum leaves open.
    sums = np.cumsum(np.where(there, values, 0), axis=1)[:, -1]
    counts = there.sum(axis=1)
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan)
