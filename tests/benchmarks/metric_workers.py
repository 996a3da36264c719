"""Every metric in the box on 10,000 outputs, as a worker runs them: with one process and with two.

Wall time of the whole run with its reading and storing, on SQLite, with nothing cached.
"""

import gzip
import json
import tempfile
import time
from pathlib import Path

from metrics_app.metrics.registry import REGISTRY
from tests.benchmarks.metric_runs import DATA, manage, site_in
from tests.benchmarks.row import Row

N_OUTPUTS = 10_000
IN_THE_BOX = [key for key, metric in REGISTRY.items() if not metric.extra]


def rows():
    """Yield the time with two processes beside that with one."""
    if not DATA.exists():
        return
    seconds = {n_processes: _run(n_processes) for n_processes in (1, 2)}
    work = f"all {len(IN_THE_BOX)} metrics in the box on {N_OUTPUTS:,} outputs, 2 processes"
    note = "wall time, as a worker runs them"
    yield Row(work, seconds[2], "1 process", seconds[1], seconds[1] / seconds[2], note)


def _run(n_processes):
    with tempfile.TemporaryDirectory() as folder:
        site = {**site_in(folder), "CONCORD_METRIC_PROCESSES": str(n_processes)}
        manage(site, "migrate", "-v0")
        manage(site, "create_study", "large", "--preset", "opinion_summaries")
        outputs = Path(folder) / "outputs.jsonl"
        outputs.write_text("".join(_lines()), encoding="utf-8")
        manage(site, "import_outputs", "large", str(outputs))
        manage(site, "run_metrics", "--list")  # compiles what an installed copy has compiled
        started = time.perf_counter()
        manage(site, "run_metrics", "large", "--metrics", ",".join(IN_THE_BOX))
        return time.perf_counter() - started


def _lines():
    """Yield items with texts of their own, as long as those of the study they are made of."""
    with gzip.open(DATA / "outputs.jsonl.gz", "rt", encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines]
    n_items = -(-N_OUTPUTS // len(items[0]["outputs"]))
    for place in range(n_items):
        item = items[place % len(items)]
        outputs = {system: f"{text} ({place})" for system, text in item["outputs"].items()}
        own = {"item_id": f"item{place}", "outputs": outputs}
        # The references stand as prior texts too: the time does not depend on what they say.
        yield json.dumps({**item, "prior_references": item["references"], **own}) + "\n"


if __name__ == "__main__":
    for row in rows():
        print(row.as_line(), flush=True)
