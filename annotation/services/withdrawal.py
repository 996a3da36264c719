"""Leaving a study: stopping, or withdrawing with everything one said."""

import secrets
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.enums import StudyState
from annotation.models import Assignment, Choice, Judge, Rating, RatingEvent, StudyEvent, Visit
from annotation.selectors.places import open_draw
from annotation.services.place_handover import give_up_places


@transaction.atomic
def stop_judging(judge: Judge) -> int:
    """Give the judge's unfinished places to others and keep what is handed in; return how many.

    The judge may come back.
    """
    locked = Judge.objects.select_for_update().get(pk=judge.pk)
    held = open_draw(locked).filter(slot__isnull=False).select_for_update()
    return len(give_up_places(held))


@transaction.atomic
def withdraw_judge(judge: Judge, *, at: datetime) -> Judge:
    """Delete all that a judge said and everything that tells who they are; reopen their places.

    A row without identity stays, so that the audit can say that somebody left.

    Raises
    ------
    ValidationError
        The data of the study are frozen.
    """
    locked = Judge.objects.select_for_update(of=("self",)).select_related("study").get(pk=judge.pk)
    if locked.withdrawn_at is not None:
        return locked
    if locked.study.state == StudyState.FROZEN:
        raise ValidationError(
            _("The data of this study are frozen; they can no longer be deleted.")
        )
    own = Assignment.objects.filter(judge=locked)
    # All rows, places or not: an answer on its way must come before this or not at all.
    rows = list(own.order_by("pk").select_for_update())
    give_up_places(row for row in rows if row.slot is not None)
    for said in (RatingEvent, Choice, Rating, Visit):
        said.objects.filter(assignment__judge=locked).delete()
    own.filter(repeat_of__isnull=False).delete()
    own.delete()
    locked.pseudonym = f"left-{secrets.token_hex(4)}"
    locked.note, locked.import_key, locked.preferences = "", "", {}
    locked.excluded_by = ""
    locked.link_version += 1
    locked.withdrawn_at = at
    locked.save()
    StudyEvent.objects.create(study=locked.study, kind="judge_withdrew", at=at)
    return locked
