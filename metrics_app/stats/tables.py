"""Ratings as every statistic of agreement reads them: sparse, checked once, never changed."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics_app.stats.patterns import HISTOGRAM, Patterns, count_patterns, rater_patterns
from metrics_app.stats.scales import Codes, Floats, Ints, Scale
from metrics_app.stats.table_checks import (
    Coded,
    Column,
    as_objects,
    check_on_scale,
    check_once,
    factorize,
    keys_per_unit,
    present_triples,
    sorted_triples,
)

Keys = Sequence[Hashable]
Labels = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class RatingTable:
    """Ratings of one dimension: who gave which unit which value.

    Make one with `from_array`, `from_columns` or `from_rows`. Rows are sorted by unit, then rater,
    each pair occurs once, and every value is on the scale.

    Attributes
    ----------
    unit, rater : array of int, shape (n_ratings,)
        Positions among the unit keys and the rater keys.
    value : array of float, shape (n_ratings,)
        The ratings, exact doubles, none missing.
    unit_keys, rater_keys : tuple
        Names; a unit without any rating keeps its key.
    scale : Scale
        The declared scale.
    item, system, batch : array of object, shape (n_units,), or None
        What each unit belongs to.
    n_missing : int
        Blank ratings that were given and left out.
    """

    unit: Ints
    rater: Ints
    value: Floats
    unit_keys: Keys
    rater_keys: Keys
    scale: Scale
    item: Labels | None = None
    system: Labels | None = None
    batch: Labels | None = None
    n_missing: int = 0

    @classmethod
    def from_rows(
        cls, rows: Iterable[tuple[Hashable, Hashable, float | None]], scale: Scale
    ) -> "RatingTable":
        """Return the table of rows ``(unit, rater, value)``; None and NaN are missing."""
        columns = list(zip(*rows, strict=True)) or [(), (), ()]
        return cls.from_columns(*columns, scale=scale)

    @classmethod
    def from_columns(
        cls,
        unit: Column,
        rater: Column,
        value: Iterable[float | None] | Floats,
        *,
        scale: Scale,
        **groups: Column,
    ) -> "RatingTable":
        """Return the table of equally long columns.

        Parameters
        ----------
        unit, rater : iterable of hashable, or Coded
            Keys, one a row.
        value : iterable of float
            Ratings; None and NaN are missing.
        scale : Scale
            The declared scale.
        **groups : iterable of hashable, or Coded
            ``item``, ``system`` and ``batch`` of each row; rows of one unit must agree.

        Raises
        ------
        ValueError
            For unequal lengths, a rating given twice, a value off the scale, an infinite value.
        """
        if unknown := set(groups) - {"item", "system", "batch"}:
            raise ValueError(f"a unit has item, system and batch, not {sorted(unknown)}")
        if not isinstance(value, np.ndarray):
            value = [np.nan if v is None else v for v in value]
        values = np.array(value, dtype=np.float64)
        unit_codes, unit_keys = factorize(unit)
        rater_codes, rater_keys = factorize(rater)
        if not len(unit_codes) == len(rater_codes) == len(values):
            raise ValueError(
                f"columns differ in length: {len(unit_codes)} units, {len(rater_codes)} raters, "
                f"{len(values)} values"
            )
        labels: dict[str, Any] = {
            name: keys_per_unit(
                name, column if isinstance(column, Coded) else list(column), unit_codes, unit_keys
            )
            for name, column in groups.items()
        }
        triples, n_missing = present_triples((unit_codes, rater_codes, values))
        triples = sorted_triples(triples, len(rater_keys))
        check_once(triples, unit_keys, rater_keys)
        table = cls(*triples, unit_keys, rater_keys, scale, n_missing=n_missing, **labels)
        return table.on_scale()

    @classmethod
    def from_array(
        cls,
        values: npt.ArrayLike,
        *,
        scale: Scale,
        unit_keys: Keys | None = None,
        rater_keys: Keys | None = None,
        **groups: Keys,
    ) -> "RatingTable":
        """Return the table of an array of units (rows) by raters (columns); NaN is missing.

        ``item``, ``system`` and ``batch`` give one key a unit.
        """
        cells = np.asarray(values, dtype=np.float64)
        if cells.ndim != 2:
            raise ValueError(f"ratings need two dimensions, units by raters, got {cells.ndim}")
        n_units, n_raters = cells.shape
        keys = _different("unit", unit_keys, n_units)
        names = _different("rater", rater_keys, n_raters)
        labels: dict[str, Any] = {}
        for name, column in groups.items():
            if len(column) != n_units:
                raise ValueError(f"{n_units} units need as many keys of {name}, got {len(column)}")
            labels[name] = as_objects(column)
        unit = np.repeat(np.arange(n_units), n_raters)
        rater = np.tile(np.arange(n_raters), n_units)
        triples, n_missing = present_triples((unit, rater, cells.ravel()))
        table = cls(*triples, keys, names, scale, n_missing=n_missing, **labels)
        return table.on_scale()

    def on_scale(self) -> "RatingTable":
        """Return the table itself, or raise ValueError for a value that its scale does not have."""
        is_range = self.scale.is_range
        if not is_range and self.codes.min(initial=0) >= 0:
            return self
        is_off = ~self.scale.admits(self.value) if is_range else self.codes < 0
        triples = self.unit, self.rater, self.value
        check_on_scale(triples, is_off, self.unit_keys, self.rater_keys, self.scale)
        return self

    @property
    def n_units(self) -> int:
        """Number of units, those without a rating too."""
        return len(self.unit_keys)

    @property
    def n_raters(self) -> int:
        """Number of raters."""
        return len(self.rater_keys)

    @property
    def n_ratings(self) -> int:
        """Number of ratings."""
        return self.value.size

    @property
    def is_complete(self) -> bool:
        """True where every rater rated every unit."""
        return self.n_ratings == self.n_units * self.n_raters

    @cached_property
    def codes(self) -> Codes:
        """Position of each rating among the points of the scale."""
        return self.scale.codes(self.value)

    @cached_property
    def ratings_per_unit(self) -> Ints:
        """Number of ratings of each unit, shape (n_units,)."""
        if self.is_complete:
            return np.full(self.n_units, self.n_raters)
        return np.bincount(self.unit, minlength=self.n_units)

    @cached_property
    def n_rated(self) -> int:
        """Number of units with at least one rating."""
        if self.is_complete and self.n_raters:
            return self.n_units
        return int(np.count_nonzero(self.ratings_per_unit))

    @property
    def has_pairs(self) -> bool:
        """True where some unit has two ratings."""
        return self.n_ratings > self.n_rated

    @cached_property
    def patterns(self) -> Patterns:
        """The different patterns of rating; raters may be told apart where that is free."""
        n_possible = (self.scale.n_points + 1) ** self.n_raters
        if n_possible <= HISTOGRAM and self.rater_patterns is not None:
            return self.rater_patterns
        return count_patterns(self.unit, self.codes, self.n_units, self.scale.n_points)

    @cached_property
    def rater_patterns(self) -> Patterns | None:
        """The different patterns with raters told apart; None where there are too many raters."""
        shape = (self.n_units, self.n_raters)
        return rater_patterns(self.unit, self.rater, self.codes, shape, self.scale.n_points)

    def matrix(self) -> Floats:
        """Return units by raters with NaN for missing; for small tables only."""
        cells = np.full((self.n_units, self.n_raters), np.nan)
        cells[self.unit, self.rater] = self.value
        return cells

    def with_observed_scale(self) -> "RatingTable":
        """Return the table on the points that occur in it, for formulas that count those only.

        Without any rating it stays on its own scale.
        """
        if not self.value.size:
            return self
        points = np.unique(self.value)
        return replace(self, scale=Scale.points(points, measurement=self.scale.measurement))

    def select_units(self, is_kept: npt.NDArray[np.bool_]) -> "RatingTable":
        """Return the table of the units that are kept; raters without any rating go."""
        kept = np.flatnonzero(is_kept)
        position = np.cumsum(is_kept) - 1
        rows = is_kept[self.unit]
        part = replace(
            self,
            unit=position[self.unit[rows]],
            rater=self.rater[rows],
            value=self.value[rows],
            unit_keys=[self.unit_keys[i] for i in kept.tolist()],
            item=None if self.item is None else self.item[kept],
            system=None if self.system is None else self.system[kept],
            batch=None if self.batch is None else self.batch[kept],
            n_missing=0,
        )
        return part.without_silent_raters()

    def select_raters(self, raters: Iterable[Hashable]) -> "RatingTable":
        """Return the table of some raters; all units stay.

        Raises
        ------
        ValueError
            If a rater is not in the table.
        """
        position = {key: i for i, key in enumerate(self.rater_keys)}
        wanted = list(raters)
        if unknown := [key for key in wanted if key not in position]:
            raise ValueError(f"no rater {unknown[0]!r} in the table")
        places = np.array([position[key] for key in wanted], dtype=np.int64)
        return self._keep_raters(np.isin(np.arange(self.n_raters), places))

    def without_rater(self, rater: Hashable) -> "RatingTable":
        """Return the table of all raters but one."""
        return self.select_raters(key for key in self.rater_keys if key != rater)

    def without_silent_raters(self) -> "RatingTable":
        """Return the table of the raters who rated anything."""
        return self._keep_raters(np.bincount(self.rater, minlength=self.n_raters) > 0)

    def _keep_raters(self, is_kept: npt.NDArray[np.bool_]) -> "RatingTable":
        if is_kept.all():
            return self
        rows = is_kept[self.rater]
        return replace(
            self,
            unit=self.unit[rows],
            rater=(np.cumsum(is_kept) - 1)[self.rater[rows]],
            value=self.value[rows],
            rater_keys=[self.rater_keys[i] for i in np.flatnonzero(is_kept).tolist()],
        )


def _different(what: str, keys: Keys | None, size: int) -> Keys:
    if keys is None:
        return range(size)
    if len(keys) != size or len(set(keys)) != size:
        raise ValueError(f"{size} {what}s need as many different keys")
    return keys
