"""Deleting a draft: what goes with it, what stays, what is refused, and acts made at once."""

from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Model

from annotation.enums import Role, StudyState, UploadKind
from annotation.models import Judge, OutputVersion, Study, Unit, UnitMember
from annotation.services import deletion
from annotation.services.deletion import delete_study
from annotation.services.judges import add_judge
from annotation.services.members import add_member
from annotation.services.presets import SUBJECT_LINES
from annotation.services.studies import change_state, create_study
from annotation.services.uploads import findings_path, receive_upload
from jobs.models import Job, JobState
from jobs.services import create_job
from metrics_app.models import Analysis, Metric, Score
from tests.annotation.services.at_once import at_once
from tests.factories import (
    NOON,
    AssignmentFactory,
    ItemFactory,
    StudyMemberFactory,
    SystemFactory,
    UnitFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def make_draft(slug="lines", *, n_items=3):
    """Return a draft with its owner, material, a pair, judges, an upload, an analysis and more."""
    owner = UserFactory()
    study = create_study(slug, title="Lines", protocol=SUBJECT_LINES, at=NOON, owner=owner)
    study.phases.get().examples.create(position=1, text="Like this")
    study.batches.create(number=1)
    systems = [SystemFactory(study=study) for _ in range(2)]
    metric = Metric.objects.create(study=study, key="chrf", position=1)
    for _ in range(n_items):
        item = ItemFactory(study=study, batch=study.batches.get())
        item.facts.create(position=1, key="1", text="A fact.")
        item.references.create(position=1, text="A reference.")
        pair = Unit.objects.create(study=study, item=item, kind="pair")
        for place, system in enumerate(systems, start=1):
            unit = UnitFactory(
                output_version__output__item=item, output_version__output__system=system
            )
            pair.unit_members.create(position=place, output_version=unit.output_version)
            Score.objects.create(metric=metric, output_version=unit.output_version, value=0.5)
    add_judge(study.groups.get(), at=NOON)
    job = create_job("analysis", label="Report", task="no.task", study_id=study.pk)
    Analysis.objects.create(study=study, job=job, seed=1, created_at=NOON)
    end(job)
    return study, owner


def end(job):
    Job.objects.filter(pk=job.pk).update(state=JobState.CANCELLED, finished_at=NOON)


def stored():
    """Return how many rows there are in each table that is not empty."""
    models = [model for model in apps.get_models() if model._meta.managed]
    counts = {model.__name__: model.objects.count() for model in models if _is_ours(model)}
    return {name: n for name, n in counts.items() if n}


def _is_ours(model: type[Model]) -> bool:
    return model._meta.app_label in {"annotation", "metrics_app", "jobs"}


def test_a_draft_goes_with_all_that_is_in_it_and_nothing_else_does(monkeypatch):
    monkeypatch.setattr(deletion, "AT_ONCE", 2)
    make_draft("other", n_items=1)
    before = stored()
    study, owner = make_draft()
    assert len(stored()) >= 20

    delete_study(study, actor=owner)

    assert stored() == before
    assert list(Study.objects.values_list("slug", flat=True)) == ["other"]
    assert User.objects.filter(pk=owner.pk).exists()
    assert UnitMember.objects.count() == OutputVersion.objects.count() == 2


def test_an_account_that_was_made_for_the_draft_alone_goes_with_it():
    study, owner = make_draft(n_items=1)
    colleague = UserFactory()
    add_member(study, "late", role=Role.MONITOR, at=NOON)
    add_member(study, colleague.username, role=Role.MONITOR, at=NOON)

    delete_study(study, actor=owner)

    assert set(User.objects.all()) == {owner, colleague}


def test_files_go_once_it_is_sure(settings, tmp_path, django_capture_on_commit_callbacks):
    settings.MEDIA_ROOT = tmp_path
    study, owner = make_draft(n_items=1)
    other, _ = make_draft("other", n_items=1)
    kept, gone = [
        receive_upload(
            of, SimpleUploadedFile("a.csv", b"item_id\n"), kind=UploadKind.OUTPUTS, at=NOON
        )
        for of in (other, study)
    ]
    export = tmp_path / "exports" / str(study.jobs.get().pk) / "lines.csv"
    for path in (export, findings_path(gone), findings_path(kept)):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("rows")

    with django_capture_on_commit_callbacks() as callbacks:
        delete_study(study, actor=owner)
    assert export.exists()
    for callback in callbacks:
        callback()

    files = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert files == {Path(kept.file.path), findings_path(kept)}


def open_it(study):
    Study.objects.filter(pk=study.pk).update(opened_at=NOON, state=StudyState.CLOSED)


def rate_it(study):
    AssignmentFactory(judge=study.judges.get(), unit=study.units.first(), slot=None)


def begin_work(study):
    create_job("export", label="Export as csv", task="no.task", study_id=study.pk)


def lower_the_owner(study):
    study.members.update(role=Role.RESEARCHER)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (open_it, "has been opened or holds ratings"),
        (rate_it, "has been opened or holds ratings"),
        (begin_work, r"under way \(Export as csv\)"),
        (lower_the_owner, "no longer an owner"),
    ],
)
def test_what_keeps_a_study_is_said_and_nothing_is_deleted(change, why):
    study, owner = make_draft(n_items=1)
    change(study)
    before = stored()

    with pytest.raises(ValidationError, match=why):
        delete_study(study, actor=owner)

    assert stored() == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_run", range(3))
def test_a_draft_that_is_opened_at_the_same_moment_is_either_open_or_gone(_run):
    study, owner = make_draft(n_items=1)

    answers = at_once(
        lambda: delete_study(study, actor=owner),
        lambda: change_state(study, StudyState.OPEN, at=NOON),
    )

    assert answers.count("done") == 1
    found = Study.objects.filter(pk=study.pk).first()
    if found is None:
        assert answers[0].startswith("DoesNotExist")
        assert stored() == {}
    else:
        assert answers[0].startswith("The study has been opened")
        assert (found.state, Judge.objects.count()) == ("open", 1)


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_delete_at_once_the_second_finds_it_gone():
    study, owner = make_draft(n_items=1)
    second = StudyMemberFactory(study=study, role=Role.OWNER).user

    answers = at_once(
        lambda: delete_study(study, actor=owner), lambda: delete_study(study, actor=second)
    )

    assert sorted(answers) == ["DoesNotExist('Study matching query does not exist.')", "done"]
    assert stored() == {}
