"""A file into a study: checked without writing, or loaded in one transaction."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.enums import StudyState
from annotation.importing import (
    Checked,
    ChoiceRow,
    CleanRow,
    Finding,
    Kind,
    OutputRow,
    RatingRow,
    Report,
    Rules,
    UnreadableFile,
    check,
    seldom_collected,
)
from annotation.importing.reading_share import bytes_read
from annotation.models import Study, StudyEvent, Upload
from annotation.selectors.changes import Changes, Comparison
from annotation.selectors.import_rules import rules_for
from annotation.selectors.understanding import Understood, understand
from annotation.services.batches import fill_batches
from annotation.services.bulk_rows import sparing_memory
from annotation.services.comparisons import make_comparisons
from annotation.services.loading_comparisons import ComparisonLoader
from annotation.services.loading_outputs import OutputLoader
from annotation.services.loading_ratings import RatingLoader
from annotation.services.place_making import Tell, make_places

Sink = Callable[[Finding], None]


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read: where it lies, what it holds, how it is to be read.

    ``options`` may hold ``reading`` (fields of `ReadOptions`), ``mapping``, ``good_rows_only``,
    ``empty_output`` (keep or skip), ``adds_only`` and ``words`` (label to value).
    """

    path: Path
    kind: Kind
    name: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    upload: Upload | None = None


@dataclass(frozen=True, slots=True)
class DryRun:
    """What a dry run found; without ``understood`` the file could not be read at all."""

    report: Report
    understood: Understood | None = None
    changes: Changes | None = None


class RefusedFile(ValidationError):  # noqa: N818 -- it is an outcome, named as people name it
    """The file cannot be loaded as it is; ``report`` says why."""

    def __init__(self, report: Report) -> None:
        super().__init__([str(found) for found in report.findings[:20]] or ["Nothing to load."])
        self.report = report


@seldom_collected()
@sparing_memory()
def check_file(
    study: Study, source: Source, *, tell: Tell | None = None, sink: Sink | None = None
) -> DryRun:
    """Check a file against what the study knows; nothing is written.

    ``sink`` is given every finding, also those that the report no longer keeps. ``tell`` is given
    the bytes read and those in all, in thousands; where those are not known, the rows read and 0.
    """
    try:
        understood = understand(study, source.path, kind=source.kind, options=source.options)
        rules = rules_for(study, source.kind, options=source.options)
        checked = _checked(understood, rules)
        share = _byte_share(source.path, checked, tell) if tell else None
        comparison = Comparison(study) if source.kind == "outputs" else None
        if report := _at_once(checked, comparison, share and partial(share, 0)):
            changes = Changes(n_new=report.n_clean) if comparison else None
            return DryRun(report, understood, changes)
        rows = _clean(checked, tell=share, sink=sink)
        if comparison is None:
            for _ in rows:
                pass
            return DryRun(checked.report, understood)
        comparison.watch(row for row in rows if isinstance(row, OutputRow))
    except UnreadableFile as error:
        report = Report()
        report.add(error.finding)
        if sink is not None:
            sink(error.finding)
        return DryRun(report)
    return DryRun(checked.report, understood, comparison.changes)


def load_file(
    study: Study,
    source: Source,
    *,
    at: datetime,
    user: User | None = None,
    tell: Tell | None = None,
) -> dict[str, int]:
    """Check a file, then load it in one transaction, or raise RefusedFile and write nothing."""
    report = check_file(study, source, tell=tell).report
    if not report.can_load:
        raise RefusedFile(report)
    return load_checked(study, source, at=at, user=user, tell=tell, n_rows=report.n_clean)


@seldom_collected()
@sparing_memory()
@transaction.atomic
def load_checked(
    study: Study,
    source: Source,
    *,
    at: datetime,
    user: User | None = None,
    tell: Tell | None = None,
    n_rows: int = 0,
) -> dict[str, int]:
    """Load a file in one pass that checks again as it reads: all of it, or nothing."""
    if study.state == StudyState.FROZEN:
        raise ValidationError("The study is frozen; nothing can be added.")
    try:
        understood = understand(study, source.path, kind=source.kind, options=source.options)
    except UnreadableFile as error:
        raise ValidationError(str(error)) from error
    checked = _checked(understood, rules_for(study, source.kind, options=source.options))
    rows = _clean(checked, tell=tell, n_rows=n_rows)
    if source.kind == "outputs":
        counts = _load_outputs(study, rows, source)
    elif source.kind == "comparisons":
        counts = _load_comparisons(study, rows, at=at)
    else:
        counts = _load_ratings(study, rows, at=at)
    if not checked.report.can_load:
        raise RefusedFile(checked.report)
    StudyEvent.objects.create(
        study=study,
        kind=f"{source.kind}_loaded",
        actor=user,
        detail={"file": source.name or source.path.name, **counts},
        at=at,
    )
    return counts


def _at_once(
    checked: Checked, comparison: Comparison | None, tell: Callable[[int], object] | None
) -> Report | None:
    """Return the report of a clean file; outputs that may be known already are read by rows."""
    if comparison is not None and not comparison.is_of_new:
        return None
    return checked.at_once(tell)


def _checked(understood: Understood, rules: Rules) -> Checked:
    return check(understood.reading, understood.mapping, rules)


def _byte_share(path: Path, checked: Checked, tell: Tell) -> Tell:
    """Return what tells of the bytes of a file that are read, in place of its rows."""
    furthest = 0  # a file that is looked at by columns in vain is read from its start again

    def tell_bytes(_done: int, _total: int) -> None:
        nonlocal furthest
        n_read, n_bytes = bytes_read(path)
        if n_bytes:
            furthest = max(furthest, n_read)
            tell(furthest // 1000, max(n_bytes // 1000, 1))
        else:
            tell(checked.report.n_read, 0)

    return tell_bytes


def _clean(
    checked: Checked, *, tell: Tell | None = None, sink: Sink | None = None, n_rows: int = 0
) -> Iterator[CleanRow]:
    """Yield the clean rows; tell how far it is, and pass every finding on."""
    for n_done, entry in enumerate(checked):
        if tell is not None and n_done % 2_000 == 0:
            tell(checked.report.n_clean, n_rows)
        if not isinstance(entry, Finding):
            yield entry
        elif sink is not None:
            sink(entry)


def _load_outputs(study: Study, rows: Iterator[CleanRow], source: Source) -> dict[str, int]:
    loader = OutputLoader(
        study, upload=source.upload, adds_only=bool(source.options.get("adds_only"))
    )
    loaded = loader.load(row for row in rows if isinstance(row, OutputRow))
    make_places_for(study, loaded.new_units)
    return loaded.as_json()


def make_places_for(study: Study, units: list[int]) -> None:
    """Make the places of units, and of comparisons, that came after the study was opened."""
    # Read anew, and held: it may have been opened since the file was begun, or be at it now. Judges
    # of the study, whose answers point to it, are not kept waiting.
    study = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    if study.opened_at is None:
        return
    fill_batches(study)
    make_places(study, units=units + make_comparisons(study))


def _load_ratings(study: Study, rows: Iterator[CleanRow], *, at: datetime) -> dict[str, int]:
    loaded = RatingLoader(study, at=at).load(row for row in rows if isinstance(row, RatingRow))
    return loaded.as_json()


def _load_comparisons(study: Study, rows: Iterator[CleanRow], *, at: datetime) -> dict[str, int]:
    # Held: what is compared is fixed when the study is opened, which may happen meanwhile.
    loader = ComparisonLoader(Study.objects.select_for_update().get(pk=study.pk), at=at)
    return loader.load(row for row in rows if isinstance(row, ChoiceRow)).as_json()
