"""From upload to the report with its heat map: ten metrics on 14 x 100 outputs, as a worker works.

Wall time of one worker with two processes for slow metrics, on SQLite, with an empty cache.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from math import nan
from pathlib import Path

from tests.benchmarks.row import Row

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data" / "opinsummeval"
METRICS = "rouge1,rouge2,rougeL,rougeSU4,bleu,chrf,meteor,length,compression,copy_rate"


def rows():
    """Yield the time of every step, and of all together."""
    if not DATA.exists():
        return
    with tempfile.TemporaryDirectory() as folder:
        site = site_in(folder)
        manage(site, "migrate", "-v0")
        manage(site, "create_study", "opin", "--preset", "opinion_summaries")
        manage(site, "report", "--help")  # what an installed copy has compiled already
        manage(site, "run_metrics", "--list")
        steps = {
            "upload of 1,400 outputs": ("import_outputs", "opin", DATA / "outputs.jsonl.gz"),
            "upload of their ratings": ("import_ratings", "opin", DATA / "ratings.csv.gz"),
            "ten metrics": ("run_metrics", "opin", "--metrics", METRICS),
            "the report with its heat map": ("report", "--study", "opin", "--out", f"{folder}/out"),
        }
        whole = whole_cpu = 0.0
        for name, command in steps.items():
            started, before = time.perf_counter(), _cpu_seconds()
            manage(site, *map(str, command))
            seconds, cpu = time.perf_counter() - started, _cpu_seconds() - before
            whole, whole_cpu = whole + seconds, whole_cpu + cpu
            yield _row(name, seconds, cpu)
        yield _row("upload to heat map", whole, whole_cpu, "; asked for: under 60 s")


def _row(name, seconds, cpu, more=""):
    note = f"CPU of all its processes {cpu:.1f} s{more}"
    return Row(f"14 x 100 outputs: {name}, wall time", seconds, "-", nan, nan, note)


def _cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


SETTINGS = "config.settings.dev"


def site_in(folder):
    """Return the environment of an empty site, which compiles its modules once, as any does."""
    site = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    own = {"CONCORD_VAR": folder, "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}
    return {**site, **own, "DJANGO_SETTINGS_MODULE": SETTINGS}


def manage(site, *arguments):
    """Run one command of the product on a site."""
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, cwd=ROOT, env=site, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    for row in rows():
        print(row.as_line(), flush=True)
