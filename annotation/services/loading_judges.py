"""Judges and groups that a file of ratings names: found again, or added."""

import hashlib
import hmac
import re
from datetime import datetime
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import Count, Max
from django.utils.text import slugify

from annotation.enums import GroupKind
from annotation.importing import RatingRow
from annotation.models import Assignment, Judge, JudgeGroup, Study
from annotation.services.judges import next_pseudonym

# Names that tell nothing of a person are kept: e2, r1, w017, J001, judge-3.
HARMLESS_NAME = re.compile(r"[A-Za-z]{0,8}[-_]?[0-9]{1,5}")


class Known(NamedTuple):
    """A judge of the study: primary key, group, and the number it has in this load."""

    pk: int
    group: int
    number: int


class JudgeLoader:
    """Finds the judges of a study by the names in a file, and adds those that are new.

    A name that may be a person's is not kept: a keyed hash of it knows the judge again.
    """

    def __init__(self, study: Study, *, at: datetime) -> None:
        self._study, self._at = study, at
        self._groups = {group.key: group for group in study.groups.all()}
        judges = list(study.judges.all())
        self._by_hash = {judge.import_key: judge for judge in judges if judge.import_key}
        self._by_pseudonym = {judge.pseudonym: judge for judge in judges}
        self._next = int(next_pseudonym(study.pk)[1:])
        self._known: dict[tuple[str, str], Known] = {}
        self._numbers: dict[int, int] = {}

    def of(self, row: RatingRow) -> Known:
        """Return the judge of a row."""
        key = (row.judge_group, row.judge)
        known = self._known.get(key)
        if known is None:
            judge = self._find_or_add(row)
            number = self._numbers.setdefault(judge.pk, len(self._numbers))
            known = self._known[key] = Known(judge.pk, judge.group_id, number)
        return known

    def number_of(self, judge: int) -> int:
        """Return the number in this load of a judge who was there before."""
        return self._numbers.setdefault(judge, len(self._numbers))

    def _find_or_add(self, row: RatingRow) -> Judge:
        key = hmac.new(
            settings.SECRET_KEY.encode(), f"{self._study.pk}/{row.judge}".encode(), hashlib.sha256
        ).hexdigest()
        is_harmless = HARMLESS_NAME.fullmatch(row.judge) is not None
        judge = self._by_hash.get(key)
        if judge is None and is_harmless:
            judge = self._by_pseudonym.get(row.judge)
        if judge is None:
            judge = self._add(row, key, row.judge if is_harmless else self._pseudonym())
        if row.judge_group and judge.group_id != (group := self._group(row.judge_group)).pk:
            raise ValidationError(
                f"Line {row.line}: {row.judge} belongs to the group {judge.group.key}, "
                f"not to {group.key}."
            )
        return judge

    def _add(self, row: RatingRow, key: str, pseudonym: str) -> Judge:
        judge = Judge.objects.create(
            study=self._study,
            group=self._group(row.judge_group or "judges"),
            pseudonym=pseudonym,
            import_key=key,
            joined_at=self._at,
            excluded_at=self._at if row.excluded_by else None,
            excluded_by=row.excluded_by,
        )
        self._by_hash[key] = self._by_pseudonym[pseudonym] = judge
        return judge

    def _pseudonym(self) -> str:
        while (name := f"J{self._next:03d}") in self._by_pseudonym:
            self._next += 1
        return name

    def _group(self, name: str) -> JudgeGroup:
        key = slugify(name)[:60] or "judges"
        if key not in self._groups:
            kind = next((k for k in GroupKind if k.value in key), GroupKind.OTHER)
            self._groups[key] = JudgeGroup.objects.create(
                study=self._study,
                key=key,
                name=name[:100],
                kind=kind,
                judges_per_unit=1,
                is_observed=True,
            )
        return self._groups[key]

    def set_judges_per_unit(self) -> None:
        """Let k of a group that a file brought be what was observed, in all files so far."""
        for group in self._groups.values():
            if not group.is_observed:
                continue
            observed = (
                Assignment.objects.filter(group=group, repeat_of__isnull=True)
                .values("unit")
                .annotate(n=Count("pk"))
                .aggregate(most=Max("n"))["most"]
            )
            group.judges_per_unit = observed or 1
            group.save(update_fields=["judges_per_unit"])
