"""The judge loop over HTTP against a real server: gunicorn on SQLite and on PostgreSQL.

Each judge makes the calls that the page makes: the next pages, three ratings, done with what comes
next. Server CPU is that of the web server's processes (PostgreSQL's own is told beside it);
afterwards the places are audited. The small study is judged whole, the others in part, so that
what is drawn ahead for a judge belongs to outputs that are rated. A judge who is faster than the
server allows one to be waits as it says, outside of the times given. PostgreSQL is a private one,
where it is installed. The peers' figures are of the same work on a machine of this class, from
their default installations.
"""

import contextlib
import os
import tempfile
import time
from math import nan
from statistics import median, quantiles

from tests.benchmarks.row import Row
from tests.load.judge import Enough, Judge
from tests.load.postgres import find_binaries, private_postgres
from tests.load.site import Site
from tests.load.study import K

SMALL, LARGE, HUGE = 80, 100_000, 1_000_000
# Outputs that each judge rates in the larger studies.
N_EACH = 30
# CPU seconds of server per rated output, with every call of the real screen.
POTATO = {1: 0.067, 8: 0.137, 32: 0.137}


def rows():
    with contextlib.ExitStack() as stack:
        databases = {"SQLite": None}
        if find_binaries():
            databases["PostgreSQL"] = stack.enter_context(private_postgres())
        for name, postgres in databases.items():
            with tempfile.TemporaryDirectory() as folder:
                site = Site(folder, database_url=postgres.url if postgres else "")
                for n_judges in (1, 8, 32):
                    yield from run_all(site, name, postgres, SMALL, [n_judges])
                yield from run_all(site, name, postgres, LARGE, [1, 8, 32])
                if os.environ.get("BENCH_LARGE"):
                    yield from run_all(site, name, postgres, HUGE, [8])


def run_all(site, name, postgres, n_outputs, all_n_judges):
    """Make a study, and let ever more judges rate in it."""
    made = site.prepare(n_outputs=n_outputs, n_judges=sum(all_n_judges))
    if n_outputs >= LARGE:
        work_done = f"opening a study of {n_outputs:,} outputs, wall time, {name}"
        yield Row(work_done, made["opening"], "-", nan, nan)
    tokens = made["tokens"]
    for n_judges in all_n_judges:
        judges = tokens[:n_judges]
        yield run(site, name, judges, postgres, n_outputs=n_outputs, limit=made["limit"])
        tokens = tokens[n_judges:]


def run(site, name, tokens, postgres, *, n_outputs, limit):
    """Rate with the judges at once; return CPU per rated output against Potato's."""
    n_judges = len(tokens)
    n_rated = n_outputs * K if n_outputs == SMALL else max(240, N_EACH * n_judges)
    with site.running():
        before, started = site.cpu_seconds(), time.perf_counter()
        base = postgres.cpu_seconds() if postgres else 0.0
        judges = work(site.port, tokens, n_rated=n_rated)
        wall = time.perf_counter() - started
        spent = site.cpu_seconds() - before
        base = postgres.cpu_seconds() - base if postgres else 0.0
    n_done = sum(judge.n_done for judge in judges)
    per_output = spent / max(n_done, 1)
    beside = f"PostgreSQL {base / max(n_done, 1):.4f} s more; " if postgres else ""
    note = (
        f"{beside}{n_done} rated, {n_done / wall:.0f}/s; "
        f"save {spread([t for judge in judges for t in judge.saves])}; "
        f"next {spread([t for judge in judges for t in judge.nexts])}; {told_of(judges, limit)}; "
        f"{site.audit()}"
    )
    peer = POTATO[min(POTATO, key=lambda n: abs(n - n_judges))]
    return Row(
        f"a rated output, server CPU, {n_judges} judges, {n_outputs:,} outputs, {name}",
        per_output,
        "Potato 2.12.1, measured apart",
        peer,
        peer / per_output,
        note,
    )


def told_of(judges, limit):
    """Return how often the judges were refused, and how often only told to slow down."""
    n_waits = sum(judge.n_waits for judge in judges)
    faults = f"faults {sum(judge.n_faults for judge in judges)}"
    return f"{faults}; waited {n_waits} times: {limit}" if n_waits else faults


class TimedJudge(Judge):
    """Notes how long saves and hand-ins took; ``pause`` seconds go before each."""

    def __init__(self, port, token, enough, *, pause=0.0):
        super().__init__(port, token, enough)
        self.pause = pause
        self.saves, self.nexts = [], []

    def rate(self, *args, **kwargs):
        return self._timed(self.saves, super().rate, *args, **kwargs)

    def hand_in(self, *args, **kwargs):
        return self._timed(self.nexts, super().hand_in, *args, **kwargs)

    def _timed(self, times, act, *args, **kwargs):
        time.sleep(self.pause)
        answer = act(*args, **kwargs)
        times.append(self.took)
        return answer


def work(port, tokens, *, n_rated):
    enough = Enough(n_rated)
    judges = [TimedJudge(port, token, enough) for token in tokens]
    for judge in judges:
        judge.start()
    for judge in judges:
        judge.join()
    return judges


def spread(times):
    if len(times) < 2:
        return "-"
    return f"p50 {median(times) * 1000:.0f} p95 {quantiles(times, n=20)[-1] * 1000:.0f} ms"
