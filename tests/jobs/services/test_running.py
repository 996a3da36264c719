import logging
import time

import pytest
from django.core.exceptions import ValidationError
from django.db import transaction

from jobs.models import Job, JobState
from jobs.services import (
    Claim,
    Heartbeat,
    JobLost,
    Progress,
    claim_job,
    request_cancel,
    run_job,
    sweep_jobs,
)
from jobs.services import progress as progress_module
from tests.jobs.factories import NOON, running_job, seconds, waiting_job

pytestmark = pytest.mark.django_db


@pytest.fixture
def every_report_writes(monkeypatch):
    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_WRITES", 0.0)


def test_run_job_does_the_work_and_keeps_its_result():
    job = waiting_job()

    def work(progress):
        progress(1, 4, "Reading")
        progress(4, 4, "Counting")
        return {"n": 7}

    assert run_job(job.pk, work)

    job.refresh_from_db()
    assert (job.state, job.result, job.attempt) == (JobState.DONE, {"n": 7}, 1)
    assert (job.done, job.total, job.stage) == (4, 4, "Counting")
    assert job.started_at <= job.finished_at


def test_a_second_delivery_does_nothing():
    job = waiting_job()
    calls = []

    assert run_job(job.pk, calls.append)
    assert not run_job(job.pk, calls.append)

    assert len(calls) == 1


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("Line 3 has no judge."), "Line 3 has no judge."),
        (ValidationError(["Line 3.", "Line 4."]), "Line 3. Line 4."),
        (
            KeyError("x"),
            (
                "This stopped on an unexpected error (KeyError). "
                "The worker's log has the details; starting it again is safe."
            ),
        ),
    ],
)
def test_a_failure_is_a_sentence_for_people_and_a_traceback_for_the_log(caplog, error, sentence):
    job = waiting_job()

    def work(_progress):
        raise error

    with caplog.at_level(logging.ERROR):
        run_job(job.pk, work)

    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.FAILED, sentence)
    assert caplog.records[-1].exc_info[1] is error


def test_progress_is_written_at_most_once_a_second(django_assert_num_queries):
    progress = Progress(_claimed())

    with django_assert_num_queries(2):
        for done in range(50):
            progress(done, 50, "Reading")

    job = Job.objects.get()
    assert (job.done, job.total, job.stage) == (0, 50, "Reading")


@pytest.mark.usefixtures("every_report_writes")
def test_cancelled_work_stops_at_its_next_report():
    job = waiting_job()
    reached = []

    def work(progress):
        progress(1, 3)
        request_cancel(job.pk, at=NOON)
        progress(2, 3)
        reached.append("the end")

    run_job(job.pk, work)

    job.refresh_from_db()
    assert (job.state, job.done, reached) == (JobState.CANCELLED, 2, [])


@pytest.mark.usefixtures("every_report_writes")
def test_a_stale_attempt_can_neither_report_nor_hold_nor_finish():
    stale = Progress(_claimed())
    fresh = Progress(_taken_over(stale.claim))

    for write in (lambda: stale(1, 2), stale.hold, stale.finish):
        with pytest.raises(JobLost):
            write()
    assert not stale.claim.end(JobState.FAILED, error="Late.")

    fresh.finish({"by": "the second"})
    assert Job.objects.get().result == {"by": "the second"}


def test_a_stale_attempt_that_returns_leaves_the_job_to_its_successor():
    job = waiting_job()

    run_job(job.pk, lambda progress: _taken_over(progress.claim) and {"by": "the first"})

    job.refresh_from_db()
    assert (job.state, job.attempt, job.result) == (JobState.RUNNING, 2, {})


def test_work_may_finish_together_with_its_last_write():
    job = waiting_job()

    def work(progress):
        progress(5, 5)
        progress.finish({"n": 5})

    run_job(job.pk, work)

    job.refresh_from_db()
    assert (job.state, job.result) == (JobState.DONE, {"n": 5})


def test_a_finish_that_is_rolled_back_is_a_failure():
    job = waiting_job()

    def work(progress):
        with transaction.atomic():
            progress.finish({"n": 5})
            raise ValueError("The disk is full.")

    run_job(job.pk, work)

    job.refresh_from_db()
    assert (job.state, job.error, job.result) == (JobState.FAILED, "The disk is full.", {})


@pytest.mark.django_db(transaction=True)
def test_heartbeat_beats_while_the_work_is_silent():
    job = running_job()

    with Heartbeat(Claim(job.pk, 1), interval=0.02):
        _wait_for(lambda: Job.objects.get().heartbeat_at > NOON)

    last = Job.objects.get().heartbeat_at
    time.sleep(0.1)
    assert Job.objects.get().heartbeat_at == last


def _claimed():
    return claim_job(waiting_job().pk)


def _taken_over(claim):
    Job.objects.filter(pk=claim.job_id).update(heartbeat_at=NOON)
    assert sweep_jobs(NOON + seconds(16)) == [claim.job_id]
    return claim_job(claim.job_id)


def _wait_for(condition):
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
