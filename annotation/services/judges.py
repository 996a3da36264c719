"""Judges: invited, instructed, excluded, readmitted."""

import re
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F

from annotation.enums import JudgeKind
from annotation.models import Assignment, Judge, JudgeGroup, Study, StudyEvent
from annotation.selectors.places import open_draw
from annotation.services.place_handover import give_up_places, take_back_places


@transaction.atomic
def add_judge(
    group: JudgeGroup,
    *,
    at: datetime,
    note: str = "",
    kind: JudgeKind = JudgeKind.PERSON,
    pseudonym: str | None = None,
) -> Judge:
    """Store a judge under the next pseudonym of the study."""
    Study.objects.select_for_update().get(pk=group.study_id)
    judge = Judge(
        study_id=group.study_id,
        group=group,
        pseudonym=pseudonym or next_pseudonym(group.study_id),
        kind=kind,
        note=note,
        joined_at=at,
    )
    judge.full_clean(exclude=["preferences"])
    judge.save()
    return judge


def next_pseudonym(study_id: int) -> str:
    """Return the first free pseudonym after J001, J002, ..."""
    taken = Judge.objects.filter(study=study_id, pseudonym__regex=r"^J[0-9]+$")
    numbers = [int(re.sub(r"\D", "", name)) for name in taken.values_list("pseudonym", flat=True)]
    return f"J{max(numbers, default=0) + 1:03d}"


def mark_instructed(judge: Judge, *, at: datetime) -> None:
    """Remember that the judge has read the instructions."""
    Judge.objects.filter(pk=judge.pk, instructed_at__isnull=True).update(instructed_at=at)


def revoke_link(judge: Judge) -> None:
    """Make the judge's personal link invalid; a new one may be given."""
    Judge.objects.filter(pk=judge.pk).update(link_version=F("link_version") + 1)


@transaction.atomic
def exclude_judge(judge: Judge, *, reason: str, at: datetime, actor: User | None = None) -> Judge:
    """Take a judge's ratings out of the analysis; they are kept, and pay is another matter.

    Their places stay taken until `reopen_places` gives them to others.
    """
    if not reason.strip():
        raise ValidationError("Say why this judge is excluded.")
    locked = Judge.objects.select_for_update().get(pk=judge.pk)
    if locked.excluded_at is not None:
        raise ValidationError(f"{locked.pseudonym} is excluded already.")
    locked.excluded_at, locked.excluded_by = at, reason[:200]
    locked.save(update_fields=["excluded_at", "excluded_by"])
    give_up_places(open_draw(locked).select_for_update())
    _note(locked, kind="judge_excluded", reason=reason, actor=actor, at=at)
    return locked


@transaction.atomic
def reopen_places(judge: Judge, *, at: datetime, actor: User | None = None) -> int:
    """Give the places of an excluded judge to others; return how many."""
    locked = Judge.objects.select_for_update().get(pk=judge.pk)
    if locked.excluded_at is None:
        raise ValidationError(f"{locked.pseudonym} is not excluded.")
    held = Assignment.objects.select_for_update().filter(judge=locked, slot__isnull=False)
    n_freed = len(give_up_places(held))
    _note(locked, kind="places_reopened", reason=locked.excluded_by, actor=actor, at=at)
    return n_freed


@transaction.atomic
def readmit_judge(judge: Judge, *, reason: str, at: datetime, actor: User | None = None) -> Judge:
    """Take an exclusion back; places that others have taken meanwhile stay theirs."""
    locked = Judge.objects.select_for_update().get(pk=judge.pk)
    if locked.excluded_at is None:
        raise ValidationError(f"{locked.pseudonym} is not excluded.")
    locked.excluded_at, locked.excluded_by = None, ""
    locked.save(update_fields=["excluded_at", "excluded_by"])
    done = Assignment.objects.filter(
        judge=locked, is_late=True, slot=None, submitted_at__isnull=False, repeat_of=None
    )
    take_back_places(done.order_by("position").select_for_update())
    _note(locked, kind="judge_readmitted", reason=reason, actor=actor, at=at)
    return locked


def _note(judge: Judge, *, kind: str, reason: str, actor: User | None, at: datetime) -> None:
    StudyEvent.objects.create(
        study_id=judge.study_id,
        kind=kind,
        actor=actor,
        reason=reason,
        detail={"judge": judge.pseudonym},
        at=at,
    )
