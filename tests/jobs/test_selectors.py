import html

import pytest
from django.core.cache import cache
from django.template.loader import render_to_string

from jobs import selectors
from jobs.models import JobState
from jobs.selectors import NO_WORKER, job_status, worker_is_alive
from tests.jobs.factories import NOON, running_job, seconds, waiting_job

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _forget():
    cache.clear()


@pytest.fixture
def answers(monkeypatch):
    """Return the calls for a worker; a test sets what the worker answers."""
    calls = {"n": 0, "alive": False}

    def ping(**_options):
        calls["n"] += 1
        return [{"worker": {"ok": "pong"}}] if calls["alive"] else []

    monkeypatch.setattr(selectors.app.control, "ping", ping)
    return calls


def test_a_fresh_job_says_nothing_and_asks_nobody(answers):
    status = job_status(waiting_job(), at=NOON + seconds(10))

    assert (status.state, status.message, status.has_worker) == ("queued", "", True)
    assert answers["n"] == 0


@pytest.mark.parametrize("make", [waiting_job, running_job])
def test_without_a_worker_a_quiet_job_says_so(answers, make):
    status = job_status(make(), at=NOON + seconds(11))

    assert (status.message, status.has_worker, answers["n"]) == (NO_WORKER, False, 1)


def test_with_a_worker_a_queue_is_only_a_queue(answers):
    answers["alive"] = True

    assert job_status(waiting_job(), at=NOON + seconds(11)).message == ""


def test_the_worker_is_asked_once_in_a_while(answers):
    assert [worker_is_alive(), worker_is_alive()] == [False, False]
    assert answers["n"] == 1


@pytest.mark.parametrize(
    ("done", "total", "eta"), [(0, 100, None), (25, 100, 30), (100, 100, 0), (0, 0, None)]
)
def test_time_left_follows_from_the_pace(done, total, eta):
    job = running_job(done=done, total=total, stage="Resampling")

    status = job_status(job, at=NOON + seconds(10))

    assert (status.done, status.total, status.stage) == (done, total, "Resampling")
    assert status.eta_seconds == eta


@pytest.mark.parametrize(
    ("values", "message", "is_final"),
    [
        ({"cancel_requested_at": NOON}, "Stopping: it ends at its next step.", False),
        ({"attempt": 2}, "Attempt 2: the worker of the one before was lost.", False),
        (
            {"state": JobState.FAILED, "finished_at": NOON, "error": "Line 3 is empty."},
            "Line 3 is empty.",
            True,
        ),
        ({"state": JobState.DONE, "finished_at": NOON}, "", True),
    ],
)
def test_the_message_says_what_is_the_matter(values, message, is_final):
    status = job_status(running_job(**values), at=NOON)

    assert (status.message, status.is_final) == (message, is_final)


@pytest.mark.usefixtures("answers")
@pytest.mark.parametrize(
    ("values", "is_shown"),
    [
        ({}, True),
        ({"attempt": 2}, True),
        ({"cancel_requested_at": NOON}, True),
        ({"heartbeat_at": NOON - seconds(60)}, False),
        ({"state": JobState.FAILED, "finished_at": NOON, "error": "Line 3 is empty."}, False),
    ],
)
def test_a_second_attempt_is_followed_like_the_first(values, is_shown):
    job = running_job(**{"done": 25, "total": 100, "stage": "Loading rows", **values})
    status = job_status(job, at=NOON)

    shown = " ".join(render_to_string("jobs/_status.html", {"status": status}).split())

    assert status.message in html.unescape(shown)
    assert ("Loading rows 25 of 100" in shown) == is_shown
