"""A process that is killed in the middle of its work."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from django.db import connection


def kill_in_the_middle(code, job_id, *arguments):
    """Run Python code on the tests' database, and kill it when it has printed "half".

    The code is given the key of a job, the name of the database, and the arguments.
    """
    words = [str(job_id), str(connection.settings_dict["NAME"]), *map(str, arguments)]
    child = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings.test"},
        cwd=Path(__file__).resolve().parents[3],
    )
    assert child.stdout.readline().strip() == b"half"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
