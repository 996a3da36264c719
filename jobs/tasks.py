"""Messages of background work: sending a job to a worker, and sweeping up lost ones."""

import logging
from datetime import timedelta

from celery import shared_task
from celery.signals import worker_ready
from django.utils import timezone

from config.celery import BROKER_ERRORS, app
from jobs.models import Job
from jobs.services import record_sent, sweep_jobs
from jobs.services.sweeping import SEND_AGAIN_AFTER

logger = logging.getLogger(__name__)


def enqueue_job(job_id: int) -> bool:
    """Send the job to a worker; return False where the broker does not answer.

    Call it when the row is committed: ``transaction.on_commit(partial(enqueue_job, job.pk))``.
    A job that could not be sent goes on waiting, and the sweeper sends it later.
    """
    task = Job.objects.values_list("task", flat=True).get(pk=job_id)
    try:
        app.signature(task, args=[job_id]).apply_async(retry=False)
    except BROKER_ERRORS:
        logger.warning("The broker does not answer; job %s waits", job_id, exc_info=True)
        return False
    record_sent(job_id, at=timezone.now())
    return True


@shared_task
def sweep_jobs_task(patience_seconds: float = SEND_AGAIN_AFTER.total_seconds()) -> int:
    """Send lost and unsent jobs again; return how many."""
    now = timezone.now()
    due = sweep_jobs(now, patience=timedelta(seconds=patience_seconds))
    return sum(enqueue_job(job_id) for job_id in due)


@worker_ready.connect
def sweep_at_start(**_: object) -> None:
    """Let a worker that starts pick up what the last one left."""
    sweep_jobs_task.delay(0)
