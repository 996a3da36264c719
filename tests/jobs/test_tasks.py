from functools import partial

import pytest
from django.db import transaction
from kombu.exceptions import OperationalError

from config.celery import app
from jobs.models import Job, JobState
from jobs.services import run_job
from jobs.tasks import enqueue_job, sweep_at_start, sweep_jobs_task
from tests.jobs.factories import NOON, running_job, waiting_job

pytestmark = pytest.mark.django_db


@app.task(name="tests.jobs.probe")
def probe(job_id):
    run_job(job_id, lambda _progress: {"seen": job_id})


@pytest.fixture
def _no_broker(monkeypatch):
    def refuse(*_args, **_options):
        raise OperationalError("connection refused")

    monkeypatch.setattr(probe, "apply_async", refuse)


def test_enqueue_on_commit_has_the_task_done(django_capture_on_commit_callbacks):
    job = waiting_job()

    with django_capture_on_commit_callbacks(execute=True):
        transaction.on_commit(partial(enqueue_job, job.pk))
        assert Job.objects.get().state == JobState.QUEUED

    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"seen": job.pk})


@pytest.mark.usefixtures("_no_broker")
def test_a_job_that_no_broker_takes_goes_on_waiting():
    job = waiting_job()

    assert not enqueue_job(job.pk)

    job.refresh_from_db()
    assert (job.state, job.sent_at) == (JobState.QUEUED, None)


def test_sweep_task_has_a_lost_job_done():
    job = running_job()

    assert sweep_jobs_task() == 1

    job.refresh_from_db()
    assert (job.state, job.attempt) == (JobState.DONE, 2)


def test_a_worker_that_starts_takes_what_waits():
    job = waiting_job(sent_at=NOON)

    sweep_at_start()

    job.refresh_from_db()
    assert job.state == JobState.DONE
