import pytest

from jobs.models import Job, JobState
from jobs.services import MAX_ATTEMPTS, sweep_jobs
from tests.jobs.factories import NOON, running_job, seconds, waiting_job

pytestmark = pytest.mark.django_db


def test_a_job_whose_heart_stopped_waits_again_and_is_sent():
    job = running_job(attempt=2)

    assert sweep_jobs(NOON + seconds(16)) == [job.pk]

    job.refresh_from_db()
    assert (job.state, job.attempt, job.heartbeat_at) == (JobState.QUEUED, 2, None)


def test_a_job_that_beats_is_left_alone():
    job = running_job()

    assert sweep_jobs(NOON + seconds(14)) == []

    job.refresh_from_db()
    assert job.state == JobState.RUNNING


def test_a_job_that_was_to_be_cancelled_is_not_given_to_another_worker():
    job = running_job(cancel_requested_at=NOON)

    assert sweep_jobs(NOON + seconds(16)) == []

    job.refresh_from_db()
    assert (job.state, job.finished_at) == (JobState.CANCELLED, NOON + seconds(16))


def test_a_job_that_loses_every_worker_fails_with_a_sentence():
    job = running_job(attempt=MAX_ATTEMPTS)

    assert sweep_jobs(NOON + seconds(16)) == []

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert job.error.startswith("Its worker was lost 5 times, so it is not tried again.")


@pytest.mark.parametrize(
    ("sent_after", "swept_after", "due"),
    [
        (None, 0, True),  # the broker never took it
        (0, 29, False),
        (0, 30, True),
        (60, 119, False),  # it waits as long again as it has waited
        (60, 120, True),
        (3600, 3600 + 299, False),  # but five minutes at most
        (3600, 3600 + 300, True),
    ],
)
def test_a_waiting_job_is_sent_again_when_its_message_may_be_lost(sent_after, swept_after, due):
    sent_at = None if sent_after is None else NOON + seconds(sent_after)
    job = waiting_job(sent_at=sent_at)

    assert sweep_jobs(NOON + seconds(swept_after)) == [job.pk] * due


def test_a_worker_that_starts_is_sent_all_that_waits():
    jobs = [waiting_job(sent_at=NOON).pk for _ in range(2)]

    assert sweep_jobs(NOON, patience=seconds(0)) == jobs


def test_a_job_that_is_over_is_never_sent():
    waiting_job(state=JobState.DONE, finished_at=NOON)

    assert sweep_jobs(NOON + seconds(9999)) == []
    assert Job.objects.get().state == JobState.DONE
