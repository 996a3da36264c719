"""What people ask for: a job, or the end of one."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import OperationalError, connection
from django.utils import timezone

from jobs import aside
from jobs.models import Job, JobState

MOMENT_MS = 250


def create_job(
    kind: str,
    *,
    label: str,
    task: str,
    arguments: Mapping[str, Any] | None = None,
    study_id: int | None = None,
    created_by: User | None = None,
) -> Job:
    """Store one piece of background work; it waits until it is enqueued.

    Parameters
    ----------
    kind : str
        What sort of work it is, as a slug ("import", "analysis").
    label : str
        The same in words that people read, at most 200 characters.
    task : str
        Full name of the Celery task, which is called with the job's id as its only argument.
    arguments : mapping, optional
        Plain JSON values that the task reads from the row.
    study_id : int, optional
        The study that the work belongs to and is deleted with.
    created_by : User, optional
        Who asked; None for work that the product starts by itself.
    """
    job = Job(
        kind=kind,
        label=label,
        task=task,
        study_id=study_id,
        arguments=dict(arguments or {}),
        created_by=created_by,
        created_at=timezone.now(),
    )
    job.full_clean()
    job.save()
    return job


def record_sent(job_id: int, *, at: datetime) -> None:
    """Note that the broker took the message of a waiting job."""
    Job.objects.filter(pk=job_id, state=JobState.QUEUED).update(sent_at=at)


def request_cancel(job_id: int, *, at: datetime | None = None) -> bool:
    """Cancel a waiting job at once, ask a running one to stop; return whether there was either.

    A running job stops at its next report of progress. Where its own transaction keeps SQLite's one
    writer busy, the wish is left beside the database, so that nobody waits for it to be heard.
    """
    moment = at or timezone.now()
    if aside.is_needed() and _is_running(job_id):
        aside.ask_to_cancel(job_id)
        with _short_of_patience(), suppress(OperationalError):
            _ask_running(job_id, moment)
        return True
    waiting = Job.objects.filter(pk=job_id, state=JobState.QUEUED)
    if waiting.update(
        state=JobState.CANCELLED, cancel_requested_at=moment, finished_at=moment, stage=""
    ):
        return True
    return _ask_running(job_id, moment)


def _is_running(job_id: int) -> bool:
    return Job.objects.filter(pk=job_id, state=JobState.RUNNING).exists()


def _ask_running(job_id: int, moment: datetime) -> bool:
    running = Job.objects.filter(pk=job_id, state=JobState.RUNNING)
    return bool(running.update(cancel_requested_at=moment))


@contextmanager
def _short_of_patience() -> Iterator[None]:
    """Wait for SQLite's writer for a moment only, on this connection."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        usual = cursor.fetchone()[0]
        cursor.execute(f"PRAGMA busy_timeout = {MOMENT_MS}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(usual)}")
