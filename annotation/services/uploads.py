"""Uploads: received, checked without writing, loaded in one transaction."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction

from annotation.enums import StudyState, UploadKind, UploadState
from annotation.importing import (
    Checked,
    CleanRow,
    Kind,
    OutputRow,
    RatingRow,
    ReadOptions,
    Report,
    UnreadableFile,
    check,
    guess_mapping,
    mapping_from_json,
    read,
)
from annotation.models import Study, StudyEvent, Unit, Upload
from annotation.selectors.import_rules import rules_for
from annotation.services.loading_outputs import OutputLoader
from annotation.services.loading_ratings import RatingLoader
from annotation.services.place_making import make_places

# Called with rows done and rows in all (0 where unknown).
Tell = Callable[[int, int], None]
SHOWN_FINDINGS = 200


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read: where it lies, what it holds, how it is to be read."""

    path: Path
    kind: Kind
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


class RefusedFile(ValidationError):  # noqa: N818 -- it is an outcome, named as people name it
    """The file cannot be loaded as it is; ``report`` says why."""

    def __init__(self, report: Report) -> None:
        super().__init__([str(found) for found in report.findings[:20]] or ["Nothing to load."])
        self.report = report


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


def check_upload(upload: Upload, *, tell: Tell) -> Report:
    """Read and check the whole file, and keep what was found; nothing else is written."""
    report = check_file(upload.study, _source(upload), tell=tell)
    upload.report = report_as_json(report)
    upload.state = UploadState.CHECKED
    upload.save(update_fields=["report", "state"])
    return report


def load_upload(upload: Upload, *, at: datetime, tell: Tell) -> dict[str, int]:
    """Load the file of an upload; a second time changes nothing."""
    with transaction.atomic():
        locked = Upload.objects.select_for_update().get(pk=upload.pk)
        if locked.state == UploadState.LOADED:
            return dict((locked.report or {}).get("loaded", {}))
        counts = load_file(locked.study, _source(locked), at=at, user=locked.created_by, tell=tell)
        locked.report = {**(locked.report or {}), "loaded": counts}
        locked.state, locked.loaded_at = UploadState.LOADED, at
        locked.save(update_fields=["report", "state", "loaded_at"])
    return counts


def check_file(study: Study, source: Source, *, tell: Tell | None = None) -> Report:
    """Check a file against what the study knows; nothing is written."""
    try:
        checked = _open(study, source)
        for _ in checked:
            if tell is not None and checked.report.n_clean % 5_000 == 0:
                tell(checked.report.n_clean, 0)
    except UnreadableFile as error:
        report = Report()
        report.add(error.finding)
        return report
    return checked.report


def load_file(
    study: Study,
    source: Source,
    *,
    at: datetime,
    user: User | None = None,
    tell: Tell | None = None,
) -> dict[str, int]:
    """Load a file into the study in one transaction, or raise RefusedFile and write nothing."""
    if study.state == StudyState.FROZEN:
        raise ValidationError("The study is frozen; nothing can be added.")
    report = check_file(study, source, tell=tell)
    if not report.can_load:
        raise RefusedFile(report)
    with transaction.atomic():
        rows = _told(_open(study, source), tell, report.n_clean)
        load = _load_outputs if source.kind == "outputs" else _load_ratings
        counts = load(study, rows, at=at)
        StudyEvent.objects.create(
            study=study,
            kind=f"{source.kind}_loaded",
            actor=user,
            detail={"file": source.name or source.path.name, **counts},
            at=at,
        )
    return counts


def report_as_json(report: Report) -> dict[str, Any]:
    """Return what the page of an upload shows."""
    return {
        "outcome": report.outcome,
        "n_read": report.n_read,
        "n_clean": report.n_clean,
        "n_errors": report.n_errors,
        "n_warnings": report.n_warnings,
        "n_questions": report.n_questions,
        "counts": dict(report.counts),
        "findings": [asdict(found) for found in report.findings[:SHOWN_FINDINGS]],
        "systems": [
            {
                "system": system,
                "n_outputs": figures.n_outputs,
                "mean_length": figures.n_characters / max(figures.n_outputs, 1),
                "checksum": figures.checksum_hex,
            }
            for system, figures in report.systems.items()
        ],
    }


def _source(upload: Upload) -> Source:
    return Source(
        path=Path(upload.file.path),
        kind="outputs" if upload.kind == UploadKind.OUTPUTS else "ratings",
        name=upload.name,
        options=upload.options,
    )


def _open(study: Study, source: Source) -> Checked:
    reading = read(
        source.path, kind=source.kind, options=ReadOptions(**source.options.get("reading", {}))
    )
    given = source.options.get("mapping")
    mapping = (
        mapping_from_json(given, reading.header)
        if given
        else guess_mapping(reading.header, source.kind, reading.sample())
    )
    rules = rules_for(study, source.kind, good_rows_only=bool(source.options.get("good_rows_only")))
    return check(reading, mapping, rules)


def _load_outputs(study: Study, rows: Iterator[CleanRow], *, at: datetime) -> dict[str, int]:
    del at  # outputs have no moment of their own
    loaded = OutputLoader(study).load(row for row in rows if isinstance(row, OutputRow))
    if study.opened_at is not None:
        units = Unit.objects.filter(pk__in=loaded.new_units).select_related("item__batch")
        make_places(study, units=list(units))
    return loaded.as_json()


def _load_ratings(study: Study, rows: Iterator[CleanRow], *, at: datetime) -> dict[str, int]:
    loaded = RatingLoader(study, at=at).load(row for row in rows if isinstance(row, RatingRow))
    return loaded.as_json()


def _told(checked: Checked, tell: Tell | None, n_rows: int) -> Iterator[CleanRow]:
    for n_done, row in enumerate(checked.rows(), start=1):
        if tell is not None and n_done % 1_000 == 0:
            tell(n_done, n_rows)
        yield row
