"""Ratings made elsewhere, from a file into a study."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.core.exceptions import ValidationError
from django.db import IntegrityError

from annotation.importing import RatingRow
from annotation.models import Assignment, Dimension, Fact, Rating, Study
from annotation.selectors.judging import asked_dimensions
from annotation.selectors.unit_index import OLDER, UnitIndex
from annotation.services.bulk_rows import check_keys, count_anew, insert_rows, stored_moment
from annotation.services.loading_assignments import AssignmentLoader, Work
from annotation.services.loading_judges import JudgeLoader
from annotation.services.loading_visits import VisitLoader

CHUNK = 10_000
COLUMNS = (
    "assignment_id", "dimension_id", "fact_id", "value", "text", "missing_reason", "rated_at",
)  # fmt: skip
Key = tuple[int, int, int | None]
Answer = tuple[float | None, str | None, str | None]


@dataclass(slots=True)
class LoadedRatings:
    """What a load did, in counts of ratings."""

    n_new: int = 0
    n_unchanged: int = 0
    n_older: int = 0

    def as_json(self) -> dict[str, int]:
        """Return the counts; ratings of texts that the study never had are left out."""
        counts = {"new": self.n_new, "unchanged": self.n_unchanged}
        return {**counts, "of older texts left out": self.n_older} if self.n_older else counts


class RatingLoader:
    """Writes rows of ratings into one study, chunk by chunk, inside the caller's transaction.

    A rating that is stored already is left alone where it is equal, and refused where it differs.
    All ratings of one load bear its moment, which is how the load is found again to be undone.
    """

    def __init__(self, study: Study, *, at: datetime) -> None:
        self._at = stored_moment(at)
        self._units = UnitIndex(study)
        self._dimensions = _dimensions(study)
        self._judges = JudgeLoader(study, at=at)
        self._assignments = AssignmentLoader(study, self._judges, at=at)
        self._visits = VisitLoader(at=at)
        self._facts = {
            (item, key): fact
            for fact, item, key in Fact.objects.filter(item__study=study).values_list(
                "pk", "item__key", "key"
            )
        }
        self.loaded = LoadedRatings()

    def load(self, rows: Iterable[RatingRow]) -> LoadedRatings:
        """Write all rows; return the counts."""
        remaining = iter(rows)
        while chunk := list(islice(remaining, CHUNK)):
            try:
                self.load_chunk(chunk)
            except IntegrityError as error:
                raise ValidationError(
                    f"Between lines {chunk[0].line} and {chunk[-1].line} two rows are the same "
                    "judge's answer on one dimension of one output. Keep one of them."
                ) from error
            check_keys()
        count_anew(self.loaded.n_new, Rating, Assignment)
        self._judges.set_judges_per_unit()
        return self.loaded

    def load_chunk(self, rows: Sequence[RatingRow]) -> None:
        """Write one chunk of rows."""
        rows, units = self._found(rows)
        works = self._assignments.of(rows, units)
        dimensions = [self._dimension(row) for row in rows]
        fresh = self._fresh(rows, works, dimensions)
        insert_rows(Rating, COLUMNS, fresh)
        self._visits.load_chunk(rows, works, [dimension.phase_id for dimension in dimensions])
        self.loaded.n_new += len(fresh)
        self.loaded.n_unchanged += len(rows) - len(fresh)

    def _found(self, rows: Sequence[RatingRow]) -> tuple[list[RatingRow], list[int]]:
        """Return the rows whose text the study has, and the units of them."""
        found = [
            (row, unit)
            for row, unit in zip(rows, self._units.of(rows), strict=True)
            if unit != OLDER
        ]
        self.loaded.n_older += len(rows) - len(found)
        for row, unit in found:
            if not unit:
                raise ValidationError(
                    f"Line {row.line}: the study has no output of {row.system} for "
                    f"{row.item_id}. Upload the outputs first."
                )
        return [row for row, _ in found], [unit for _, unit in found]

    def _fresh(
        self, rows: Sequence[RatingRow], works: Sequence[Work], dimensions: Sequence[Dimension]
    ) -> list[tuple[object, ...]]:
        """Return the rows that are not stored yet, ready to be inserted."""
        stored = _stored({work.pk for work in works if work.is_old})
        fresh: list[tuple[object, ...]] = []
        for row, work, dimension in zip(rows, works, dimensions, strict=True):
            key = (work.pk, dimension.pk, self._fact(row) if row.fact_id else None)
            answer = _answer(row)
            if stored.get(key, answer) != answer:
                raise ValidationError(
                    f"Line {row.line}: {row.judge} has rated {row.item_id} of {row.system} on "
                    f"{row.dimension} with another value already. Take the line out."
                )
            if key not in stored:
                fresh.append((*key, *answer, self._at))
        return fresh

    def _dimension(self, row: RatingRow) -> Dimension:
        named = self._dimensions.get((row.phase, row.dimension))
        return named or self._dimensions["", row.dimension]

    def _fact(self, row: RatingRow) -> int:
        fact = self._facts.get((row.item_id, row.fact_id))
        if fact is None:
            raise ValidationError(
                f"Line {row.line}: the item {row.item_id} has no fact {row.fact_id}."
            )
        return fact


def _dimensions(study: Study) -> dict[tuple[str, str], Dimension]:
    """Return the dimensions by phase and key, and by key alone."""
    found: dict[tuple[str, str], Dimension] = {}
    for dimension in asked_dimensions(study.pk):
        found[dimension.phase.key, dimension.key] = dimension
        found.setdefault(("", dimension.key), dimension)
    return found


def _stored(assignments: set[int]) -> dict[Key, Answer]:
    if not assignments:
        return {}
    ratings = Rating.objects.filter(assignment__in=assignments).values_list(
        "assignment_id", "dimension_id", "fact_id", "value", "text", "missing_reason"
    )
    return {
        (work, dimension, fact): (value, text, reason)
        for work, dimension, fact, value, text, reason in ratings
    }


def _answer(row: RatingRow) -> Answer:
    if row.value is not None:
        return row.value, None, None
    if row.text:
        return None, row.text, None
    return None, None, row.missing_reason or "missing"
