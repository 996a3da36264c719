"""Background work of the annotation app: one fetch, one call."""

from pathlib import Path
from typing import Any

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from annotation.models import Upload
from annotation.selectors.exports import stored_name
from annotation.services.exports import delete_expired, write_export
from annotation.services.openings import open_study
from annotation.services.uploads import check_upload, load_upload
from jobs.models import Job
from jobs.services import Progress, run_job

CHECK = "annotation.tasks.check_upload_task"
# What is counted: rows, or kilobytes where it is known how many there are.
CHECKING = {False: "Checking rows", True: "Checking, kilobytes read"}
LOAD = "annotation.tasks.load_upload_task"


@shared_task
def check_upload_task(job_id: int) -> None:
    """Check one upload."""

    def work(progress: Progress) -> dict[str, str]:
        upload = _upload(job_id)
        report = check_upload(
            upload, tell=lambda done, total: progress(done, total, CHECKING[total > 0])
        )
        return {"outcome": report.outcome}

    run_job(job_id, work)


@shared_task
def load_upload_task(job_id: int) -> None:
    """Load one upload."""

    def work(progress: Progress) -> dict[str, int]:
        return load_upload(
            _upload(job_id),
            at=timezone.now(),
            tell=lambda done, total: progress.note(done, total, "Loading rows"),
        )

    run_job(job_id, work)


@shared_task
def open_study_task(job_id: int) -> None:
    """Open one study."""

    def work(progress: Progress) -> None:
        job = Job.objects.select_related("study", "created_by").get(pk=job_id)
        open_study(job, progress, at=timezone.now())

    run_job(job_id, work)


@shared_task
def write_export_task(job_id: int) -> None:
    """Write the file of one export."""

    def work(progress: Progress) -> dict[str, Any]:
        progress(0, 1, "Writing the file")
        delete_expired(at=timezone.now())
        job = Job.objects.select_related("study").get(pk=job_id)
        if job.study is None:
            raise ValueError("An export needs a study.")
        name = stored_name(job, job.study.slug)
        written = write_export(job.study, job.arguments["format"], Path(settings.MEDIA_ROOT) / name)
        return {"file": name, **written}

    run_job(job_id, work)


def _upload(job_id: int) -> Upload:
    arguments = Job.objects.values_list("arguments", flat=True).get(pk=job_id)
    return Upload.objects.select_related("study", "created_by").get(pk=arguments["upload"])
