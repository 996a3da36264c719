"""A task slow enough to be killed in the middle; it writes down what it does."""

import time
from pathlib import Path

from celery import shared_task

from jobs.models import Job
from jobs.services import run_job

STEPS = 20
SECONDS = 2.0


@shared_task
def slow_probe(job_id):
    diary = Path(Job.objects.get(pk=job_id).arguments["diary"])

    def work(progress):
        _write(diary, "begin")
        for step in range(STEPS):
            progress(step, STEPS, "Counting")
            time.sleep(SECONDS / STEPS)
        progress(STEPS, STEPS, "Counting")
        _write(diary, "end")
        return {"steps": STEPS}

    run_job(job_id, work)


def _write(diary, line):
    with diary.open("a") as file:
        file.write(line + "\n")
