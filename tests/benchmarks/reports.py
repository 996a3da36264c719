"""The first report of a large study, from columns in memory to its files and its page.

20 systems x 5,000 items x 3 judges x 3 dimensions make 900,000 ratings, and 20 metrics 2,000,000
scores. CPU seconds of one process. Then the same out of a database (``DATABASE_URL``, else SQLite),
from the request to the stored result, in seconds of the clock.
"""

import datetime as dt
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

SYSTEMS, ITEMS, JUDGES, DIMENSIONS, METRICS = 20, 5_000, 3, 3, 20
REPLICATES = 1_000


def rows():
    """Yield (work, our seconds, peer, its seconds, ratio, note)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.test")
    import django

    django.setup()
    nothing = ("none", float("nan"), float("nan"))
    report, computing = _timed(_report)
    with tempfile.TemporaryDirectory() as folder:
        _, writing = _timed(lambda: _write(report, Path(folder)))
    size = f"{SYSTEMS * ITEMS * JUDGES * DIMENSIONS:,} ratings, {METRICS} metrics"
    note = f"{REPLICATES:,} replicates; computed in {computing:.1f} s, files in {writing:.1f} s"
    yield f"first report, {size}", computing + writing, *nothing, note
    plain = report.as_json()
    _page(plain)
    _, page = _timed(lambda: _page(plain))
    yield f"its page, {size}", page, *nothing, "from the stored result to HTML"
    yield from _from_database(size, nothing)


def _from_database(size, nothing):
    command = [sys.executable, "-m", "tests.benchmarks.large_study"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    *seconds, page, memory = map(float, out.split())
    done, cpu, reading, reading_cpu = seconds
    kind = "PostgreSQL" if os.environ.get("DATABASE_URL", "").startswith("postgres") else "SQLite"
    note = (
        f"clock, a task run; {cpu:.1f} s of it CPU of the worker; rows read after {reading:.1f} s "
        f"({reading_cpu:.1f} s CPU); peak {memory:.0f} MB"
    )
    yield f"report from the database, {kind}, {size}", done, *nothing, note
    yield f"its page, answered by the server, {kind}", page, *nothing, "clock, warm, median of 6"


def _timed(work):
    started = time.process_time()
    return work(), time.process_time() - started


def _report():
    from metrics_app.reports.building import ReportOptions, build_report

    options = ReportOptions(seed=1, n_resamples=REPLICATES)
    return build_report(evaluation(), options, generated_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))


def evaluation():
    """Return ratings of systems that differ a little by judges that differ a little, and scores."""
    from metrics_app.loaders.evaluation import Evaluation, Judgements, Scores
    from metrics_app.loaders.names import Names
    from metrics_app.stats.scales import Scale

    rng = np.random.default_rng(20260101)
    shape = (DIMENSIONS, SYSTEMS, ITEMS, JUDGES)
    codes = dict(zip("dsij", (axis.ravel() for axis in np.indices(shape)), strict=True))
    quality = rng.normal(0, 0.4, (SYSTEMS, 1)) + rng.normal(0, 0.6, (SYSTEMS, ITEMS))
    noise = rng.normal(0, 0.8, shape) + rng.normal(0, 0.2, JUDGES)
    value = np.clip(np.round(3 + quality[None, :, :, None] + noise), 1, 5).ravel()
    names = {
        "dimension": Names(codes["d"], _keys("dimension", DIMENSIONS)),
        "judge": Names(codes["j"], _keys("judge", JUDGES)),
        "item": Names(codes["i"], _keys("item", ITEMS)),
        "system": Names(codes["s"], _keys("system", SYSTEMS)),
    }
    one = {name: Names(np.zeros(value.size, np.int64), (key,))
           for name, key in (("group", "crowd"), ("batch", ""), ("fact", ""))}  # fmt: skip
    judgements = Judgements(**names, **one, value=value, at=np.full(value.size, np.nan))
    metric, system, item = (axis.ravel() for axis in np.indices((METRICS, SYSTEMS, ITEMS)))
    follows = quality[None] * rng.uniform(0, 1, (METRICS, 1, 1))
    scores = Scores(
        metric=Names(metric, _keys("metric", METRICS)),
        item=Names(item, judgements.item.keys),
        system=Names(system, judgements.system.keys),
        value=(follows + rng.normal(0, 1, follows.shape)).ravel(),
    )
    scales = {name: Scale.points(range(1, 6)) for name in judgements.dimension.keys}
    return Evaluation("large", judgements, scales, scores=scores)


def _keys(name, number):
    return tuple(f"{name}{place:04d}" for place in range(number))


def _write(report, folder):
    from metrics_app.reports.writers.folder import WRITERS

    for write in WRITERS:
        write(report, folder)


def _page(plain):
    from django.template.loader import render_to_string

    from metrics_app.reports.page.page import report_page

    page = report_page(plain)
    return render_to_string("metrics_app/standalone.html", {"page": page, "views": [page]})
