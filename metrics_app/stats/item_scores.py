"""Scores of systems on shared items: what a ranking compares."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from metrics_app.stats.results import NAN
from metrics_app.stats.samples import Floats
from metrics_app.stats.tables import RatingTable


@dataclass(frozen=True, eq=False)
class ItemScores:
    """One score for each item and system.

    Attributes
    ----------
    values : numpy.ndarray, shape (n_items, n_systems)
        NaN where a system has no score on an item.
    items, systems : tuple
        Keys of rows and columns.
    method : str
        Where the scores come from, in words.
    left_out : tuple
        Judges who could not be standardised.
    """

    values: Floats
    items: tuple[Hashable, ...]
    systems: tuple[Hashable, ...]
    method: str = "scores as given"
    left_out: tuple[Hashable, ...] = field(default=())

    @classmethod
    def from_array(
        cls,
        values: npt.ArrayLike,
        *,
        systems: tuple[Hashable, ...] | None = None,
        items: tuple[Hashable, ...] | None = None,
    ) -> "ItemScores":
        """Build from items in rows and systems in columns; NaN is missing.

        Raises
        ------
        ValueError
            If the array is no matrix, a score is infinite, or keys are not one a row and column.
        """
        table = np.asarray(values, dtype=np.float64)
        if table.ndim != 2:
            raise ValueError(f"scores need items by systems; they have {table.ndim} dimensions")
        if np.isinf(table).any():
            raise ValueError("a score is infinite")
        rows = tuple(range(table.shape[0])) if items is None else tuple(items)
        columns = tuple(range(table.shape[1])) if systems is None else tuple(systems)
        if (len(set(rows)), len(set(columns))) != table.shape:
            raise ValueError(
                f"{table.shape[0]} items and {table.shape[1]} systems need as many different keys"
            )
        return cls(table, rows, columns)

    @classmethod
    def from_ratings(cls, table: RatingTable, *, standardise: bool = False) -> "ItemScores":
        """Average the judges of each output.

        Parameters
        ----------
        table : RatingTable
            Units are outputs, with item and system.
        standardise : bool
            Whether each judge's ratings become z scores first: minus the judge's mean, over the
            judge's standard deviation (n - 1). Judges whose ratings do not vary say nothing then;
            they are left out and named.

        Raises
        ------
        ValueError
            If the table has no items or no systems.
        """
        if table.item is None or table.system is None:
            raise ValueError("a ranking needs the item and the system of each output")
        items, item = _positions(table.item)
        systems, system = _positions(table.system)
        no_judge: tuple[Hashable, ...] = ()
        values, left_out = standardised(table) if standardise else (table.value, no_judge)
        known = ~np.isnan(values)
        cell = (item * len(systems) + system)[table.unit[known]]
        size = len(items) * len(systems)
        sums = np.bincount(cell, values[known], minlength=size)
        counts = np.bincount(cell, minlength=size)
        means = np.divide(sums, counts, out=np.full(size, NAN), where=counts > 0)
        words = "z scores by judge" if standardise else "ratings"
        return cls(
            means.reshape(len(items), len(systems)),
            items,
            systems,
            f"mean over judges of {words}",
            left_out,
        )


def standardised(table: RatingTable) -> tuple[Floats, tuple[Hashable, ...]]:
    """Return the ratings as z scores by judge, and the judges whose ratings do not vary.

    Returns
    -------
    z : numpy.ndarray, shape (n_ratings,)
        NaN for ratings of judges without variance.
    left_out : tuple
        Those judges.
    """
    n = np.bincount(table.rater, minlength=table.n_raters)
    means = np.bincount(table.rater, table.value, minlength=table.n_raters) / np.maximum(n, 1)
    gaps = table.value - means[table.rater]
    squares = np.bincount(table.rater, gaps**2, minlength=table.n_raters)
    sd = np.sqrt(squares / np.maximum(n - 1, 1))
    varies = sd > 1e-12 * np.maximum(np.abs(means), 1)
    z = np.divide(gaps, sd[table.rater], out=np.full(len(gaps), NAN), where=varies[table.rater])
    silent = tuple(table.rater_keys[i] for i in np.flatnonzero(~varies & (n > 0)).tolist())
    return np.asarray(z), silent


def _positions(
    keys: npt.NDArray[np.object_],
) -> tuple[tuple[Hashable, ...], npt.NDArray[np.int64]]:
    place: dict[Hashable, int] = {}
    position = np.array([place.setdefault(key, len(place)) for key in keys], dtype=np.int64)
    return tuple(place), position
