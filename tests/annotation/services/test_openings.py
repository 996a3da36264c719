"""Opening by a worker: all places and an open study, or a draft without any."""

import datetime as dt

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from annotation.models import Assignment, Study
from annotation.services import openings, place_making
from annotation.services.openings import needs_worker, request_opening
from annotation.services.setup import keep_settings
from annotation.tasks import open_study_task
from jobs.models import Job, JobState
from jobs.services import Progress, request_cancel, sweep_jobs
from tests.annotation.services.at_once import at_once
from tests.annotation.services.killing import kill_in_the_middle
from tests.factories import (
    DimensionFactory,
    ItemFactory,
    JudgeGroupFactory,
    StudyFactory,
    SystemFactory,
    UnitFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)
N_UNITS, K = 6, 2
# The child stops in the middle of its transaction, says so, and waits for its end.
CHILD = """
import sys, time, django
django.setup()
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[2]
from annotation.services import place_making
from annotation.tasks import open_study_task
place_making.UNITS_AT_ONCE = 2
whole = place_making.insert_rows
def insert_rows(model, names, rows):
    whole(model, names, rows)
    if model.objects.count() >= 4:
        print("half", flush=True)
        time.sleep(60)
place_making.insert_rows = insert_rows
open_study_task(int(sys.argv[1]))
"""


@pytest.fixture
def study(monkeypatch):
    """Return a draft that is large enough for a worker."""
    monkeypatch.setattr(openings, "AT_ONCE", N_UNITS - 1)
    monkeypatch.setattr(place_making, "UNITS_AT_ONCE", 2)
    study = StudyFactory(state="draft")
    DimensionFactory(phase__study=study)
    JudgeGroupFactory(study=study, judges_per_unit=K)
    system = SystemFactory(study=study)
    for _ in range(N_UNITS):
        item = ItemFactory(study=study)
        UnitFactory(output_version__output__item=item, output_version__output__system=system)
    return study


def state_of(study):
    study.refresh_from_db()
    return study.state, Assignment.objects.count()


def test_few_outputs_need_no_worker_and_neither_does_a_pause(study, monkeypatch):
    assert needs_worker(study)
    monkeypatch.setattr(openings, "AT_ONCE", N_UNITS)
    assert not needs_worker(study)
    assert not needs_worker(StudyFactory(state="open", opened_at=timezone.now()))


def test_a_worker_opens_it_and_a_second_delivery_changes_nothing(study):
    actor = UserFactory()
    job = request_opening(study, "pilot", actor=actor, reason="We begin.")
    assert state_of(study) == ("draft", 0)

    open_study_task(job.pk)
    open_study_task(job.pk)

    job.refresh_from_db()
    assert (job.state, job.total) == (JobState.DONE, N_UNITS * K)
    assert state_of(study) == ("pilot", N_UNITS * K)
    event = study.events.get(kind="state")
    assert (event.actor, event.reason) == (actor, "We begin.")


def test_an_opening_that_is_cancelled_in_its_middle_leaves_a_draft(study, monkeypatch):
    job = request_opening(study, "open")
    note = Progress.note

    def told(self, done, total, stage=""):
        note(self, done, total, stage)
        if done:
            self.cancel()  # as the heartbeat does, which hears of the wish

    monkeypatch.setattr(Progress, "note", told)
    open_study_task(job.pk)

    job.refresh_from_db()
    assert (job.state, state_of(study)) == (JobState.CANCELLED, ("draft", 0))
    monkeypatch.undo()
    open_study_task(request_opening(study, "open").pk)
    assert state_of(study) == ("open", N_UNITS * K)


def test_a_killed_worker_leaves_a_draft_and_the_next_one_opens_it(study):
    job = request_opening(study, "open")
    kill_in_the_middle(CHILD, job.pk)

    assert state_of(study) == ("draft", 0)
    assert sweep_jobs(timezone.now() + dt.timedelta(seconds=20)) == [job.pk]
    open_study_task(job.pk)

    assert Job.objects.get().state == JobState.DONE
    assert state_of(study) == ("open", N_UNITS * K)


def test_what_a_study_lacks_is_said_before_any_worker_is_asked(study):
    study.groups.all().delete()

    with pytest.raises(ValidationError, match="no group of judges"):
        request_opening(study, "open")
    with pytest.raises(ValidationError, match="cannot become closed"):
        request_opening(study, "closed")
    assert not Job.objects.exists()


def test_a_study_that_is_being_opened_is_neither_opened_again_nor_changed(study):
    job = request_opening(study, "open")

    with pytest.raises(ValidationError, match="being opened already"):
        request_opening(study, "open")
    with pytest.raises(ValidationError, match="cancel that to change it"):
        keep_settings(study, {"lease_minutes": 5})

    request_cancel(job.pk)
    keep_settings(study, {"lease_minutes": 5})
    assert Study.objects.get().lease_minutes == 5


@pytest.mark.parametrize("_run", range(3))
def test_two_owners_who_open_a_study_at_once_make_one_job(study, _run):
    answers = at_once(*[lambda: request_opening(study, "open")] * 2)

    assert answers == ["The study is being opened already.", "done"]
    assert Job.objects.count() == 1
