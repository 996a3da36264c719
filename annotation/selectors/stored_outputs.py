"""What a study holds of the outputs that a file brings again."""

from collections.abc import Sequence
from typing import NamedTuple

from annotation.importing import OutputRow
from annotation.models import OutputVersion, Study


class Stored(NamedTuple):
    """The current version of one output."""

    version: int
    output: int
    number: int
    checksum: str


class StoredOutputs:
    """Looks up current versions for rows of a file; what is new costs no query."""

    def __init__(self, study: Study) -> None:
        self._study = study
        versions = OutputVersion.objects.filter(output__item__study=study, is_current=True)
        self.n_outputs = versions.count()
        self._items = (
            dict(study.items.values_list("key", "pk").iterator()) if self.n_outputs else {}
        )

    def of(self, rows: Sequence[OutputRow]) -> dict[tuple[str, str], Stored]:
        """Return the current versions of the rows' items, by item and system."""
        items = {self._items[row.item_id] for row in rows if row.item_id in self._items}
        if not items:
            return {}
        versions = OutputVersion.objects.filter(is_current=True, output__item__in=items)
        return {
            (item, system): Stored(version, output, number, checksum)
            for item, system, version, output, number, checksum in versions.values_list(
                "output__item__key",
                "output__system__key",
                "pk",
                "output_id",
                "number",
                "checksum",
            )
        }
