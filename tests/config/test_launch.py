"""`make run` for real: three processes, one of them killed, all of them stopped."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.fixture
def launch(tmp_path):
    """Return a function that starts the launcher on a folder of its own, at the given port."""
    processes = []

    def start(port):
        environ = {
            **os.environ,
            "PORT": str(port),
            "CONCORD_VAR": str(tmp_path / "var"),
            "DJANGO_SETTINGS_MODULE": "config.settings.dev",
        }
        for name in ("REDIS_URL", "DATABASE_URL"):
            environ.pop(name, None)
        process = subprocess.Popen(
            [sys.executable, "-m", "config.launch"],
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        processes.append(process)
        return process

    yield start
    for process in processes:
        if process.poll() is None:
            process.terminate()
            process.wait(60)
        process.stdout.close()


def test_run_serves_revives_its_worker_and_leaves_nothing_behind(launch, tmp_path):
    port = _free_port()
    process = launch(port)

    said = _read_until(process, "Ctrl-C stops everything.")
    assert f"Concord runs at http://localhost:{port}/" in said
    assert re.findall(rf"http://localhost:{port}/start/(\w+)/\1:\S+/", said) == [
        "judge",
        "researcher",
        "administrator",
    ]
    _wait_until(lambda: _health(port)["status"] == "ok")

    worker = _children(process.pid, "celery")[0]
    os.kill(worker, signal.SIGKILL)
    assert "The worker stopped on signal 9; starting it again" in _read_until(process, "again")
    _wait_until(lambda: _children(process.pid, "celery") not in ([], [worker]))

    family = [
        pid for name in ("celery", "gunicorn", "redis") for pid in _children(process.pid, name)
    ]
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
    # Killed at the last, one of them may be on its way out at this moment.
    _wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))
    assert not (tmp_path / "var" / "broker.url").exists()
    assert (tmp_path / "var" / "concord.sqlite3").exists()


def test_a_port_that_is_taken_ends_it_with_a_sentence(launch):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        process = launch(other.getsockname()[1])

        assert process.wait(30) == 2
    assert "is taken by another program" in process.stdout.read()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _read_until(process, sentence):
    said = ""
    for line in process.stdout:
        said += line
        if sentence in line:
            return said
    pytest.fail(f"it never said {sentence!r}, but:\n{said}")


def _health(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/healthz")
        return json.load(connection.getresponse())
    finally:
        connection.close()


def _children(parent, name):
    pids = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(pid) for pid in pids if name in Path(f"/proc/{pid}/cmdline").read_text()]


def _wait_until(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.2)
