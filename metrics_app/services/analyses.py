"""Analyses: asked for, run once, cancelled."""

import hashlib
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from jobs.services import Progress, create_job, request_cancel
from metrics_app.loaders.studies import StudyRow, Watermark, source_of_study, study_named, watermark
from metrics_app.models import Analysis, AnalysisFile
from metrics_app.reports.building import build_report
from metrics_app.reports.contract import Report
from metrics_app.reports.faults import failed_blocks
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.presets import PRESETS
from metrics_app.reports.writers.folder import WRITERS
from metrics_app.reports.writers.plain import write_preset

TASK = "metrics_app.tasks.run_analysis_task"


@transaction.atomic
def request_analysis(
    study: StudyRow,
    *,
    at: datetime,
    by: User | None = None,
    name: str = "",
    options: ReportOptions | None = None,
) -> Analysis:
    """Store the request for an analysis and its job; the caller enqueues the job on commit."""
    chosen = options or ReportOptions(seed=study.seed)
    job = create_job(
        "analysis", label=f"Report of {study.title}"[:200], task=TASK, study_id=study.id,
        created_by=by,
    )  # fmt: skip
    analysis = Analysis(
        study_id=study.id,
        job=job,
        name=name,
        parameters=asdict(chosen),
        seed=chosen.seed,
        created_by=by,
        created_at=at,
    )
    analysis.full_clean(exclude=["result"])
    analysis.save()
    return analysis


def run_analysis(analysis: Analysis, *, progress: Progress) -> None:
    """Compute the report of the analysis's study and store it, its numbers first, then its files.

    Numbers are shown while charts and tables are still drawn, which takes longer than many
    reports. A second run of the same analysis replaces what the first stored. What the study
    gained after the ratings were read lies above the watermark, and makes the result stale.
    """
    study = study_named(analysis.study.slug)
    if study is None:
        raise ValueError("The study is gone.")
    mark = watermark(study.id)
    progress(0, 1, "Reading ratings")
    options = ReportOptions(**analysis.parameters)
    source = source_of_study(study, with_excluded=options.with_excluded)
    report = build_report(
        source.evaluation, options, generated_at=timezone.now(), progress=progress
    )
    kept = _keep_numbers(analysis, report, mark, progress)
    progress(1, 1, "Drawing charts and tables")
    files = _files(report, options.preset)
    with transaction.atomic():
        progress.hold()
        AnalysisFile.objects.bulk_create(_rows(analysis, files))
        failed = failed_blocks(kept)
        progress.finish({"failed_blocks": failed} if failed else None)


def _keep_numbers(
    analysis: Analysis, report: Report, mark: Watermark, progress: Progress
) -> dict[str, Any]:
    """Store the report without its files; return it as it is stored."""
    kept = report.as_json()
    with transaction.atomic():
        progress.hold()
        analysis.files.all().delete()
        analysis.rating_watermark = mark.rating_event
        analysis.event_watermark = mark.study_event
        analysis.data_hash, analysis.code_version = report.data_hash, report.code_version
        analysis.result = kept
        analysis.save()
    return kept


def cancel_analysis(analysis: Analysis, *, at: datetime) -> bool:
    """Ask the analysis to stop; return False where it is over already."""
    return request_cancel(analysis.job_id, at=at)


def _files(report: Report, preset: str) -> dict[str, bytes]:
    """Return the files that are made of the report, by their path."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for write in WRITERS:
            write(report, folder)
        if preset in PRESETS:
            write_preset(report, PRESETS[preset], folder)
        paths = sorted(path for path in folder.rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _rows(analysis: Analysis, files: dict[str, bytes]) -> Iterable[AnalysisFile]:
    for path, content in files.items():
        yield AnalysisFile(
            analysis=analysis,
            path=path,
            content=content,
            size=len(content),
            checksum=hashlib.sha256(content).hexdigest(),
        )
