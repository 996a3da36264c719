"""Label Studio as a peer, installed and filled as its documentation says.

It is installed from PyPI into an environment of its own, since its pins and ours exclude each
other, and runs with its default settings: SQLite, one process. Its documentation (Get data into
Label Studio, and the reference of the import call) allows 250,000 tasks and 200 MB in one POST,
and advises about 100,000 tasks a project; so every 100,000 outputs are one POST to one project.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from tests.load.site import cpu_seconds, free_port

VERSION = "1.23.2"
ENVIRONMENT = Path(".cache/label-studio")
TASKS_A_PROJECT = 100_000
TOKEN = "0123456789abcdef" * 2 + "01234567"
ACCOUNT = ("bench@example.org", "only for the bench")
LABELS = '<View><Text name="text" value="$output"/><Rating name="fluency" toName="text"/></View>'
SECONDS_TO_START = 300


def import_outputs(rows, n):
    """Import n outputs, dicts one a task; return the server's CPU seconds and peak MB."""
    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as server:
        before = cpu_seconds(server.pid)
        for first in range(0, n, TASKS_A_PROJECT):
            project = call(
                server.port, "/api/projects/", {"title": "bench", "label_config": LABELS}
            )
            tasks = [{"data": next(rows)} for _ in range(min(TASKS_A_PROJECT, n - first))]
            done = call(server.port, f"/api/projects/{project['id']}/import", tasks)
            assert done["task_count"] == len(tasks)
        return cpu_seconds(server.pid) - before, server.peak()


class Server:
    """One running Label Studio."""

    def __init__(self, folder):
        self.port = free_port()
        user, password = ACCOUNT
        command = [program(), "start", "--no-browser", "--port", str(self.port),
                   "--username", user, "--password", password, "--user-token", TOKEN]  # fmt: skip
        settings = {
            "LABEL_STUDIO_BASE_DATA_DIR": str(folder),
            "LABEL_STUDIO_ENABLE_LEGACY_API_TOKEN": "true",
            "COLLECT_ANALYTICS": "false",
        }
        with (folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                command, env=os.environ | settings, stdout=log, stderr=log, cwd=folder
            )
        self.pid = self.process.pid

    def peak(self):
        """Return the most memory that the process has held, in MB."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        told = next(line for line in lines if line.startswith("VmHWM:"))
        return int(told.split()[1]) // 1024


@contextlib.contextmanager
def running(folder):
    server = Server(folder)
    try:
        deadline = time.monotonic() + SECONDS_TO_START
        while not _answers(server.port):
            if server.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Label Studio: {(folder / 'log').read_text()[-2000:]}")
            time.sleep(0.5)
        yield server
    finally:
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(timeout=60)


def _answers(port):
    with contextlib.suppress(OSError):
        urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=10)
        return True
    return False


def call(port, path, body):
    """POST a body to the API and return its answer."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Token {TOKEN}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as answer:  # noqa: S310 -- of our own machine
        return json.load(answer)


def program():
    """Return the program; the first call installs it."""
    found = (ENVIRONMENT / "bin" / "label-studio").absolute()
    if not found.exists():
        subprocess.run([sys.executable, "-m", "venv", ENVIRONMENT], check=True)
        pip = [ENVIRONMENT / "bin" / "python", "-m", "pip", "install", "-q"]
        subprocess.run([*pip, f"label-studio=={VERSION}"], check=True)
    return str(found)
