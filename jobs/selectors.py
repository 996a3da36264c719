"""Reads of background work: what a page says about a job, and whether anybody works."""

from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Count
from django.utils import timezone

from config.celery import BROKER_ERRORS, app
from jobs import aside
from jobs.models import FINAL_STATES, Job, JobState

# Long enough for a worker to take a message, short enough to tell people soon.
QUIET_AFTER = timedelta(seconds=10)
SECONDS_TO_ANSWER = 1
SECONDS_TO_REMEMBER = 5

NO_WORKER = (
    "No worker is running, so this waits. It begins by itself as soon as one is started "
    "(make run starts one; on a server: celery -A config worker)."
)


@dataclass(frozen=True, slots=True)
class JobStatus:
    """What a page or the API says about a job.

    ``eta_seconds`` is None where nothing can be said yet; ``message`` is a sentence for people,
    empty where the numbers say it all.
    """

    state: str
    label: str
    stage: str
    done: int
    total: int
    eta_seconds: int | None
    message: str
    is_final: bool
    has_worker: bool


def job_status(job: Job, *, at: datetime | None = None) -> JobStatus:
    """Return what is known of the job now; asks for a worker only where the job is quiet."""
    now = at or timezone.now()
    job = _with_aside(job)
    has_worker = not _is_quiet(job, now) or worker_is_alive()
    return JobStatus(
        state=job.state,
        label=job.label,
        stage=job.stage,
        done=job.done,
        total=job.total,
        eta_seconds=_eta_seconds(job, now),
        message=_message(job, has_worker=has_worker),
        is_final=job.state in FINAL_STATES,
        has_worker=has_worker,
    )


def _with_aside(job: Job) -> Job:
    """Return the job as its worker told of it beside the database, where that is newer."""
    if job.state != JobState.RUNNING or not aside.is_needed():
        return job
    told = aside.hear(job.pk)
    is_asked = job.cancel_requested_at or aside.is_unwanted(job.pk)
    newer = copy(job)
    if told and told.attempt == job.attempt and job.heartbeat_at and told.at > job.heartbeat_at:
        newer.heartbeat_at = told.at
        newer.done, newer.total, newer.stage = told.done, told.total, told.stage
    if is_asked and newer.cancel_requested_at is None:
        newer.cancel_requested_at = newer.heartbeat_at
    return newer


def count_open_jobs() -> dict[str, int]:
    """Return how many jobs wait and how many run."""
    counts = Job.objects.exclude(state__in=FINAL_STATES).values_list("state")
    found = dict(counts.annotate(n=Count("pk")).order_by())
    return {state: found.get(state, 0) for state in (JobState.QUEUED, JobState.RUNNING)}


def worker_is_alive() -> bool:
    """Return whether any worker answers; the answer is remembered for a few seconds."""
    known = cache.get("jobs:worker_is_alive")
    if known is None:
        known = _a_worker_answers()
        cache.set("jobs:worker_is_alive", known, SECONDS_TO_REMEMBER)
    return bool(known)


def broker_is_alive() -> bool:
    """Return whether the broker answers."""
    try:
        with app.connection_for_read() as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0)
    except BROKER_ERRORS:
        return False
    return True


def _a_worker_answers() -> bool:
    try:
        # A connection of its own: the pool's may be left over from a broker that is gone.
        with app.connection_for_write() as connection:
            return bool(app.control.ping(timeout=SECONDS_TO_ANSWER, limit=1, connection=connection))
    except BROKER_ERRORS:
        return False


def _is_quiet(job: Job, now: datetime) -> bool:
    if job.state == JobState.QUEUED:
        return now - job.created_at > QUIET_AFTER
    if job.state == JobState.RUNNING and job.heartbeat_at is not None:
        return now - job.heartbeat_at > QUIET_AFTER
    return False


def _eta_seconds(job: Job, now: datetime) -> int | None:
    if job.state != JobState.RUNNING or job.started_at is None or not job.done:
        return None
    elapsed = (now - job.started_at).total_seconds()
    return round(elapsed * (job.total - job.done) / job.done)


def _message(job: Job, *, has_worker: bool) -> str:
    if job.state == JobState.FAILED:
        return job.error
    if job.state in FINAL_STATES:
        return ""
    if not has_worker:
        return NO_WORKER
    if job.cancel_requested_at is not None:
        return "Stopping: it ends at its next step."
    return _message_of_loss(job)


def _message_of_loss(job: Job) -> str:
    if job.state == JobState.QUEUED and job.attempt > 0:
        return "Its worker was lost; it begins again by itself, and nothing is done twice."
    if job.attempt > 1:
        return f"Attempt {job.attempt}: the worker of the one before was lost."
    return ""
