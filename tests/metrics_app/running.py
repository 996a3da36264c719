"""What tests of background work share."""

from jobs.services import Progress, claim_job, create_job


def no_progress():
    """Return a progress that belongs to a running job nobody looks at."""
    job = create_job("metrics", label="A test", task="tests.nothing")
    return Progress(claim_job(job.pk))
