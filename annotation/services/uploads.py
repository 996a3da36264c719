"""Uploads: received, checked without writing, loaded in one transaction, undone."""

import csv
import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from annotation.enums import UploadKind, UploadState
from annotation.importing import Finding, Report
from annotation.importing.findings import REJECT_FIELDS
from annotation.importing.lengths import far_off, histograms
from annotation.models import MappingTemplate, Study, Upload
from annotation.selectors.understanding import header_hash, proposed
from annotation.services.loading import DryRun, Source, check_file, load_checked
from annotation.services.place_making import Tell

SHOWN_OF_A_KIND = 50
SEVERITIES = ("error", "question", "warning")


def receive_upload(
    study: Study,
    file: "UploadedFile[bytes]",
    *,
    kind: UploadKind,
    at: datetime,
    user: User | None = None,
    options: dict[str, Any] | None = None,
) -> Upload:
    """Keep an uploaded file; nothing of it is read yet."""
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    return Upload.objects.create(
        study=study,
        kind=kind,
        file=file,
        name=file.name or "upload",
        n_bytes=file.size or 0,
        sha256=digest.hexdigest(),
        options=options or {},
        created_by=user,
        created_at=at,
    )


def choose_options(upload: Upload, options: Mapping[str, Any], *, at: datetime) -> None:
    """Keep how a person wants the file read; a mapping is remembered for files like it.

    Parameters
    ----------
    upload : Upload
        A file that is not loaded.
    options : mapping
        What changes: ``reading``, ``mapping``, ``good_rows_only``, ``empty_output``,
        ``adds_only`` or ``words``. What is not named stays as it was chosen.
    at : datetime
        Now.
    """
    if upload.state == UploadState.LOADED:
        raise ValidationError("The file is loaded; how it is read cannot be changed any more.")
    upload.options = {**upload.options, **options}
    upload.state = UploadState.RECEIVED
    upload.save(update_fields=["options", "state"])
    mapping = options.get("mapping")
    if mapping:
        header = [column["name"] for column in mapping["columns"]]
        MappingTemplate.objects.update_or_create(
            study=upload.study,
            kind=upload.kind,
            header=header_hash(header),
            defaults={"options": mapping, "saved_at": at},
        )


def check_upload(upload: Upload, *, tell: Tell) -> Report:
    """Read and check the whole file, and keep what was found; nothing else is written."""
    path = findings_path(upload)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(REJECT_FIELDS)

        def sink(found: Finding) -> None:
            writer.writerow([getattr(found, name) for name in REJECT_FIELDS])

        run = check_file(upload.study, _source(upload), tell=tell, sink=sink)
    upload.report = report_as_json(run)
    if run.understood is not None:
        mapping = proposed(upload.study, run.understood.mapping, upload.name)
        upload.report["proposed"] = mapping.as_json()
    upload.state = UploadState.CHECKED
    upload.save(update_fields=["report", "state"])
    return run.report


def load_upload(upload: Upload, *, at: datetime, tell: Tell) -> dict[str, int]:
    """Load the file of an upload; a second time changes nothing."""
    with transaction.atomic():
        locked = Upload.objects.select_for_update().get(pk=upload.pk)
        report = locked.report or {}
        if locked.state == UploadState.LOADED:
            return dict(report.get("loaded", {}))
        groups = list(locked.study.groups.values_list("pk", flat=True))
        counts = load_checked(
            locked.study,
            _source(locked),
            at=at,
            user=locked.created_by,
            tell=tell,
            n_rows=report.get("n_clean", 0),
        )
        locked.report = {**report, "loaded": counts, "groups_before": groups}
        locked.state, locked.loaded_at = UploadState.LOADED, at
        locked.save(update_fields=["report", "state", "loaded_at"])
    return counts


def findings_path(upload: Upload) -> Path:
    """Return where every finding of the last check is kept, as CSV."""
    return Path(settings.MEDIA_ROOT) / "findings" / f"{upload.pk}.csv"


def report_as_json(run: DryRun) -> dict[str, Any]:
    """Return what the pages of an upload show."""
    report = run.report
    bars = histograms(report.systems)
    off = {system for system, _ in far_off(report.systems)}
    return {
        "outcome": report.outcome,
        "n_read": report.n_read,
        "n_clean": report.n_clean,
        "n_errors": report.n_errors,
        "n_warnings": report.n_warnings,
        "n_questions": report.n_questions,
        "counts": dict(report.counts),
        "findings": [asdict(found) for found in _shown(report)],
        "understood": run.understood.as_json() if run.understood else None,
        "changes": run.changes.as_json() if run.changes else None,
        "systems": [
            {
                "system": system,
                "n_outputs": figures.n_outputs,
                "mean_length": figures.n_characters / max(figures.n_outputs, 1),
                "checksum": figures.checksum_hex,
                "bars": [asdict(bar) for bar in bars[system]],
                "is_off": system in off,
            }
            for system, figures in report.systems.items()
        ],
    }


def _shown(report: Report) -> list[Finding]:
    """Return the first findings of each kind, errors first."""
    seen: dict[str, int] = {}
    shown = []
    for found in sorted(report.findings, key=lambda found: SEVERITIES.index(found.severity)):
        seen[found.kind] = seen.get(found.kind, 0) + 1
        if seen[found.kind] <= SHOWN_OF_A_KIND:
            shown.append(found)
    return shown


def _source(upload: Upload) -> Source:
    return Source(
        path=Path(upload.file.path),
        kind=upload.holds,
        name=upload.name,
        options=upload.options,
        upload=upload,
    )
