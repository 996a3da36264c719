"""A worker process with a real broker, killed in the middle of its work."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import pytest
from django.db import connection
from django.utils import timezone

from config.launching.broker import choose_broker
from jobs.models import Job, JobState
from jobs.services import STALE_AFTER, create_job
from tests.jobs.probe_tasks import SECONDS, STEPS

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def worker_environ(tmp_path):
    """Return the environment of a worker on the tests' database, with a broker that runs."""
    broker = choose_broker(os.environ, tmp_path)
    environ = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.jobs.worker_settings",
        "DATABASE_URL": _database_url(),
        "REDIS_URL": broker.url,
        "CONCORD_QUEUE": f"test-{os.getpid()}",
    }
    if not broker.command:
        yield environ
        return
    with _process(broker.command, environ, tmp_path / "broker.log"):
        yield environ


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "waits",
    [
        pytest.param(False, id="beat-made-old"),
        pytest.param(True, id="in-real-time", marks=pytest.mark.services),
    ],
)
def test_work_of_a_killed_worker_is_finished_once(worker_environ, tmp_path, waits):
    diary = tmp_path / "diary"
    job = _job(diary)
    with _worker(worker_environ, tmp_path) as worker:
        _wait_until(lambda: _now(job).done > 0, seconds=60)
        os.killpg(worker.pid, signal.SIGKILL)

    assert _now(job).state == JobState.RUNNING
    if not waits:
        Job.objects.update(heartbeat_at=timezone.now() - STALE_AFTER * 2)
    with _worker(worker_environ, tmp_path):
        _wait_until(lambda: _n_ready(tmp_path) == 2, seconds=60)
        _wait_until(lambda: _now(job).state == JobState.DONE, seconds=30 + SECONDS)

    job = _now(job)
    assert (job.attempt, job.done, job.result) == (2, STEPS, {"steps": STEPS})
    assert diary.read_text().split() == ["begin", "begin", "end"]


def _job(diary):
    return create_job(
        "probe",
        label="Counting",
        task="tests.jobs.probe_tasks.slow_probe",
        arguments={"diary": str(diary)},
    )


def _n_ready(folder):
    return (folder / "worker.log").read_text().count(" ready.")


def _now(job):
    return Job.objects.get(pk=job.pk)


def _wait_until(condition, *, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


@contextmanager
def _worker(environ, folder):
    command = (
        *(sys.executable, "-m", "celery", "-A", "config", "worker", "--concurrency", "2", "-B"),
        *("--schedule", str(folder / "beat"), "--without-mingle", "--without-gossip"),
        *("--loglevel", "INFO"),
    )
    with _process(command, environ, folder / "worker.log") as process:
        yield process


@contextmanager
def _process(command, environ, log):
    with log.open("ab") as file:
        process = subprocess.Popen(
            command, env=environ, cwd=ROOT, stdout=file, stderr=file, start_new_session=True
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _database_url():
    values = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite://{values['NAME']}"
    user, password = quote(values["USER"], safe=""), quote(values["PASSWORD"], safe="")
    return (
        f"postgres://{user}:{password}@:{values['PORT']}/{values['NAME']}"
        f"?host={quote(values['HOST'], safe='')}"
    )
