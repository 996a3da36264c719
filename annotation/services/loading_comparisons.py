"""Comparisons made elsewhere, from a file into a study."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import islice

from django.core.exceptions import ValidationError

from annotation.design.choices import LETTERS, read_choice
from annotation.enums import COMPARED
from annotation.importing import ChoiceRow
from annotation.models import Choice, Dimension, Rating, Study
from annotation.selectors.judging import asked_dimensions
from annotation.services.bulk_rows import insert_rows, stored_moment
from annotation.services.compared_units import ComparedUnit, ComparedUnits
from annotation.services.loading_assignments import AssignmentLoader, Work
from annotation.services.loading_judges import JudgeLoader
from annotation.services.loading_ratings import LoadedRatings
from annotation.services.loading_visits import VisitLoader

CHUNK = 10_000
ANSWER = ("assignment_id", "dimension_id", "text", "missing_reason", "rated_at")
RANK = ("assignment_id", "dimension_id", "member_id", "rank")


class ComparisonLoader:
    """Writes rows of choices into one study, chunk by chunk, inside the caller's transaction.

    What is there already is left alone; another answer of the same judge is refused.
    """

    def __init__(self, study: Study, *, at: datetime) -> None:
        self._at = stored_moment(at)
        self._units = ComparedUnits(study)
        self._dimensions = _dimensions(study)
        self._judges = JudgeLoader(study, at=at)
        self._assignments = AssignmentLoader(study, self._judges, at=at)
        self._visits = VisitLoader(at=at)
        self.loaded = LoadedRatings()

    def load(self, rows: Iterable[ChoiceRow]) -> LoadedRatings:
        """Write all rows; return the counts."""
        remaining = iter(rows)
        while chunk := list(islice(remaining, CHUNK)):
            self._load_chunk(chunk)
        self._judges.set_judges_per_unit()
        return self.loaded

    def _load_chunk(self, rows: Sequence[ChoiceRow]) -> None:
        ratings = [row.rating for row in rows]
        units = self._units.of(rows)
        works = self._assignments.of(ratings, [unit.pk for unit in units])
        dimensions = [self._dimension(row) for row in rows]
        stored = _stored({work.pk for work in works if work.is_old})
        answers: list[tuple[object, ...]] = []
        ranks: list[tuple[object, ...]] = []
        for row, unit, work, dimension in zip(rows, units, works, dimensions, strict=True):
            text = _in_letters_of(unit, row) if dimension.kind in COMPARED else row.rating.text
            answer = (text or None, row.rating.missing_reason or None)
            if (work.pk, dimension.pk) in stored:
                _refuse_another(row, stored[work.pk, dimension.pk], answer)
                continue
            answers.append((work.pk, dimension.pk, *answer, self._at))
            if text and dimension.kind in COMPARED:
                ranks += _ranks(work, dimension, unit, text)
        insert_rows(Rating, ANSWER, answers)
        insert_rows(Choice, RANK, ranks)
        self._visits.load_chunk(ratings, works, [dimension.phase_id for dimension in dimensions])
        self.loaded.n_new += len(answers)
        self.loaded.n_unchanged += len(rows) - len(answers)

    def _dimension(self, row: ChoiceRow) -> Dimension:
        named = self._dimensions.get((row.rating.phase, row.rating.dimension))
        return named or self._dimensions["", row.rating.dimension]


def _dimensions(study: Study) -> dict[tuple[str, str], Dimension]:
    """Return the dimensions by phase and key, and by key alone."""
    found: dict[tuple[str, str], Dimension] = {}
    for dimension in asked_dimensions(study.pk):
        found[dimension.phase.key, dimension.key] = dimension
        found.setdefault(("", dimension.key), dimension)
    return found


def _in_letters_of(unit: ComparedUnit, row: ChoiceRow) -> str:
    """Return the choice in the letters of the stored comparison, which may order it otherwise."""
    code = row.rating.text
    if not code or unit.systems == row.systems:
        return code
    letters = [
        LETTERS[unit.systems.index(row.systems[LETTERS.index(one)])] for one in (code[0], code[2])
    ]
    return "A=B" if code[1] == "=" else ">".join(letters)


def _ranks(
    work: Work, dimension: Dimension, unit: ComparedUnit, code: str
) -> list[tuple[object, ...]]:
    ranks = read_choice(code, n_members=len(unit.members)).ranks(len(unit.members))
    return [
        (work.pk, dimension.pk, member, rank)
        for member, rank in zip(unit.members, ranks, strict=True)
    ]


def _stored(assignments: set[int]) -> dict[tuple[int, int], tuple[str | None, str | None]]:
    if not assignments:
        return {}
    ratings = Rating.objects.filter(assignment__in=assignments, fact__isnull=True)
    rows = ratings.values_list("assignment_id", "dimension_id", "text", "missing_reason")
    return {(work, dimension): (text, reason) for work, dimension, text, reason in rows}


def _refuse_another(
    row: ChoiceRow, stored: tuple[str | None, str | None], answer: tuple[str | None, str | None]
) -> None:
    if stored != answer:
        raise ValidationError(
            f"Line {row.rating.line}: {row.rating.judge} has compared {', '.join(row.systems)} of "
            f"{row.rating.item_id} on {row.rating.dimension} with another answer already. Take the "
            "line out."
        )
