"""Units by the names that files have for them, at 24 bytes a unit."""

from array import array
from collections.abc import Sequence

import numpy as np

from annotation.importing import RatingRow
from annotation.models import Study, Unit

# What stands for the unit of a text that the study never had.
OLDER = -1


class UnitIndex:
    """The units of single outputs of a study; a million of them take 24 MB and their names.

    Where a row names the version that was judged, and the study has it, that version is meant;
    else the current text. A rating that did not count, of a version the study does not have, is
    one of an older text: it has no unit.
    """

    def __init__(self, study: Study) -> None:
        self._items = {key: at for at, key in enumerate(study.items.values_list("key", flat=True))}
        self._systems = {
            key: at for at, key in enumerate(study.systems.values_list("key", flat=True))
        }
        units = Unit.objects.filter(study=study, output_version__isnull=False).values_list(
            "pk", "item__key", "system__key", "output_version__number"
        )
        columns = array("q"), array("q"), array("q")
        current = units.filter(output_version__is_current=True)
        for unit, item, system, number in current.iterator(chunk_size=10_000):
            cells = self._code(item, system or ""), unit, number or 0
            for column, cell in zip(columns, cells, strict=True):
                column.append(cell)
        keys, pks, numbers = (np.array(column, dtype=np.int64) for column in columns)
        order = np.argsort(keys, kind="stable")
        self._keys, self._units, self._numbers = keys[order], pks[order], numbers[order]
        self._older = {
            (item, system, str(number)): unit
            for unit, item, system, number in units.filter(output_version__is_current=False)
        }

    def of(self, rows: Sequence[RatingRow]) -> list[int]:
        """Return the units of the rows; 0 where the study has none, or `OLDER`."""
        if not len(self._keys):
            return [0] * len(rows)
        codes = np.array([self._code(row.item_id, row.system) for row in rows], dtype=np.int64)
        at = np.minimum(np.searchsorted(self._keys, codes), len(self._keys) - 1)
        is_known = self._keys[at] == codes
        units: list[int] = np.where(is_known, self._units[at], 0).tolist()
        numbers: list[int] = self._numbers[at].tolist()
        for index, row in enumerate(rows):
            told = row.output_version
            if units[index] and told and told != str(numbers[index]):
                older = self._older.get((row.item_id, row.system, told))
                did_count = row.valid.strip().casefold() != "false"
                units[index] = older or (units[index] if did_count else OLDER)
        return units

    def _code(self, item: str, system: str) -> int:
        at_item, at_system = self._items.get(item, -1), self._systems.get(system, -1)
        return -1 if at_item < 0 or at_system < 0 else at_item * len(self._systems) + at_system
