"""Ratings made elsewhere, from a file into a study."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Count, Max
from django.utils.text import slugify

from annotation.enums import GroupKind, Origin
from annotation.importing import RatingRow
from annotation.models import Assignment, Dimension, Fact, Judge, JudgeGroup, Rating, Study, Unit
from annotation.selectors.judging import asked_dimensions
from annotation.services.judges import next_pseudonym

CHUNK = 5_000
# Names that tell nothing of a person are kept: e2, r1, w017, J001, judge-3.
HARMLESS_NAME = re.compile(r"[A-Za-z]{0,8}[-_]?[0-9]{1,5}")


@dataclass(slots=True)
class LoadedRatings:
    """What a load did, in counts of ratings."""

    n_new: int = 0
    n_unchanged: int = 0

    def as_json(self) -> dict[str, int]:
        """Return the counts."""
        return {"new": self.n_new, "unchanged": self.n_unchanged}


class RatingLoader:
    """Writes rows of ratings into one study, chunk by chunk, inside the caller's transaction.

    A rating that is stored already is left alone where it is equal, and refused where it differs.
    """

    def __init__(self, study: Study, *, at: datetime) -> None:
        self._study, self._at = study, at
        self._units = {
            (item, system): unit
            for unit, item, system in Unit.objects.filter(
                study=study, output_version__is_current=True
            ).values_list("pk", "item__key", "system__key")
        }
        self._dimensions = {d.key: d for d in asked_dimensions(study.pk)}
        self._groups = {group.key: group for group in study.groups.all()}
        self._new_groups: list[JudgeGroup] = []
        self._judges: dict[tuple[str, str], Judge] = {}
        self._facts: dict[tuple[str, str], Fact] = {}
        for fact in Fact.objects.filter(item__study=study).select_related("item"):
            self._facts[fact.item.key, fact.key] = fact
        self.loaded = LoadedRatings()

    def load(self, rows: Iterable[RatingRow]) -> LoadedRatings:
        """Write all rows; return the counts."""
        remaining = iter(rows)
        while chunk := list(islice(remaining, CHUNK)):
            self.load_chunk(chunk)
        self._set_judges_per_unit()
        return self.loaded

    def load_chunk(self, rows: Sequence[RatingRow]) -> None:
        """Write one chunk of rows."""
        assignments = self._assignments(rows)
        stored = self._stored(assignments.values())
        fresh = []
        for row in rows:
            rating = self._rating(row, assignments[self._key(row)])
            key = (rating.assignment_id, rating.dimension_id, rating.fact_id)
            if key not in stored:
                stored[key] = rating
                fresh.append(rating)
            elif _answer(stored[key]) == _answer(rating):
                self.loaded.n_unchanged += 1
            else:
                raise ValidationError(
                    f"Line {row.line}: {row.judge} has rated {row.item_id} of {row.system} on "
                    f"{row.dimension} with another value already. Take the line out."
                )
        Rating.objects.bulk_create(fresh)
        self.loaded.n_new += len(fresh)

    def _key(self, row: RatingRow) -> tuple[int, int, bool]:
        return self._judge(row).pk, self._unit(row), bool(row.repeat_of)

    def _assignments(self, rows: Sequence[RatingRow]) -> dict[tuple[int, int, bool], Assignment]:
        wanted = {self._key(row): row for row in rows}
        found = Assignment.objects.filter(
            judge__in={judge for judge, _, _ in wanted}, unit__in={unit for _, unit, _ in wanted}
        )
        known = {
            (row.judge_id or 0, row.unit_id, row.repeat_of_id is not None): row for row in found
        }
        # Originals first: a repeat points to one.
        for is_repeat in (False, True):
            new = [key for key in wanted if key not in known and key[2] is is_repeat]
            made = [self._new_assignment(wanted[key], key, known) for key in new]
            known.update(zip(new, Assignment.objects.bulk_create(made), strict=True))
        return known

    def _new_assignment(
        self,
        row: RatingRow,
        key: tuple[int, int, bool],
        known: dict[tuple[int, int, bool], Assignment],
    ) -> Assignment:
        judge, unit, is_repeat = key
        original = known.get((judge, unit, False)) if is_repeat else None
        if is_repeat and original is None:
            raise ValidationError(
                f"Line {row.line}: a repeat needs the first rating of the same output before it."
            )
        return Assignment(
            unit_id=unit,
            judge_id=judge,
            group=self._judge(row).group,
            repeat_of=original,
            origin=Origin.IMPORTED,
            is_late=row.late.casefold() == "true",
            submitted_at=self._at,
        )

    def _stored(
        self, assignments: Iterable[Assignment]
    ) -> dict[tuple[int, int, int | None], Rating]:
        ratings = Rating.objects.filter(assignment__in=[row.pk for row in assignments])
        return {(r.assignment_id, r.dimension_id, r.fact_id): r for r in ratings}

    def _rating(self, row: RatingRow, assignment: Assignment) -> Rating:
        return Rating(
            assignment=assignment,
            dimension=self._dimension(row),
            fact=self._fact(row),
            value=row.value,
            text=row.text if row.value is None and row.text else None,
            missing_reason=_reason(row),
            rated_at=self._at,
        )

    def _unit(self, row: RatingRow) -> int:
        unit = self._units.get((row.item_id, row.system))
        if unit is None:
            raise ValidationError(
                f"Line {row.line}: the study has no output of {row.system} for {row.item_id}. "
                "Upload the outputs first."
            )
        return unit

    def _dimension(self, row: RatingRow) -> Dimension:
        return self._dimensions[row.dimension]

    def _fact(self, row: RatingRow) -> Fact | None:
        if not row.fact_id:
            return None
        fact = self._facts.get((row.item_id, row.fact_id))
        if fact is None:
            raise ValidationError(
                f"Line {row.line}: the item {row.item_id} has no fact {row.fact_id}."
            )
        return fact

    def _judge(self, row: RatingRow) -> Judge:
        key = (row.judge_group, row.judge)
        if key not in self._judges:
            self._judges[key] = self._find_or_add_judge(row)
        return self._judges[key]

    def _find_or_add_judge(self, row: RatingRow) -> Judge:
        group = self._group(row.judge_group or "judges")
        import_key = hmac.new(
            settings.SECRET_KEY.encode(), f"{self._study.pk}/{row.judge}".encode(), hashlib.sha256
        ).hexdigest()
        judges = Judge.objects.filter(study=self._study)
        is_harmless = HARMLESS_NAME.fullmatch(row.judge) is not None
        named = judges.filter(pseudonym=row.judge) if is_harmless else judges.none()
        judge = judges.filter(import_key=import_key).first() or named.first()
        if judge is None:
            judge = Judge.objects.create(
                study=self._study,
                group=group,
                pseudonym=row.judge if is_harmless else next_pseudonym(self._study.pk),
                import_key=import_key,
                joined_at=self._at,
                excluded_at=self._at if row.excluded_by else None,
                excluded_by=row.excluded_by,
            )
        if judge.group_id != group.pk:
            raise ValidationError(
                f"Line {row.line}: {row.judge} belongs to the group {judge.group.key}, "
                f"not to {group.key}."
            )
        return judge

    def _group(self, name: str) -> JudgeGroup:
        key = slugify(name) or "judges"
        if key not in self._groups:
            kind = next((k for k in GroupKind if k.value in key), GroupKind.OTHER)
            group = JudgeGroup.objects.create(
                study=self._study, key=key, name=name, kind=kind, judges_per_unit=1
            )
            self._groups[key] = group
            self._new_groups.append(group)
        return self._groups[key]

    def _set_judges_per_unit(self) -> None:
        """Let k of a group that the file brought be what was observed."""
        for group in self._new_groups:
            observed = (
                Assignment.objects.filter(group=group, repeat_of__isnull=True)
                .values("unit")
                .annotate(n=Count("pk"))
                .aggregate(most=Max("n"))["most"]
            )
            group.judges_per_unit = observed or 1
            group.save(update_fields=["judges_per_unit"])


def _reason(row: RatingRow) -> str | None:
    if row.value is not None or row.text:
        return None
    return row.missing_reason or "missing"


def _answer(rating: Rating) -> tuple[float | None, str | None, str | None]:
    return rating.value, rating.text, rating.missing_reason
