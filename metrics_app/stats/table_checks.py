"""What is checked once about raw columns, so that no statistic needs to look again."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.stats.scales import Floats, Ints, Scale

Objects = npt.NDArray[np.object_]
Keys = Sequence[Hashable]
Triples = tuple[Ints, Ints, Floats]


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as positions among its different keys: a million rows without as many objects."""

    codes: Ints
    keys: Keys

    def __len__(self) -> int:
        return self.codes.size


Column = Iterable[Hashable] | Coded


def factorize(keys: Column) -> tuple[Ints, list[Hashable]]:
    """Return the position of each key among the different ones, and these.

    They come in the order of their codes, or of arrival where they have none.
    """
    if isinstance(keys, Coded):
        found, codes = np.unique(keys.codes, return_inverse=True)
        return codes, [keys.keys[code] for code in found.tolist()]
    position: dict[Hashable, int] = {}
    codes = np.array([position.setdefault(key, len(position)) for key in keys], dtype=np.int64)
    return codes, list(position)


def as_objects(keys: Sequence[Hashable]) -> Objects:
    """Return keys as an array of objects, tuples kept whole."""
    column = np.empty(len(keys), dtype=object)
    column[:] = list(keys)
    return column


def keys_per_unit(
    name: str, column: Sequence[Hashable] | Coded, unit: Ints, unit_keys: Sequence[Hashable]
) -> Objects:
    """Return one key a unit from a column of one key a row; rows of a unit must agree."""
    if len(column) != len(unit):
        raise ValueError(f"columns differ in length: {len(unit)} units, {len(column)} of {name}")
    codes, keys = factorize(column)
    per_unit = np.zeros(len(unit_keys), dtype=np.int64)
    per_unit[unit[::-1]] = codes[::-1]  # so that the first row of a unit counts
    if (wrong := np.flatnonzero(per_unit[unit] != codes)).size:
        row = int(wrong[0])
        raise ValueError(
            f"unit {unit_keys[unit[row]]!r} has two keys of {name}: "
            f"{keys[per_unit[unit[row]]]!r} and {keys[codes[row]]!r}"
        )
    return as_objects(keys)[per_unit] if keys else as_objects([])


def present_triples(triples: Triples) -> tuple[Triples, int]:
    """Return the ratings that are not blank, and how many were."""
    unit, rater, value = triples
    is_blank = np.isnan(value)
    n_missing = int(np.count_nonzero(is_blank))
    if not n_missing:
        return triples, 0
    return (unit[~is_blank], rater[~is_blank], value[~is_blank]), n_missing


def sorted_triples(triples: Triples, n_raters: int) -> Triples:
    """Return the ratings sorted by unit, then rater."""
    unit, rater, value = triples
    cell = unit * max(n_raters, 1) + rater
    if not np.any(cell[1:] < cell[:-1]):
        return triples
    order = np.argsort(cell, kind="stable")
    return unit[order], rater[order], value[order]


def check_once(triples: Triples, unit_keys: Keys, rater_keys: Keys) -> None:
    """Refuse a rating given twice, by name; the ratings are sorted."""
    unit, rater, value = triples
    is_repeated = (unit[1:] == unit[:-1]) & (rater[1:] == rater[:-1])
    if is_repeated.any():
        row = int(np.argmax(is_repeated))
        raise ValueError(
            f"rater {rater_keys[rater[row]]!r} rated unit {unit_keys[unit[row]]!r} twice "
            f"({value[row]:g} and {value[row + 1]:g}); keep one of them"
        )


def check_on_scale(
    triples: Triples,
    is_off: npt.NDArray[np.bool_],
    unit_keys: Keys,
    rater_keys: Keys,
    scale: Scale,
) -> None:
    """Refuse a value that the scale does not have, an infinite one too, with its place."""
    unit, rater, value = triples
    if is_off.any():
        row = int(np.argmax(is_off))
        n_others = int(np.count_nonzero(is_off)) - 1
        more = f" (and {n_others} more)" if n_others else ""
        raise ValueError(
            f"the rating {value[row]:g} of unit {unit_keys[unit[row]]!r} by rater "
            f"{rater_keys[rater[row]]!r} is not on the scale {scale.describe()}{more}"
        )
