import pytest
from django.core.exceptions import ValidationError

from jobs.models import Job, JobState
from jobs.services import create_job, record_sent, request_cancel
from tests.jobs.factories import NOON, running_job, waiting_job

pytestmark = pytest.mark.django_db


def test_create_job_stores_a_waiting_job_with_its_arguments():
    job = create_job("import", label="Outputs", task="some.task", arguments={"upload": 3})

    stored = Job.objects.get()
    assert stored == job
    assert (stored.state, stored.attempt, stored.sent_at) == (JobState.QUEUED, 0, None)
    assert stored.arguments == {"upload": 3}


def test_create_job_refuses_a_label_that_is_too_long():
    with pytest.raises(ValidationError, match="at most 200"):
        create_job("import", label="x" * 201, task="some.task")
    assert not Job.objects.exists()


def test_cancel_ends_a_waiting_job_at_once():
    job = waiting_job()

    assert request_cancel(job.pk, at=NOON)

    job.refresh_from_db()
    assert (job.state, job.finished_at) == (JobState.CANCELLED, NOON)


def test_cancel_asks_a_running_job_to_stop():
    job = running_job()

    assert request_cancel(job.pk, at=NOON)

    job.refresh_from_db()
    assert (job.state, job.cancel_requested_at) == (JobState.RUNNING, NOON)


def test_cancel_leaves_a_job_that_is_over():
    job = waiting_job(state=JobState.DONE, finished_at=NOON)

    assert not request_cancel(job.pk)

    job.refresh_from_db()
    assert (job.state, job.cancel_requested_at) == (JobState.DONE, None)


def test_sent_is_noted_on_a_waiting_job_only():
    waiting, running = waiting_job(), running_job(sent_at=None)

    for job in (waiting, running):
        record_sent(job.pk, at=NOON)
        job.refresh_from_db()

    assert (waiting.sent_at, running.sent_at) == (NOON, None)
