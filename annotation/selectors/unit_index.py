"""Units by the names that files have for them, at 16 bytes a unit."""

from array import array
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from django.db.models import QuerySet

from annotation.importing import RatingRow
from annotation.models import Study, Unit


class UnitIndex:
    """The units of single outputs of a study; a million of them take 16 MB and their names.

    A version's number decides where several texts of an output were judged; without one, or
    with one that the study does not know, the current text is meant.
    """

    def __init__(self, study: Study) -> None:
        self._items = {key: at for at, key in enumerate(study.items.values_list("key", flat=True))}
        self._systems = {
            key: at for at, key in enumerate(study.systems.values_list("key", flat=True))
        }
        units = Unit.objects.filter(study=study, output_version__isnull=False)
        self._keys, self._units = self._sorted(units.filter(output_version__is_current=True))
        self._older = {
            (item, system, str(number)): unit
            for unit, item, system, number in units.filter(
                output_version__is_current=False
            ).values_list("pk", "item__key", "system__key", "output_version__number")
        }

    def of(self, rows: Sequence[RatingRow]) -> list[int]:
        """Return the units of the rows; 0 where the study has none."""
        codes = np.array([self._code(row.item_id, row.system) for row in rows], dtype=np.int64)
        if not len(self._keys):
            return [0] * len(rows)
        at = np.minimum(np.searchsorted(self._keys, codes), len(self._keys) - 1)
        units: list[int] = np.where(self._keys[at] == codes, self._units[at], 0).tolist()
        if self._older:
            for index, row in enumerate(rows):
                older = self._older.get((row.item_id, row.system, row.output_version))
                units[index] = older or units[index]
        return units

    def _code(self, item: str, system: str) -> int:
        at_item, at_system = self._items.get(item, -1), self._systems.get(system, -1)
        return -1 if at_item < 0 or at_system < 0 else at_item * len(self._systems) + at_system

    def _sorted(
        self, units: "QuerySet[Unit]"
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        keys, values = array("q"), array("q")
        for unit, item, system in units.values_list("pk", "item__key", "system__key").iterator():
            keys.append(self._code(item, system or ""))
            values.append(unit)
        order = np.argsort(np.array(keys, dtype=np.int64), kind="stable")
        return np.array(keys, dtype=np.int64)[order], np.array(values, dtype=np.int64)[order]
