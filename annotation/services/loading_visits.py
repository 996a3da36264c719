"""When judges worked elsewhere, and for how long: visits from a file of ratings."""

from collections.abc import Sequence
from datetime import datetime

from annotation.importing import RatingRow
from annotation.importing.keys import KeyLog
from annotation.importing.moments import moment, seconds
from annotation.models import Visit
from annotation.services.bulk_rows import insert_rows
from annotation.services.loading_assignments import Work

COLUMNS = ("assignment_id", "phase_id", "position", "opened_at", "wall_ms", "active_ms")


class VisitLoader:
    """Writes one visit for each new assignment and phase whose times the file gives.

    Where the file gives seconds but no moment of opening, the moment of submission stands in.
    """

    def __init__(self, *, at: datetime) -> None:
        self._at = at
        self._log = KeyLog()

    def load_chunk(
        self, rows: Sequence[RatingRow], works: Sequence[Work], phases: Sequence[int]
    ) -> None:
        """Write the visits of one chunk of rows."""
        told = [
            (row, work.pk, phase)
            for row, work, phase in zip(rows, works, phases, strict=True)
            if (row.opened_at or row.active_seconds) and not work.is_old
        ]
        seen = self._log.add(
            [work << 20 | phase % (1 << 20) for _, work, phase in told], [0] * len(told)
        )
        known = {entry.at for entry in seen}
        insert_rows(
            Visit,
            COLUMNS,
            (
                self._cells(row, work, phase)
                for at, (row, work, phase) in enumerate(told)
                if at not in known
            ),
        )

    def _cells(self, row: RatingRow, work: int, phase: int) -> tuple[object, ...]:
        opened_at = moment(row.opened_at) or moment(row.submitted_at) or self._at
        position = int(row.position) if row.position.isdecimal() else 0
        milliseconds = round((seconds(row.active_seconds) or 0.0) * 1000)
        return work, phase, position, opened_at, milliseconds, milliseconds
