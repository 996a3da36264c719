"""Background work of the annotation app: one fetch, one call."""

from celery import shared_task
from django.utils import timezone

from annotation.models import Upload
from annotation.services.uploads import check_upload, load_upload
from jobs.models import Job
from jobs.services import Progress, run_job

CHECK = "annotation.tasks.check_upload_task"
LOAD = "annotation.tasks.load_upload_task"


@shared_task
def check_upload_task(job_id: int) -> None:
    """Check one upload."""

    def work(progress: Progress) -> dict[str, str]:
        upload = _upload(job_id)
        report = check_upload(
            upload, tell=lambda done, total: progress(done, total, "Checking rows")
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
            tell=lambda done, total: progress(done, total, "Loading rows"),
        )

    run_job(job_id, work)


def _upload(job_id: int) -> Upload:
    arguments = Job.objects.values_list("arguments", flat=True).get(pk=job_id)
    return Upload.objects.select_related("study", "created_by").get(pk=arguments["upload"])
