"""What the commands share that do a worker's work: the study, refusals, the job done here."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils import timezone

from jobs.models import Job, JobState
from jobs.services import request_cancel
from metrics_app.loaders.studies import StudyRow, study_named

BAD_INPUT = 2


def study_called(slug: str) -> StudyRow:
    """Return the study, or end the command with status 2."""
    study = study_named(slug)
    if study is None:
        raise CommandError(f"There is no study {slug!r}.", returncode=BAD_INPUT)
    return study


@contextmanager
def refusals() -> Iterator[None]:
    """End the command with status 2 and the reasons where what was asked for is refused."""
    try:
        yield
    except (ValueError, ValidationError) as refusal:
        said = refusal.messages if isinstance(refusal, ValidationError) else [str(refusal)]
        raise CommandError("\n".join(said), returncode=BAD_INPUT) from refusal


def result_of(job: Job, run: Callable[[int], object]) -> dict[str, Any]:
    """Do the work of a job here and now, as a worker would, and return its result.

    Ctrl-C cancels the job; what it has stored by then is kept. A job that does not end well ends
    the command with its reason.
    """
    try:
        run(job.pk)
    except KeyboardInterrupt:
        request_cancel(job.pk, at=timezone.now())
        raise
    job.refresh_from_db()
    if job.state != JobState.DONE:
        raise CommandError(job.error or f"The run is {job.state}.")
    result: dict[str, Any] = job.result
    return result
