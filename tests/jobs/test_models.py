import pytest
from django.db import IntegrityError, transaction

from jobs.models import Job, JobState
from tests.jobs.factories import NOON, running_job, waiting_job

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("values", "constraint"),
    [
        ({"state": "asleep"}, "job_state_is_declared"),
        ({"done": 3, "total": 2}, "job_done_within_total"),
        ({"state": JobState.RUNNING}, "job_running_has_claim"),
        ({"state": JobState.DONE}, "job_final_is_finished"),
        ({"finished_at": NOON}, "job_final_is_finished"),
        ({"state": JobState.FAILED, "finished_at": NOON}, "job_failed_has_error"),
        ({"error": "No."}, "job_failed_has_error"),
    ],
)
def test_database_refuses_a_job_that_contradicts_itself(values, constraint):
    job = waiting_job()

    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        Job.objects.filter(pk=job.pk).update(**values)


def test_a_job_reads_as_its_label_and_state():
    assert str(running_job()) == "Agreement (running)"
