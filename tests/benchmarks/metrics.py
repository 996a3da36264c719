"""ROUGE against rouge-score on the same pairs, and the whole box on one and on two processes."""

import gzip
import json
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from rouge_score.rouge_scorer import RougeScorer

from metrics_app.metrics.contract import Example
from metrics_app.metrics.registry import REGISTRY, compute
from metrics_app.metrics.rouge.batch import KINDS, shared

OUTPUTS = Path(__file__).parents[3] / "shared" / "data" / "opinsummeval" / "outputs.jsonl.gz"
N_OUTPUTS, N_TIMED = 10_000, 40
IN_THE_BOX = [key for key, metric in REGISTRY.items() if not metric.extra]


def rows():
    """Yield (work, our seconds, peer, its seconds, ratio, note)."""
    yield from _rouge()
    yield _two_workers()


def _rouge():
    examples = _examples()
    outputs = [example.output for example in examples]
    references = [example.references[0] for example in examples]
    for stem in (True, False):
        ours, found = _best_of(5, lambda stem=stem: shared(outputs, references, stem=stem))
        peer = RougeScorer(list(KINDS), use_stemmer=stem)
        theirs, expected = _best_of(1, lambda peer=peer: list(map(peer.score, references, outputs)))
        table = [
            [[scores[kind][place] for scores in expected] for kind in KINDS] for place in range(3)
        ]
        equal = "equal on every pair" if np.array_equal(found.measures(), table) else "NOT EQUAL"
        work = f"ROUGE-1/2/L p, r, f of {len(outputs)} outputs, {'stemmed' if stem else 'plain'}"
        yield work, ours, "rouge-score", theirs, theirs / ours, equal


def _two_workers():
    examples = _examples()[:N_TIMED]
    jobs = [(key, examples[start::2]) for key in IN_THE_BOX for start in (0, 1)]
    jobs.sort(key=lambda job: -REGISTRY[job[0]].cost)
    seconds = {}
    for n_workers in (1, 2):
        with ProcessPoolExecutor(n_workers) as pool:
            list(pool.map(_warm, range(n_workers)))
            start = time.perf_counter()
            list(pool.map(_score, jobs))
            seconds[n_workers] = (time.perf_counter() - start) * N_OUTPUTS / N_TIMED
    work = f"all {len(IN_THE_BOX)} metrics in the box on {N_OUTPUTS} outputs, 2 workers"
    note = f"wall time, linear from {N_TIMED} outputs"
    return work, seconds[2], "1 worker", seconds[1], seconds[1] / seconds[2], note


def _warm(_worker):
    example = Example("a warm start", ("a warm start",), ("a start",), ("a start",))
    for key in IN_THE_BOX:
        compute(REGISTRY[key], [example])
    time.sleep(0.5)  # so that the other worker takes the other call


def _score(job):
    key, examples = job
    compute(REGISTRY[key], examples)


def _best_of(n_runs, work):
    seconds = []
    for _ in range(n_runs):
        start = time.process_time()
        found = work()
        seconds.append(time.process_time() - start)
    return min(seconds), found


def _examples():
    if not OUTPUTS.exists():
        return _made_up()
    with gzip.open(OUTPUTS, "rt", encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines]
    # Every reference stands as the prior text too: the time does not depend on what it says.
    return [
        Example(output, tuple(i["references"]), tuple(i["source"]), tuple(i["references"]))
        for i in items
        for output in i["outputs"].values()
    ]


def _made_up():
    rng = np.random.default_rng(0)
    words = np.array([f"word{n}" for n in range(3000)])
    share = 1 / np.arange(1, 3001)

    def text(n):
        return " ".join(rng.choice(words, n, p=share / share.sum()))

    return [Example(text(50), (text(60),), (text(400),), (text(60),)) for _ in range(1400)]


if __name__ == "__main__":
    for row in rows():
        print(*row, sep=" | ")
