"""A private PostgreSQL that may be killed: ``python -m tests.load.postgres COMMAND ...``.

The command finds it in DATABASE_URL. The cluster lives in a temporary folder, listens on a free
port of 127.0.0.1 and goes when the command ends; no other PostgreSQL is touched.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.load.site import children, cpu_seconds, free_port

ROLE = "concord"
MISSING = (
    "PostgreSQL is not installed: there is no initdb on PATH or in /usr/lib/postgresql/*/bin. "
    "On Debian and Ubuntu: apt-get install postgresql"
)


class PrivatePostgres:
    """One cluster with its own folder, port and processes."""

    def __init__(self, folder):
        self.binaries = find_binaries()
        if self.binaries is None:
            raise SystemExit(MISSING)
        self.folder, self.data = Path(folder), Path(folder) / "data"
        self.port = free_port()
        self.url = f"postgres://{ROLE}@127.0.0.1:{self.port}/postgres"
        self.process = None
        self._account = self._unprivileged()

    def make(self):
        command = ["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", f"--username={ROLE}"]
        subprocess.run(
            [self.binaries / "initdb", *command, "--pgdata", self.data],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self._account,
        )  # fmt: skip

    def start(self):
        """Start, or recover after a kill, and wait until it answers."""
        settings = ["listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}"]
        options = [part for setting in settings for part in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.binaries / "postgres", "-D", self.data, "-p", str(self.port), *options],
                stderr=log, stdout=log, cwd=self.folder, start_new_session=True, **self._account,
            )  # fmt: skip
        for _ in range(600):
            if self._answers():
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError(
            f"PostgreSQL did not start:\n{(self.folder / 'log').read_text()[-2000:]}"
        )

    def kill(self):
        """SIGKILL the postmaster and every backend at one moment, as a machine's fall does."""
        family = [self.process.pid, *children(self.process.pid)]
        for pid in family:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        while any(Path(f"/proc/{pid}").exists() and not is_zombie(pid) for pid in family):
            time.sleep(0.01)

    def cpu_seconds(self):
        """Return the seconds of all its processes so far, ended ones included."""
        alive = sum(cpu_seconds(pid) for pid in children(self.process.pid))
        return alive + cpu_seconds(self.process.pid, with_ended_children=True)

    def stop(self):
        self.process.send_signal(signal.SIGINT)  # disconnects whoever is there
        self.process.wait(timeout=60)

    def _answers(self):
        probe = [self.binaries / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(probe, check=False).returncode == 0

    def _unprivileged(self):
        """Return whom to run as: PostgreSQL refuses root, so the account that its package made."""
        if os.geteuid() != 0:
            return {}
        try:
            shutil.chown(self.folder, "postgres", "postgres")
        except LookupError:
            raise SystemExit("PostgreSQL refuses root, and there is no user postgres.") from None
        return {"user": "postgres", "group": "postgres", "extra_groups": []}


@contextlib.contextmanager
def private_postgres():
    """Yield a running cluster, removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="concord-postgres-") as folder:
        server = PrivatePostgres(folder)
        server.make()
        server.start()
        try:
            yield server
        finally:
            if server.process.poll() is None:
                server.stop()


def find_binaries():
    """Return the folder of PostgreSQL's programs, or None where it is not installed."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    installed = Path("/usr/lib/postgresql").glob("*/bin/initdb")
    newest = max(installed, key=lambda path: float(path.parts[-3]), default=None)
    return newest and newest.parent


def is_zombie(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def main(command):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the cluster goes down with us
    with private_postgres() as server:
        environment = {**os.environ, "DATABASE_URL": server.url}
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
