"""What a file of outputs would change in a study, held against what is stored."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from annotation.importing import OutputRow
from annotation.models import OutputVersion, Study
from annotation.selectors.stored_outputs import Stored, StoredOutputs

CHUNK = 5_000
SHOWN = 20


@dataclass(slots=True)
class Changes:
    """Counts of outputs, and the first changed texts with what they replace.

    ``n_missing`` counts outputs of the study that the file does not bring; they stay.
    """

    n_new: int = 0
    n_changed: int = 0
    n_unchanged: int = 0
    n_missing: int = 0
    shown: list[dict[str, Any]] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return plain values for the page."""
        return {
            "new": self.n_new,
            "changed": self.n_changed,
            "unchanged": self.n_unchanged,
            "missing": self.n_missing,
            "shown": self.shown,
        }


class Comparison:
    """Counts the changes of outputs as they pass by."""

    def __init__(self, study: Study) -> None:
        self._stored = StoredOutputs(study)
        self._n_met = 0
        self.changes = Changes()

    @property
    def is_of_new(self) -> bool:
        """Whether the study holds no output yet, so that all are new."""
        return not self._stored.n_outputs

    def watch(self, rows: Iterator[OutputRow]) -> None:
        """Take in all rows."""
        while chunk := list(islice(rows, CHUNK)):
            self._add(chunk)
        self.changes.n_missing = self._stored.n_outputs - self._n_met

    def _add(self, rows: Sequence[OutputRow]) -> None:
        stored = self._stored.of(rows)
        changed: list[tuple[OutputRow, Stored]] = []
        for row in rows:
            old = stored.get((row.item_id, row.system))
            if old is None:
                self.changes.n_new += 1
                continue
            self._n_met += 1
            if old.checksum == hashlib.sha256(row.output.encode()).hexdigest():
                self.changes.n_unchanged += 1
            else:
                changed.append((row, old))
        self.changes.n_changed += len(changed)
        self.changes.shown += [
            _shown(row, old) for row, old in changed[: SHOWN - len(self.changes.shown)]
        ]


def _shown(row: OutputRow, old: Stored) -> dict[str, Any]:
    version = OutputVersion.objects.get(pk=old.version)
    ratings = version.unit.assignments.filter(ratings__isnull=False)
    return {
        "item": row.item_id,
        "system": row.system,
        "old": version.text[:2_000],
        "new": row.output[:2_000],
        "number": old.number + 1,
        "n_judges": ratings.values("judge").distinct().count(),
    }
