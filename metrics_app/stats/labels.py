"""Labels that judges gave to units, sparse: what the aggregation of a crowd starts from."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from metrics_app.stats.samples import Floats

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LabelTable:
    """Labels as three parallel arrays of positions; a judge may label a unit more than once.

    Attributes
    ----------
    unit, judge, label : numpy.ndarray of int, shape (n_labels,)
        Positions in ``units``, ``judges`` and ``categories``.
    units, judges : tuple
        Keys in the order in which they first occur.
    categories : tuple
        The labels themselves, opaque: in the declared order, else sorted.
    n_missing : int
        Rows whose label was None.
    """

    unit: Ints
    judge: Ints
    label: Ints
    units: tuple[Hashable, ...]
    judges: tuple[Hashable, ...]
    categories: tuple[Hashable, ...]
    n_missing: int = 0

    @classmethod
    def from_rows(
        cls,
        rows: Iterable[Sequence[Any]],
        *,
        categories: Sequence[Hashable] | None = None,
    ) -> "LabelTable":
        """Build the table from rows of judge, unit and label.

        Parameters
        ----------
        rows : iterable of (judge, unit, label)
            A label of None is missing; its row is left out and counted.
        categories : sequence, optional
            The declared categories; by default those seen, sorted.

        Raises
        ------
        ValueError
            If a row has not three parts, or its label is none of the declared categories.
        """
        found = [_read_row(row, number) for number, row in enumerate(rows, start=1)]
        given = [row for row in found if row[2] is not None]
        known = tuple(categories or sorted({row[2] for row in given}, key=_order))
        place = {label: position for position, label in enumerate(known)}
        for judge, unit, label in given:
            if label not in place:
                raise ValueError(f"judge {judge!r} gave unit {unit!r} the unknown label {label!r}")
        judge, judges = _factorise([row[0] for row in given])
        unit, units = _factorise([row[1] for row in given])
        label_at = np.array([place[row[2]] for row in given], dtype=np.int64)
        return cls(unit, judge, label_at, units, judges, known, len(found) - len(given))

    @cached_property
    def votes(self) -> Floats:
        """Number of times each unit got each category, shape (n_units, n_categories)."""
        return self.tally(np.ones(len(self.label)))

    @cached_property
    def cells(self) -> sp.csr_array:
        """How often each unit got each label from each judge: units x (judges x categories)."""
        n_cells = len(self.judges) * len(self.categories)
        place = self.judge * len(self.categories) + self.label
        given = np.ones(len(self.label))
        return sp.csr_array((given, (self.unit, place)), shape=(len(self.units), n_cells))

    def tally(self, weights: Floats) -> Floats:
        """Return summed weights of the labels, shape (n_units, n_categories)."""
        return _sum_cells(self.unit, self.label, weights, (len(self.units), len(self.categories)))

    def per_judge_and_label(self, weights: Floats) -> Floats:
        """Return summed weights of each judge's labels, shape (n_judges, n_categories)."""
        return _sum_cells(self.judge, self.label, weights, (len(self.judges), len(self.categories)))

    def per_judge(self, weights: Floats) -> Floats:
        """Return summed weights of the labels of each judge, shape (n_judges,)."""
        return _sum_at(self.judge, weights, len(self.judges))

    def per_unit(self, weights: Floats) -> Floats:
        """Return summed weights of the labels of each unit, shape (n_units,)."""
        return _sum_at(self.unit, weights, len(self.units))


def _sum_at(position: Ints, weights: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(position, weights, minlength=size), dtype=np.float64)


def _sum_cells(row: Ints, column: Ints, weights: Floats, shape: tuple[int, int]) -> Floats:
    return _sum_at(row * shape[1] + column, weights, shape[0] * shape[1]).reshape(shape)


def _read_row(row: Sequence[Any], number: int) -> tuple[Any, Any, Any]:
    if isinstance(row, str) or len(row) != 3:
        raise ValueError(f"row {number} must hold judge, unit and label; it is {row!r}")
    return row[0], row[1], row[2]


def _order(label: Any) -> tuple[str, Any]:  # noqa: ANN401 -- labels are opaque
    is_number = isinstance(label, (int, float))
    return ("", label) if is_number else (type(label).__name__, label)


def _factorise(keys: Sequence[Hashable]) -> tuple[Ints, tuple[Hashable, ...]]:
    place: dict[Hashable, int] = {}
    positions = [place.setdefault(key, len(place)) for key in keys]
    return np.array(positions, dtype=np.int64), tuple(place)
