"""Work that was done elsewhere: the assignments that a file's ratings belong to."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from django.core.exceptions import ValidationError

from annotation.enums import Origin
from annotation.importing import RatingRow
from annotation.importing.keys import KeyLog
from annotation.importing.moments import moment
from annotation.models import Assignment, Study
from annotation.services.bulk_rows import insert_rows, random_handles, reserve_ids, stored_moment
from annotation.services.loading_judges import JudgeLoader, Known

CHUNK = 50_000
COLUMNS = (
    "id", "handle", "position", "unit_id", "judge_id", "group_id", "submitted_at", "is_late",
    "repeat_of_id", "origin",
)  # fmt: skip
STORED, NEW = 1, 0
IMPORTED = Origin.IMPORTED.value
# A key is a unit, a judge's number in this load, and whether it is a repeat.
JUDGE_BITS = 22


class Work(NamedTuple):
    """An assignment, and whether it was there before this load."""

    pk: int
    is_old: bool


class AssignmentLoader:
    """Finds the assignments of a file's rows, at 24 bytes an assignment, and adds new ones."""

    def __init__(self, study: Study, judges: JudgeLoader, *, at: datetime) -> None:
        self._judges, self._stored_at = judges, stored_moment(at)
        self._log = KeyLog()
        self._positions = KeyLog()
        self._remember(study)

    def of(self, rows: Sequence[RatingRow], units: Sequence[int]) -> list[Work]:
        """Return the assignment of every row; those that are new are stored."""
        judges = [self._judges.of(row) for row in rows]
        keys = [
            _key(unit, judge.number, is_repeat=bool(row.repeat_of))
            for row, unit, judge in zip(rows, units, judges, strict=True)
        ]
        first: dict[int, int] = {}
        for at, key in enumerate(keys):
            first.setdefault(key, at)
        works = self._look_up(list(first))
        new = [key for key, (_, is_known) in works.items() if not is_known]
        handles = random_handles(len(new))
        places = self._places([(rows[first[key]], judges[first[key]]) for key in new])
        insert_rows(
            Assignment,
            COLUMNS,
            (
                (
                    works[key][0].pk,
                    handle,
                    place,
                    *self._cells(rows[first[key]], judges[first[key]], key, works),
                )
                for key, handle, place in zip(new, handles, places, strict=True)
            ),
        )
        return [works[key][0] for key in keys]

    def _look_up(self, keys: list[int]) -> dict[int, tuple[Work, bool]]:
        """Return for each key its assignment, and whether it is stored by now."""
        ids = reserve_ids(Assignment, len(keys))
        seen = {entry.at: entry for entry in self._log.add(keys, [NEW] * len(keys), ids)}
        return {
            key: (
                (Work(seen[at].first_value, seen[at].first_line == STORED), True)
                if at in seen
                else (Work(ids[at], is_old=False), False)
            )
            for at, key in enumerate(keys)
        }

    def _places(self, works: Sequence[tuple[RatingRow, Known]]) -> Iterator[int | None]:
        """Yield the position of each new work where the file says it, once for each judge."""
        told = [
            (judge.number << 32) | int(row.position) if row.position.isdecimal() else -1 - at
            for at, (row, judge) in enumerate(works)
        ]
        real = [(key, at) for at, key in enumerate(told) if key >= 0]
        seen = self._positions.add([key for key, _ in real], [NEW] * len(real))
        taken = {real[entry.at][1] for entry in seen}
        for at, key in enumerate(told):
            yield None if key < 0 or at in taken else key & 0xFFFFFFFF

    def _cells(
        self,
        row: RatingRow,
        judge: Known,
        key: int,
        works: dict[int, tuple[Work, bool]],
    ) -> tuple[object, ...]:
        unit = key >> (JUDGE_BITS + 1)
        is_out = row.valid.strip().casefold() == "false" and not row.excluded_by
        told = moment(row.submitted_at) if row.submitted_at else None
        submitted_at = told and stored_moment(told)
        if submitted_at is None and not is_out:
            submitted_at = self._stored_at
        # Work without a place is what the exporting study did not count; it is not counted here.
        is_late = row.late.strip().casefold() == "true" or (is_out and not row.repeat_of)
        original = self._original(row, key, works) if row.repeat_of else None
        return unit, judge.pk, judge.group, submitted_at, is_late, original, IMPORTED

    def _original(self, row: RatingRow, key: int, works: dict[int, tuple[Work, bool]]) -> int:
        if key - 1 in works:
            return works[key - 1][0].pk
        judge = self._judges.of(row)
        stored = Assignment.objects.filter(
            unit=key >> (JUDGE_BITS + 1), judge=judge.pk, repeat_of__isnull=True
        ).values_list("pk", flat=True)
        original = stored.first()
        if original is None:
            raise ValidationError(
                f"Line {row.line}: a repeat needs the first rating of the same output before it."
            )
        return original

    def _remember(self, study: Study) -> None:
        """Log the assignments that the study has already."""
        works = Assignment.objects.filter(unit__study=study, judge__isnull=False).values_list(
            "pk", "unit_id", "judge_id", "repeat_of_id", "position"
        )
        keys: list[int] = []
        ids: list[int] = []
        positions: list[int] = []
        for pk, unit, judge, repeat_of, position in works.iterator(chunk_size=CHUNK):
            number = self._judges.number_of(judge or 0)
            keys.append(_key(unit, number, is_repeat=repeat_of is not None))
            ids.append(pk)
            if position is not None:
                positions.append((number << 32) | position)
            if len(keys) == CHUNK:
                self._store(keys, ids, positions)
                keys, ids, positions = [], [], []
        self._store(keys, ids, positions)

    def _store(self, keys: list[int], ids: list[int], positions: list[int]) -> None:
        self._log.add(keys, [STORED] * len(keys), ids)
        self._positions.add(positions, [STORED] * len(positions))


def _key(unit: int, judge: int, *, is_repeat: bool) -> int:
    return (unit << JUDGE_BITS | judge) << 1 | is_repeat
