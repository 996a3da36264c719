"""Exports: asked for, written by a worker, kept for a week."""

import hashlib
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.exporting import FORMATS
from annotation.models import Study, StudyEvent
from annotation.selectors.doors import export_material
from annotation.selectors.exports import EXPORT, KEPT_FOR
from jobs.models import Job
from jobs.services import create_job

TASK = "annotation.tasks.write_export_task"
# The bundle holds the report too, so the other app writes it: a name, since this one knows it not.
BUNDLE = "bundle"
BUNDLE_TASK = "metrics_app.tasks.write_bundle_task"


@transaction.atomic
def request_export(study: Study, name: str, *, at: datetime, user: User | None = None) -> Job:
    """Store the wish for a file; the caller enqueues the job once this is committed.

    Raises
    ------
    ValidationError
        If there is no such format.
    """
    if name != BUNDLE and name not in FORMATS:
        known = ", ".join([*FORMATS, BUNDLE])
        raise ValidationError(f"There is no format {name!r}. Choose one of: {known}.")
    job = create_job(
        EXPORT,
        label=f"Export {study.slug} as {name}",
        task=BUNDLE_TASK if name == BUNDLE else TASK,
        arguments={"format": name},
        study_id=study.pk,
        created_by=user,
    )
    log_export(study, "export_requested", name, at=at, user=user)
    return job


def log_export(
    study: Study, kind: str, name: str, *, at: datetime, user: User | None = None
) -> None:
    """Note in the study's log who asked for data, or took them."""
    StudyEvent.objects.create(study=study, kind=kind, actor=user, detail={"format": name}, at=at)


def write_export(study: Study, name: str, path: Path) -> dict[str, Any]:
    """Write one format to a path; return size and checksum. Half a file is never seen."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f"{path.name}.part")
    try:
        FORMATS[name].write(export_material(study.pk, study.slug), unfinished)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    with path.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return {"bytes": path.stat().st_size, "sha256": digest}


def delete_expired(*, at: datetime) -> int:
    """Delete the files of exports that are older than a week; return how many."""
    n_deleted = 0
    old = Job.objects.filter(kind=EXPORT, finished_at__lt=at - KEPT_FOR)
    # Looked at for a month, so that a server that was off catches up.
    for job in old.filter(finished_at__gt=at - KEPT_FOR - timedelta(days=30)):
        path = Path(settings.MEDIA_ROOT) / job.result.get("file", "")
        if path.is_file():
            path.unlink()
            n_deleted += 1
    return n_deleted
