"""Writes of background work.

A request calls `create_job` and, on commit, `jobs.tasks.enqueue_job`; a task calls `run_job` with
the function that does the work; the sweeper calls `sweep_jobs`.
"""

from jobs.services.claims import Claim, claim_job
from jobs.services.heartbeat import Heartbeat
from jobs.services.progress import JobCancelled, JobLost, Progress
from jobs.services.requests import create_job, record_sent, request_cancel
from jobs.services.running import run_job
from jobs.services.sweeping import MAX_ATTEMPTS, STALE_AFTER, sweep_jobs

__all__ = [
    "MAX_ATTEMPTS",
    "STALE_AFTER",
    "Claim",
    "Heartbeat",
    "JobCancelled",
    "JobLost",
    "Progress",
    "claim_job",
    "create_job",
    "record_sent",
    "request_cancel",
    "run_job",
    "sweep_jobs",
]
