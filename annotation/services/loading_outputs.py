"""Outputs from a file into a study: new ones added, changed ones as new versions."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from annotation.importing import OutputRow
from annotation.models import Item, Output, OutputVersion, Study, Unit, Upload
from annotation.selectors.stored_outputs import Stored, StoredOutputs
from annotation.services.bulk_rows import check_keys, count_anew, insert_rows, reserve_ids
from annotation.services.loading_items import ItemLoader
from annotation.services.place_handover import drop_units

CHUNK = 5_000
MOST_VERSIONS = 10_000


@dataclass(slots=True)
class Loaded:
    """What a load did, in counts of outputs; ``new_units`` are those without places yet.

    ``n_kept`` counts changed texts that were left alone, since only new outputs were wanted.
    """

    n_new: int = 0
    n_changed: int = 0
    n_unchanged: int = 0
    n_kept: int = 0
    new_units: list[int] = field(default_factory=list)

    def as_json(self) -> dict[str, int]:
        """Return the counts."""
        counts = {"new": self.n_new, "changed": self.n_changed, "unchanged": self.n_unchanged}
        return {**counts, "left as they were": self.n_kept} if self.n_kept else counts


def checksum_of(text: str) -> str:
    """Return the SHA-256 of a text, which tells a changed output from the same one."""
    return hashlib.sha256(text.encode()).hexdigest()


class OutputLoader:
    """Writes rows of outputs into one study, chunk by chunk, inside the caller's transaction.

    A changed text becomes a new version; the old one keeps its ratings, and is judged no
    further. With ``adds_only`` changed texts are left alone.
    """

    def __init__(
        self, study: Study, *, upload: Upload | None = None, adds_only: bool = False
    ) -> None:
        self._study = study
        self._upload_id = upload.pk if upload else None
        self._adds_only = adds_only
        self._material = ItemLoader(study)
        self._stored = StoredOutputs(study)
        self.loaded = Loaded()

    def load(self, rows: Iterable[OutputRow]) -> Loaded:
        """Write all rows; return the counts."""
        remaining = iter(rows)
        while chunk := list(islice(remaining, CHUNK)):
            self.load_chunk(chunk)
            check_keys()
        count_anew(self.loaded.n_new, Output, OutputVersion, Unit, Item)
        return self.loaded

    def load_chunk(self, rows: Sequence[OutputRow]) -> None:
        """Write one chunk of rows."""
        self._material.load_chunk(rows)
        stored = self._stored.of(rows)
        new = [row for row in rows if (row.item_id, row.system) not in stored]
        self._add_outputs(new)
        self.loaded.n_new += len(new)
        self._compare(rows, stored)

    def _add_outputs(self, rows: Sequence[OutputRow]) -> None:
        outputs = reserve_ids(Output, len(rows))
        items, systems = self._material.items, self._material.systems
        insert_rows(
            Output,
            ("id", "item_id", "system_id"),
            (
                (output, items[row.item_id], systems[row.system])
                for output, row in zip(outputs, rows, strict=True)
            ),
        )
        self._add_versions(
            rows,
            [(output, _number(row)) for output, row in zip(outputs, rows, strict=True)],
        )

    def _add_versions(self, rows: Sequence[OutputRow], outputs: Sequence[tuple[int, int]]) -> None:
        """Store the texts under (output, number), each with its unit."""
        versions, units = reserve_ids(OutputVersion, len(rows)), reserve_ids(Unit, len(rows))
        insert_rows(
            OutputVersion,
            ("id", "output_id", "number", "text", "checksum", "upload_id"),
            (
                (version, output, number, row.output, checksum_of(row.output), self._upload_id)
                for version, (output, number), row in zip(versions, outputs, rows, strict=True)
            ),
        )
        items, systems, study = self._material.items, self._material.systems, self._study.pk
        insert_rows(
            Unit,
            ("id", "study_id", "item_id", "system_id", "output_version_id"),
            (
                (unit, study, items[row.item_id], systems[row.system], version)
                for unit, version, row in zip(units, versions, rows, strict=True)
            ),
        )
        self.loaded.new_units += units

    def _compare(self, rows: Sequence[OutputRow], stored: dict[tuple[str, str], Stored]) -> None:
        known = [
            (row, stored[row.item_id, row.system])
            for row in rows
            if (row.item_id, row.system) in stored
        ]
        changed = [(row, old) for row, old in known if old.checksum != checksum_of(row.output)]
        self.loaded.n_unchanged += len(known) - len(changed)
        if self._adds_only:
            self.loaded.n_kept += len(changed)
        elif changed:
            self.loaded.n_changed += len(changed)
            retire([old.version for _, old in changed])
            self._add_versions(
                [row for row, _ in changed], [(old.output, old.number + 1) for _, old in changed]
            )


def _number(row: OutputRow) -> int:
    """Return the number of a new output's text: what the file says, so that ratings find it."""
    told = row.output_version
    return int(told) if told.isdecimal() and 0 < int(told) < MOST_VERSIONS else 1


def retire(versions: Sequence[int]) -> None:
    """Let versions be judged no further; what was judged of them stays as it is."""
    OutputVersion.objects.filter(pk__in=versions).update(is_current=False)
    drop_units(Unit.objects.filter(output_version__in=versions))
