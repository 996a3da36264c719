"""A Concord of its own: a folder, a database, and gunicorn as `make run` starts it."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.load.study import SLUG

SECONDS_TO_START = 300  # on a machine that is busy with other things
ROOT = Path(__file__).resolve().parents[2]


class Site:
    """Concord in a folder; ``database_url`` empty means SQLite there."""

    def __init__(self, folder, *, database_url=""):
        self.folder = folder
        self.database_url = database_url
        self.port = free_port()
        self.process = None

    @property
    def environment(self):
        settings = {
            "DJANGO_SETTINGS_MODULE": "config.settings.dev",
            "CONCORD_VAR": str(self.folder),
            "DATABASE_URL": self.database_url,
        }
        return {**os.environ, **settings}

    def python(self, *arguments, check=True):
        """Run Python with this site's settings and return what it did."""
        return subprocess.run(
            [sys.executable, *arguments],
            env=self.environment, cwd=ROOT, check=check, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def prepare(self, *, n_outputs, n_judges):
        """Make the study in an empty database; return its judges' tokens and its opening time."""
        self.python("manage.py", "migrate", "-v0")
        self.python("manage.py", "flush", "--no-input", "-v0")
        made = self.python("-m", "tests.load.study", str(n_outputs), str(n_judges))
        return json.loads(made.stdout.splitlines()[-1])

    def audit(self):
        """Return the last line of the audit: no deviation, or how many."""
        done = self.python("manage.py", "audit", SLUG, check=False)
        return done.stdout.strip().splitlines()[-1].lower()

    def start(self):
        command = [sys.executable, "-m", "gunicorn", "config.wsgi", "-k", "gthread", "-w", "2",
                   "--threads", "4", "-b", f"127.0.0.1:{self.port}", "--timeout", "120",
                   "--no-control-socket"]  # fmt: skip
        with (Path(self.folder) / "web.log").open("ab") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, cwd=ROOT, start_new_session=True, stderr=log
            )
        self._wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)

    def kill(self):
        """SIGKILL the web server with all its workers at one moment."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        while self._listens():  # until the last worker is gone
            time.sleep(0.01)

    def kill_worker(self, rng):
        """SIGKILL one worker; gunicorn starts another."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(rng.choice(children(self.process.pid)), signal.SIGKILL)

    @contextlib.contextmanager
    def running(self):
        self.start()
        try:
            yield self
        finally:
            if self.process.poll() is None:
                self.stop()

    def cpu_seconds(self):
        """Return user and system seconds of the web server and its workers so far."""
        pids = [self.process.pid, *children(self.process.pid)]
        return sum(cpu_seconds(pid) for pid in pids)

    def _listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _wait(self):
        """Wait until the server has answered often enough for every worker to be warm."""
        n_answers, deadline = 0, time.monotonic() + SECONDS_TO_START
        while n_answers < 8:
            try:
                connection = http.client.HTTPConnection(
                    "127.0.0.1", self.port, timeout=SECONDS_TO_START
                )
                connection.request("GET", "/sign-in/")
                connection.getresponse().read()
                connection.close()
                n_answers += 1
            except OSError:
                if time.monotonic() > deadline:
                    log = (Path(self.folder) / "web.log").read_text()
                    raise RuntimeError(f"The web server does not answer:\n{log[-3000:]}") from None
                time.sleep(0.1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def children(pid):
    """Return the processes that a process has started; needs Linux's /proc."""
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def cpu_seconds(pid, *, with_ended_children=False):
    """Return the user and system seconds of one process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    counted = fields[11 : 15 if with_ended_children else 13]
    return sum(int(field) for field in counted) / os.sysconf("SC_CLK_TCK")
