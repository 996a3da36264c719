"""Blinding of a study: set, and looked behind."""

from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.models import Rating, Study, StudyEvent
from annotation.selectors.doors.blinding import OVER, RESULTS_SEEN, SYSTEMS_SEEN


@transaction.atomic
def set_blinding(
    study: Study,
    *,
    hides_systems: bool,
    hides_results: bool,
    at: datetime,
    actor: User | None = None,
    reason: str = "",
) -> Study:
    """Set what is hidden until the study is closed.

    Raises
    ------
    ValidationError
        Where a name or a result would be hidden that may have been seen already, where something
        hidden is opened without a reason once the study has begun, or where the study is over.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    before = (locked.hides_systems, locked.hides_results)
    after = (hides_systems, hides_results)
    if before == after:
        return locked
    if locked.state in OVER:
        raise ValidationError("The study is closed, so nothing is hidden any more.")
    hides_more = any(new and not old for old, new in zip(before, after, strict=True))
    if hides_more and Rating.objects.filter(assignment__unit__study=locked).exists():
        raise ValidationError(
            "There are ratings already, so names or results may have been seen. Hide them in a "
            "new study, before its first rating."
        )
    opens_more = any(old and not new for old, new in zip(before, after, strict=True))
    if opens_more and locked.opened_at is not None and not reason.strip():
        raise ValidationError("Say why what was hidden at the opening is shown before the closing.")
    locked.hides_systems, locked.hides_results = after
    locked.save(update_fields=["hides_systems", "hides_results"])
    StudyEvent.objects.create(
        study=locked,
        kind="blinding",
        actor=actor,
        reason=reason.strip(),
        detail={"systems hidden": hides_systems, "results hidden": hides_results},
        at=at,
    )
    return locked


@transaction.atomic
def look_behind(study: Study, kind: str, *, actor: User, reason: str, at: datetime) -> StudyEvent:
    """Log that someone looks at system names, or at results, before the study is closed.

    Raises
    ------
    ValidationError
        Without a reason, or where there is nothing to look behind.
    """
    locked = Study.objects.select_for_update().get(pk=study.pk)
    hidden = {SYSTEMS_SEEN: locked.hides_systems, RESULTS_SEEN: locked.hides_results}
    if not hidden.get(kind, False) or locked.state in OVER:
        raise ValidationError("Nothing of this kind is hidden now.")
    if not reason.strip():
        raise ValidationError(
            "Say why you look before the study is closed; it stays in the report."
        )
    return StudyEvent.objects.create(
        study=locked, kind=kind, actor=actor, reason=reason.strip(), at=at
    )
