import threading

import pytest
from django.db import connection

from jobs.models import Job
from jobs.services import claim_job
from tests.jobs.factories import waiting_job

RACERS = 8


@pytest.mark.django_db(transaction=True)
def test_of_many_claims_at_once_one_wins():
    jobs = [waiting_job().pk for _ in range(5)]
    claims = [claim for job_id in jobs for claim in _race(job_id)]

    won = [claim for claim in claims if claim is not None]
    assert sorted(claim.job_id for claim in won) == jobs
    assert set(Job.objects.values_list("attempt", flat=True)) == {1}


def _race(job_id):
    start = threading.Barrier(RACERS)
    claims = []

    def claim():
        try:
            start.wait(10)
            claims.append(claim_job(job_id))
        finally:
            connection.close()

    threads = [threading.Thread(target=claim) for _ in range(RACERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claims) == RACERS
    return claims
