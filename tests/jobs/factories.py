"""Smallest valid jobs, in any state."""

import datetime as dt

from jobs.models import Job, JobState
from jobs.services import create_job

NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)


def seconds(number):
    return dt.timedelta(seconds=number)


def waiting_job(**values):
    job = create_job("analysis", label="Agreement", task="tests.jobs.probe")
    Job.objects.filter(pk=job.pk).update(**{"created_at": NOON, **values})
    return Job.objects.get(pk=job.pk)


def running_job(**values):
    defaults = {
        "state": JobState.RUNNING,
        "attempt": 1,
        "sent_at": NOON,
        "started_at": NOON,
        "heartbeat_at": NOON,
    }
    return waiting_job(**{**defaults, **values})
