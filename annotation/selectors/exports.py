"""Reads of exports: which files there are, and how long yet."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from django.conf import settings

from annotation.exporting import FORMATS
from annotation.models import Study
from jobs.models import Job, JobState
from jobs.selectors import JobStatus, job_status

EXPORT = "export"
KEPT_FOR = timedelta(days=7)
SHOWN = 50


@dataclass(frozen=True, slots=True)
class Export:
    """One export: its job, and whether its file can be had now."""

    job: Job
    status: JobStatus
    name: str
    is_ready: bool
    expires_at: datetime | None


def exports_of(study: Study, *, at: datetime) -> list[Export]:
    """Return the newest exports of a study."""
    jobs = Job.objects.filter(kind=EXPORT, study=study).select_related("created_by")
    return [_export(job, at) for job in jobs[:SHOWN]]


def export_file(study: Study, job_id: int, *, at: datetime) -> tuple[Export, Path] | None:
    """Return an export and its file, or None where there is none, or none any more."""
    job = Job.objects.filter(kind=EXPORT, study=study, pk=job_id).first()
    if job is None:
        return None
    export = _export(job, at)
    return (export, _path(job)) if export.is_ready else None


def file_name(study_slug: str, name: str) -> str:
    """Return what the file of an export is called."""
    suffix = FORMATS[name].suffix if name in FORMATS else f"{name}.zip"
    return f"{study_slug}-{suffix}"


def stored_name(job: Job, study_slug: str) -> str:
    """Return where an export lies, below the folder of files."""
    return f"exports/{job.pk}/{file_name(study_slug, job.arguments['format'])}"


def _path(job: Job) -> Path:
    return Path(settings.MEDIA_ROOT) / str(job.result["file"])


def _export(job: Job, at: datetime) -> Export:
    expires_at = job.finished_at + KEPT_FOR if job.finished_at else None
    is_kept = expires_at is not None and at < expires_at
    is_done = job.state == JobState.DONE and "file" in job.result
    return Export(
        job=job,
        status=job_status(job, at=at),
        name=job.arguments.get("format", ""),
        is_ready=is_done and is_kept and _path(job).is_file(),
        expires_at=expires_at,
    )
