"""Finding work that was lost, and giving it to the next worker."""

from datetime import datetime, timedelta

from jobs import aside
from jobs.models import Job, JobState

# Five beats missed: a worker that still lives would have beaten.
STALE_AFTER = timedelta(seconds=15)
# A message that nobody took after this long may be lost.
SEND_AGAIN_AFTER = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(minutes=5)
MAX_ATTEMPTS = 5


def sweep_jobs(at: datetime, *, patience: timedelta = SEND_AGAIN_AFTER) -> list[int]:
    """Take jobs from workers that are gone; return the ids of waiting jobs to send (again).

    Parameters
    ----------
    at : datetime
        Now.
    patience : timedelta
        How long a message may lie with the broker before another one is sent. It doubles with
        the job's age, up to five minutes, so a long queue is not filled with copies. Zero sends
        all: right when a worker starts, since the broker may have lost everything.

    Notes
    -----
    Sending too often is harmless, since a claim is taken once. A job that loses its worker
    `MAX_ATTEMPTS` times fails: it is likely the work that kills them.
    """
    for job in Job.objects.filter(state=JobState.RUNNING, heartbeat_at__lt=at - STALE_AFTER):
        if not _beats_aside(job, at):
            _take_away(job, at)
    waiting = Job.objects.filter(state=JobState.QUEUED).order_by("pk")
    return [job.pk for job in waiting if _is_due(job, at, patience)]


def _beats_aside(job: Job, at: datetime) -> bool:
    """Whether the job's worker lives, though its own transaction keeps it from beating."""
    told = aside.hear(job.pk) if aside.is_needed() else None
    return told is not None and told.attempt == job.attempt and told.at >= at - STALE_AFTER


def _take_away(job: Job, at: datetime) -> None:
    # The attempt and the beat we judged by: a worker that beats meanwhile keeps its job.
    lost = Job.objects.filter(
        pk=job.pk, state=JobState.RUNNING, attempt=job.attempt, heartbeat_at=job.heartbeat_at
    )
    if job.cancel_requested_at is not None or (aside.is_needed() and aside.is_unwanted(job.pk)):
        lost.update(state=JobState.CANCELLED, finished_at=at)
    elif job.attempt >= MAX_ATTEMPTS:
        lost.update(
            state=JobState.FAILED,
            finished_at=at,
            error=f"Its worker was lost {job.attempt} times, so it is not tried again. "
            "The machine may be short of memory for this work; the worker's log may say more.",
        )
    else:
        lost.update(state=JobState.QUEUED, sent_at=None, heartbeat_at=None)


def _is_due(job: Job, at: datetime, patience: timedelta) -> bool:
    if job.sent_at is None:
        return True
    pause = (
        min(max(patience, job.sent_at - job.created_at), LONGEST_PAUSE) if patience else patience
    )
    return at - job.sent_at >= pause
