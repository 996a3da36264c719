"""Doing the work of a job, once."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError

from jobs import aside
from jobs.models import Job, JobState
from jobs.services.claims import Claim, claim_job
from jobs.services.heartbeat import Heartbeat
from jobs.services.progress import JobCancelled, JobLost, Progress

logger = logging.getLogger(__name__)

Work = Callable[[Progress], dict[str, Any] | None]


def run_job(job_id: int, work: Work) -> bool:
    """Claim the job and do its work; return False where there was nothing to claim.

    Parameters
    ----------
    job_id : int
        A job that waits. One that is taken or over is left alone: a message delivered twice
        does its work once.
    work : callable
        Is given a `Progress` and returns a small JSON result or None. It must be safe to begin
        again from the start, since a lost worker's job is given to the next one.

    Notes
    -----
    Whatever the work raises ends the job as failed, with a sentence for people in ``error`` and
    the traceback in the log. ValueError and ValidationError are meant for people and are shown
    as they are.
    """
    claim = claim_job(job_id)
    if claim is None:
        logger.info("Job %s is not waiting; this delivery does nothing", job_id)
        return False
    job = Job.objects.only("kind", "label").get(pk=job_id)
    logger.info("Job %s (%s: %s) begins, attempt %s", job_id, job.kind, job.label, claim.attempt)
    progress = Progress(claim)
    aside.forget(job_id)
    with Heartbeat(claim, noted=progress.noted, cancel=progress.cancel):
        _work(claim, work, progress)
    aside.forget(job_id)
    return True


def _work(claim: Claim, work: Work, progress: Progress) -> None:
    try:
        result = work(progress)
        if claim.rows().exists():
            progress.finish(result)
        logger.info("Job %s is done", claim.job_id)
    except JobCancelled:
        logger.info("Job %s is cancelled", claim.job_id)
        claim.end(JobState.CANCELLED)
    except JobLost:
        logger.warning("Job %s, attempt %s: another took over", claim.job_id, claim.attempt)
    except Exception as error:
        logger.exception("Job %s, attempt %s failed", claim.job_id, claim.attempt)
        claim.end(JobState.FAILED, error=_sentence(error))


def _sentence(error: Exception) -> str:
    if isinstance(error, ValidationError):
        return " ".join(error.messages) or "The input is not valid."
    if isinstance(error, ValueError) and str(error):
        return str(error)
    return (
        f"This stopped on an unexpected error ({type(error).__name__}). "
        "The worker's log has the details; starting it again is safe."
    )
