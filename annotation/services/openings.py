"""Opening a study of many outputs is a worker's job; a small one opens while its page waits."""

from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.enums import StudyState
from annotation.models import Study
from annotation.selectors.openings import OPENING, is_being_opened
from annotation.services.studies import change_state, refuse_move, refuse_unless_ready
from jobs.models import Job
from jobs.services import Progress, create_job

TASK = "annotation.tasks.open_study_task"
# Outputs of a study that is opened in the request: their places take less than a second.
AT_ONCE = 5_000


def needs_worker(study: Study) -> bool:
    """Return whether the next change of state makes so many places that a worker does it."""
    return study.opened_at is None and study.units.count() > AT_ONCE


@transaction.atomic
def request_opening(
    study: Study, state: StudyState, *, actor: User | None = None, reason: str = ""
) -> Job:
    """Store the wish that a worker opens the study; the caller enqueues the job on commit.

    Raises
    ------
    ValidationError
        Where the study cannot be opened as it is, or is being opened already.
    """
    # Before the lock, which a worker at it holds for long; and under it, against a second wish.
    _refuse_if_begun(study)
    locked = Study.objects.select_for_update().get(pk=study.pk)
    _refuse_if_begun(locked)
    refuse_move(locked, state)
    refuse_unless_ready(locked)
    return create_job(
        OPENING,
        label=f"Open {study.title}"[:200],
        task=TASK,
        arguments={"state": str(state), "reason": reason},
        study_id=study.pk,
        created_by=actor,
    )


@transaction.atomic
def open_study(job: Job, progress: Progress, *, at: datetime) -> None:
    """Open the study of a job: all its places are made and the job is done, or nothing is."""
    if job.study is None:
        raise ValueError("An opening needs a study.")
    change_state(
        job.study,
        StudyState(job.arguments["state"]),
        at=at,
        actor=job.created_by,
        reason=job.arguments["reason"],
        tell=lambda done, total: progress.note(done, total, "Making places"),
    )
    progress.finish()


def _refuse_if_begun(study: Study) -> None:
    if is_being_opened(study):
        raise ValidationError("The study is being opened already.")
