"""From upload to the report with its heat map: ten metrics on 14 x 100 outputs, as a worker works.

Wall time of one worker with two processes for slow metrics, on SQLite, with an empty cache.
"""

import os
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
        site = {**os.environ, "CONCORD_VAR": folder, "DJANGO_SETTINGS_MODULE": SETTINGS}
        _manage(site, "migrate", "-v0")
        _manage(site, "create_study", "opin", "--preset", "opinion_summaries")
        steps = {
            "upload of 1,400 outputs": ("import_outputs", "opin", DATA / "outputs.jsonl.gz"),
            "upload of their ratings": ("import_ratings", "opin", DATA / "ratings.csv.gz"),
            "ten metrics": ("run_metrics", "opin", "--metrics", METRICS),
            "the report with its heat map": ("report", "--study", "opin", "--out", f"{folder}/out"),
        }
        whole = 0.0
        for name, command in steps.items():
            started = time.perf_counter()
            _manage(site, *map(str, command))
            seconds = time.perf_counter() - started
            whole += seconds
            yield Row(f"14 x 100 outputs: {name}, wall time", seconds, "-", nan, nan)
        note = "asked for: under 60 s"
        yield Row("14 x 100 outputs: upload to heat map, wall time", whole, "-", nan, nan, note)


SETTINGS = "config.settings.dev"


def _manage(site, *arguments):
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, cwd=ROOT, env=site, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    for row in rows():
        print(row.as_line(), flush=True)
