"""While one transaction keeps SQLite's writer, page and worker hear of each other beside it."""

import os
import subprocess
import sys
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from jobs import aside
from jobs.models import Job, JobState
from jobs.selectors import job_status
from jobs.services import heartbeat, run_job, sweep_jobs
from jobs.services import requests as asking
from jobs.services.claims import claim_job
from jobs.services.heartbeat import Heartbeat
from tests.jobs.factories import NOON, running_job, waiting_job

pytestmark = pytest.mark.django_db
LONG_AGO = timedelta(minutes=5)


@pytest.fixture(autouse=True)
def beside(tmp_path, monkeypatch):
    monkeypatch.setattr(aside, "is_needed", lambda: True)
    monkeypatch.setattr(aside, "folder", lambda: tmp_path / "db.jobs")
    # Both speak SQLite's own words; the database of a test may be another.
    monkeypatch.setattr(asking, "_short_of_patience", asking.suppress)
    monkeypatch.setattr(heartbeat, "_wait_at_most", lambda _seconds: None)


def running():
    job = waiting_job()
    claim = claim_job(job.pk)
    return Job.objects.get(pk=job.pk), claim


def quiet(job):
    """Let the job look as one whose worker could not write for long."""
    Job.objects.filter(pk=job.pk).update(heartbeat_at=timezone.now() - LONG_AGO)
    return Job.objects.get(pk=job.pk)


def test_what_is_told_is_heard_and_forgotten():
    told = aside.Told(attempt=2, at=timezone.now(), done=3, total=9, stage="Loading rows")

    aside.tell(7, told)
    assert aside.hear(7) == told
    assert aside.hear(8) is None

    aside.ask_to_cancel(7)
    assert (aside.is_unwanted(7), aside.is_unwanted(8)) == (True, False)
    aside.forget(7)
    assert (aside.hear(7), aside.is_unwanted(7)) == (None, False)


def test_a_file_that_is_damaged_says_nothing():
    aside.tell(7, aside.Told(1, timezone.now()))
    for damaged in ("", "{", "[]", '{"attempt": 1}', '{"at": "x"}', '{"at": 3, "attempt": 1}'):
        (aside.folder() / "7.told").write_text(damaged)
        assert aside.hear(7) is None


def test_the_page_shows_how_far_a_work_is_that_cannot_write():
    job, claim = running()
    job = quiet(job)
    aside.tell(job.pk, aside.Told(claim.attempt, timezone.now(), 40, 100, "Loading rows"))

    status = job_status(job)

    assert (status.done, status.total, status.stage) == (40, 100, "Loading rows")
    assert status.has_worker


def test_the_words_of_an_attempt_that_was_lost_are_not_shown():
    job, claim = running()
    job = quiet(job)
    aside.tell(job.pk, aside.Told(claim.attempt - 1, timezone.now(), 40, 100, "Loading rows"))

    assert job_status(job).done == 0


def test_a_work_that_beats_beside_the_database_keeps_its_job():
    job, claim = running()
    quiet(job)
    aside.tell(job.pk, aside.Told(claim.attempt, timezone.now()))

    sweep_jobs(timezone.now())
    assert Job.objects.get().state == JobState.RUNNING

    aside.tell(job.pk, aside.Told(claim.attempt, timezone.now() - LONG_AGO))
    sweep_jobs(timezone.now())
    assert Job.objects.get().state == JobState.QUEUED


def test_a_lost_work_that_was_to_be_cancelled_is():
    job, _ = running()
    quiet(job)
    aside.ask_to_cancel(job.pk)

    sweep_jobs(timezone.now())

    assert Job.objects.get().state == JobState.CANCELLED


def test_the_wish_to_cancel_is_left_though_the_database_is_busy(monkeypatch):
    job, claim = running()
    heard = []

    def busy(*_):
        raise OperationalError("database is locked")

    monkeypatch.setattr(asking, "_ask_running", busy)

    assert asking.request_cancel(job.pk)

    assert job_status(Job.objects.get()).message == "Stopping: it ends at its next step."
    assert claim.is_unwanted()
    Heartbeat(claim, cancel=lambda: heard.append("cancel"))._beat()
    assert "cancel" in heard


def test_a_job_that_has_ended_cannot_be_cancelled():
    job = running_job(state=JobState.DONE, finished_at=NOON)

    assert not asking.request_cancel(job.pk)
    assert not aside.is_unwanted(job.pk)


def test_a_job_begins_and_ends_without_old_words():
    job = waiting_job()
    aside.ask_to_cancel(job.pk)
    seen = []

    def work(_progress):
        seen.append(aside.is_unwanted(job.pk))
        aside.ask_to_cancel(job.pk)

    run_job(job.pk, work)

    assert seen == [False]
    assert not aside.is_unwanted(job.pk)
    assert Job.objects.get().state == JobState.DONE


BUSY = """
import sqlite3, sys, time
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
time.sleep(30)
"""
MAKE = """
import django
django.setup()
from jobs.services import create_job
from jobs.services.claims import claim_job
assert claim_job(create_job("import", label="Load", task="none").pk).job_id == 1
"""
ASK = """
import django, time
django.setup()
from jobs.services import request_cancel
began = time.monotonic()
assert request_cancel(1)
print(time.monotonic() - began)
"""


def test_nobody_waits_for_the_writer_to_be_free(tmp_path):
    path = tmp_path / "concord.sqlite3"
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite://{path}",
        "CONCORD_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "config.settings.dev",
    }
    manage = [sys.executable, "manage.py", "migrate", "jobs", "--verbosity", "0"]
    subprocess.run(manage, check=True, env=environment)
    subprocess.run([sys.executable, "-c", MAKE], check=True, env=environment)
    busy = subprocess.Popen([sys.executable, "-c", BUSY, str(path)], stdout=subprocess.PIPE)
    try:
        busy.stdout.readline()
        asked = subprocess.run(
            [sys.executable, "-c", ASK], check=True, env=environment, capture_output=True, text=True
        )
    finally:
        busy.kill()
        busy.communicate()

    assert float(asked.stdout) < 10  # the writer was held for 30 seconds
    assert (tmp_path / "concord.sqlite3.jobs" / "1.cancel").exists()


@pytest.mark.parametrize(("is_beside", "n_warnings"), [(True, 0), (False, 1)])
def test_a_beat_that_the_database_refuses_is_worth_a_word_only_where_it_is_lost(
    monkeypatch, caplog, is_beside, n_warnings
):
    job, claim = running()
    monkeypatch.setattr(aside, "is_needed", lambda: is_beside)

    def busy(**_):
        raise OperationalError("database is locked")

    monkeypatch.setattr(type(claim), "write", lambda _claim, **noted: busy(**noted))

    Heartbeat(claim)._beat()

    assert [record.levelname for record in caplog.records] == ["WARNING"] * n_warnings
    assert (aside.hear(job.pk) is not None) == is_beside


def test_work_that_is_unwanted_is_cancelled_once_a_beat():
    job, claim = running()
    heard = []
    asking.request_cancel(job.pk)

    Heartbeat(claim, cancel=lambda: heard.append("cancel"))._beat()

    assert heard == ["cancel"]
