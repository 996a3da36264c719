"""What is exported can be given to an empty study, and its report says the same."""

import datetime as dt

import pytest
from django.core.management import call_command

from annotation.exporting.formats import FORMATS
from annotation.models import Assignment, Judge, JudgeGroup, OutputVersion, Rating, Study, Visit
from metrics_app.loaders.studies import source_of_study, study_named
from metrics_app.reports.building import ReportOptions, build_report
from tests.factories import (
    NOON,
    AssignmentFactory,
    DimensionFactory,
    PhaseFactory,
    ScaleFactory,
    StudyFactory,
    UnitFactory,
)
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db
LISTS = ("means", "agreement", "comparison", "bias", "ranking", "contrasts", "correlation")


def troubled_study():
    """Return a rated study with all that makes a round trip hard."""
    study = rated_study()
    works = list(Assignment.objects.filter(unit__study=study).order_by("pk"))
    fluency = works[0].ratings.get(dimension__key="fluency").dimension
    Visit.objects.create(
        assignment=works[0],
        phase=fluency.phase,
        position=1,
        opened_at=NOON - dt.timedelta(seconds=90),
        active_ms=61_234,
    )
    _replace_text(works[0].unit)
    _rate_again(works[7], fluency)
    Assignment.objects.filter(pk=works[11].pk).update(slot=None, is_late=True)
    Assignment.objects.filter(pk=works[12].pk).update(submitted_at=None)
    Rating.objects.filter(assignment=works[13], dimension=fluency).update(
        value=None, missing_reason="no answer"
    )
    Judge.objects.filter(pk=works[4].judge_id).update(excluded_at=NOON, excluded_by="too fast")
    return study


def _replace_text(unit):
    """Let one judge rate the new text of a unit whose old text all have rated."""
    old = unit.output_version
    OutputVersion.objects.filter(pk=old.pk).update(is_current=False)
    new = OutputVersion.objects.create(
        output=old.output, number=2, text="=A new text", checksum="0" * 64
    )
    work = AssignmentFactory(
        unit=UnitFactory(output_version=new),
        judge=unit.assignments.first().judge,
        submitted_at=NOON,
    )
    for rating in unit.assignments.first().ratings.all():
        Rating.objects.create(assignment=work, dimension=rating.dimension, value=4, rated_at=NOON)


def _rate_again(work, dimension):
    repeat = AssignmentFactory(
        unit=work.unit, judge=work.judge, slot=None, repeat_of=work, submitted_at=NOON
    )
    Rating.objects.create(assignment=repeat, dimension=dimension, value=1, rated_at=NOON)


def empty_copy(study):
    """Return a study that asks the same of the same groups, and holds nothing."""
    copy = StudyFactory(slug="copy", seed=study.seed, state="closed")
    scale = ScaleFactory(study=copy)
    for phase in study.phases.all():
        new = PhaseFactory(study=copy, key=phase.key, position=phase.position)
        for dimension in phase.dimensions.all():
            DimensionFactory(phase=new, key=dimension.key, position=dimension.position, scale=scale)
    for group in study.groups.order_by("pk"):
        JudgeGroup.objects.create(study=copy, key=group.key, name=group.name, kind=group.kind)
    return copy


def carried_over(study, folder, ratings="csv"):
    """Return a copy of a study that was given its exports."""
    copy = empty_copy(study)
    outputs, tidy = folder / "outputs.jsonl", folder / FORMATS[ratings].suffix
    call_command("export", study.slug, "--format", "outputs", "--out", outputs)
    call_command("export", study.slug, "--format", ratings, "--out", tidy)
    call_command("import_outputs", copy.slug, outputs)
    call_command("import_ratings", copy.slug, tidy)
    return copy


def report(study):
    source = source_of_study(study_named(study.slug))
    options = ReportOptions(seed=study.seed, n_resamples=30)
    return build_report(source.evaluation, options, generated_at=NOON)


@pytest.mark.parametrize(
    "ratings", ["csv", "excel", "jsonl", "items", "hugging-face", "xlsx", "parquet"]
)
def test_the_report_of_the_copy_says_the_same_to_the_last_digit(tmp_path, ratings):
    study = troubled_study()

    copy = carried_over(study, tmp_path, ratings)

    first, second = report(study), report(copy)
    assert first.means
    for name in LISTS:
        # As text: no number equals itself where it is undefined.
        assert repr(getattr(second, name)) == repr(getattr(first, name)), name


def test_an_export_of_the_copy_holds_the_same_valid_rows(tmp_path):
    study = troubled_study()
    copy = carried_over(study, tmp_path)
    again = tmp_path / "again.csv"

    call_command("export", copy.slug, "--format", "csv", "--out", again)

    def valid_rows(path):
        # Study, origin and the number of corrections are the copy's own.
        rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
        return sorted([*row[1:20], *row[21:24]] for row in rows if row[17] == "true")

    assert len(valid_rows(again)) > 50
    assert valid_rows(again) == valid_rows(tmp_path / "ratings.csv")


def test_documents_and_kinds_of_systems_are_carried_over(tmp_path):
    study = rated_study()
    study.items.filter(position=1).update(document="report-7", domain="news")
    human = study.systems.order_by("position").first()
    study.systems.filter(pk=human.pk).update(kind="human")

    copy = carried_over(study, tmp_path)

    def told(study):
        items = study.items.values_list("key", "document", "domain").order_by("key")
        return [*items], [*study.systems.values_list("key", "kind").order_by("key")]

    assert told(copy) == told(study)
    assert (human.key, "human") in told(copy)[1]


def test_the_same_export_again_changes_nothing(tmp_path, capsys):
    copy = carried_over(troubled_study(), tmp_path)
    capsys.readouterr()

    call_command("import_outputs", copy.slug, tmp_path / "outputs.jsonl")
    call_command("import_ratings", copy.slug, tmp_path / "ratings.csv")

    told = capsys.readouterr().out
    assert "outputs.jsonl: 0 new, 0 changed, 8 unchanged outputs." in told
    assert "ratings.csv: 0 new, " in told
    assert Study.objects.count() == 2
