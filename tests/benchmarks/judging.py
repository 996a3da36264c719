"""The judge loop over HTTP against a real server: gunicorn, and SQLite or DATABASE_URL.

Each judge makes the calls that the page makes: the next pages, three ratings, done with what comes
next. Server CPU is read from the server's processes; afterwards the places are audited. The peers'
figures are of the same work on a machine of this class, from their default installations.
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

from tests.benchmarks.row import Row

ROOT = Path(__file__).resolve().parents[2]
DIMENSIONS = ["informativeness", "fluency", "overall"]
N_RATED = 240  # outputs rated in a run, by all judges together
# CPU seconds of server per rated output, with every call of the real screen.
POTATO = {1: 0.067, 8: 0.137, 32: 0.137}
PREPARE = """
import django, json, sys
django.setup()
from django.utils import timezone
from annotation.enums import StudyState
from annotation.models import *
from annotation.selectors.judge_links import judge_token
from annotation.services.judges import add_judge
from annotation.services.presets import SUBJECT_LINES
from annotation.services.studies import change_state, create_study
n_outputs, n_judges = map(int, sys.argv[1:])
now = timezone.now()
study = create_study("bench", title="Bench", protocol=SUBJECT_LINES, at=now, seed=1)
systems = [System.objects.create(study=study, key=f"s{n}", position=n) for n in range(4)]
items = Item.objects.bulk_create(
    [Item(study=study, key=f"i{n}", position=n, source=["An e-mail. " * 40])
     for n in range(n_outputs // 4)], batch_size=2000)
outputs = Output.objects.bulk_create(
    [Output(item=i, system=s) for i in items for s in systems], batch_size=2000)
versions = OutputVersion.objects.bulk_create(
    [OutputVersion(output=o, text=f"A subject line {o.pk}", checksum="0") for o in outputs],
    batch_size=2000)
Unit.objects.bulk_create(
    [Unit(study=study, item_id=v.output.item_id, system_id=v.output.system_id, output_version=v)
     for v in versions], batch_size=2000)
change_state(study, StudyState.OPEN, at=now)
group = study.groups.get()
judges = [add_judge(group, at=now) for _ in range(n_judges)]
Judge.objects.update(instructed_at=now, preferences={"phases_read": ["rating"]})
print(json.dumps([judge_token(judge) for judge in judges]))
"""


def rows():
    for n_outputs in (80, 100_000):
        for n_judges in (1, 8, 32):
            yield run(n_outputs=n_outputs, n_judges=n_judges)
    if os.environ.get("BENCH_LARGE"):
        yield run(n_outputs=1_000_000, n_judges=8)


def run(*, n_outputs, n_judges):
    """Rate with the judges at once; return CPU per rated output against Potato's."""
    with tempfile.TemporaryDirectory() as folder, prepared(folder, n_outputs, n_judges) as tokens:
        with server(folder) as (process, port):
            before, started = cpu_seconds(process.pid), time.perf_counter()
            judges = work(port, tokens, n_rated=min(N_RATED, 3 * n_outputs))
            wall = time.perf_counter() - started
            spent = cpu_seconds(process.pid) - before
        n_done = sum(judge.n_done for judge in judges)
        saves = sorted(t for judge in judges for t in judge.saves)
        nexts = sorted(t for judge in judges for t in judge.nexts)
        note = (
            f"{n_done} rated, {n_done / wall:.0f}/s; save {spread(saves)}; next {spread(nexts)}; "
            f"faults {sum(judge.n_faults for judge in judges)}; {audit(folder)}"
        )
    per_output = spent / max(n_done, 1)
    peer = POTATO[min(POTATO, key=lambda n: abs(n - n_judges))]
    return Row(
        f"a rated output, server CPU, {n_judges} judges, {n_outputs:,} outputs",
        per_output,
        "Potato 2.12.1, measured apart",
        peer,
        peer / per_output,
        note,
    )


class Judge(threading.Thread):
    """One judge's browser: rates until nothing comes, or enough is done."""

    def __init__(self, port, token, enough):
        super().__init__()
        self.port, self.token, self.enough = port, token, enough
        self.saves, self.nexts, self.n_done, self.n_faults = [], [], 0, 0

    def run(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        pages = self.call("GET", "next/").get("pages", [])
        while pages and not self.enough.is_set():
            page = pages.pop(0)
            (handle,) = re.findall(r'data-output="([^"]+)"', page["html"])
            for dimension in DIMENSIONS:
                body = {"uuid": str(uuid.uuid4()), "source": "key", "value": 3}
                self.timed(self.saves, "PUT", f"{handle}/ratings/{dimension}/", body)
            visit = {"phase": "rating", "opened_at": "2026-01-01T12:00:00Z", "active_ms": 1000}
            body = {"visits": [visit], "have": [held["key"] for held in pages]}
            pages += self.timed(self.nexts, "POST", f"{handle}/done/", body).get("pages", [])
            self.n_done += 1
            self.enough.count()

    def timed(self, times, *call):
        started = time.perf_counter()
        answer = self.call(*call)
        times.append(time.perf_counter() - started)
        return answer

    def call(self, method, path, body=None):
        headers = {"Authorization": f"Judge {self.token}", "Content-Type": "application/json"}
        self.connection.request(
            method, f"/api/judging/{path}", json.dumps(body) if body else None, headers
        )
        response = self.connection.getresponse()
        content = response.read()
        if response.status != 200:
            self.n_faults += 1
            return {}
        return json.loads(content)


class Enough(threading.Event):
    """Set once so many outputs are rated by all judges together."""

    def __init__(self, n):
        super().__init__()
        self.left, self.lock = n, threading.Lock()

    def count(self):
        with self.lock:
            self.left -= 1
            if self.left <= 0:
                self.set()


def work(port, tokens, *, n_rated):
    enough = Enough(n_rated)
    judges = [Judge(port, token, enough) for token in tokens]
    for judge in judges:
        judge.start()
    for judge in judges:
        judge.join()
    return judges


@contextmanager
def prepared(folder, n_outputs, n_judges):
    """Make the study; drop it again from a database that stays."""
    manage(folder, "migrate", "-v0")
    if "DATABASE_URL" in os.environ:
        manage(folder, "flush", "--no-input", "-v0")
    made = subprocess.run(
        [sys.executable, "-c", PREPARE, str(n_outputs), str(n_judges)],
        env=environment(folder), cwd=ROOT, check=True, capture_output=True, text=True,
    )  # fmt: skip
    yield json.loads(made.stdout.splitlines()[-1])


@contextmanager
def server(folder):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "config.wsgi", "-k", "gthread", "-w", "2",
               "--threads", "4", "-b", f"127.0.0.1:{port}", "--log-level", "error"]  # fmt: skip
    process = subprocess.Popen(command, env=environment(folder), cwd=ROOT)
    try:
        wait_for(port)
        yield process, port
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def wait_for(port):
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    for _ in range(8):  # every worker has imported the product before the clock starts
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", "/sign-in/")
        connection.getresponse().read()


def cpu_seconds(pid):
    """Return user and system seconds of a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ticks = 0
    for one in [pid, *children]:
        fields = Path(f"/proc/{one}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += sum(int(field) for field in fields[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


def audit(folder):
    done = manage(folder, "audit", "bench", check=False)
    return done.stdout.strip().splitlines()[-1].lower()


def spread(times):
    if len(times) < 2:
        return "-"
    return f"p50 {median(times) * 1000:.0f} p95 {quantiles(times, n=20)[-1] * 1000:.0f} ms"


def manage(folder, *arguments, check=True):
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        env=environment(folder), cwd=ROOT, check=check, capture_output=True, text=True,
    )  # fmt: skip


def environment(folder):
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings.dev", "CONCORD_VAR": folder}
    return {**os.environ, **settings}
