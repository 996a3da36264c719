"""ROUGE against rouge-score, and TER against sacrebleu, on the same pairs."""

import gzip
import json
import statistics
import time
from pathlib import Path

import numpy as np
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.lib_ter import translation_edit_rate

from metrics_app.metrics.contract import Example
from metrics_app.metrics.rouge.batch import KINDS, shared
from metrics_app.metrics.ter import edits

OUTPUTS = Path(__file__).parents[3] / "shared" / "data" / "opinsummeval" / "outputs.jsonl.gz"
N_PAIRS_OF_TER = 100


def rows():
    """Yield (work, our seconds, peer, its seconds, ratio, note)."""
    examples = _examples()
    outputs = [example.output for example in examples]
    references = [example.references[0] for example in examples]
    yield from _rouge(outputs, references, "outputs")
    # Here no text comes twice on its side, so nothing is tokenised once for many.
    yield from _rouge(outputs[1:], outputs[:-1], "outputs, each with a reference of its own")
    yield from _ter(outputs, references)


def _rouge(outputs, references, name):
    for stem in (True, False):
        ours, found = _median_of(
            25, lambda stem=stem: shared(outputs, references, stem=stem).measures()
        )
        peer = RougeScorer(list(KINDS), use_stemmer=stem)
        theirs, expected = _median_of(
            3, lambda peer=peer: list(map(peer.score, references, outputs))
        )
        table = [
            [[scores[kind][place] for scores in expected] for kind in KINDS] for place in range(3)
        ]
        equal = "equal on every pair" if np.array_equal(found, table) else "NOT EQUAL"
        work = f"ROUGE-1/2/L p, r, f of {len(outputs)} {name}, {'stemmed' if stem else 'plain'}"
        yield work, ours, "rouge-score", theirs, theirs / ours, equal


def _ter(outputs, references):
    pairs = [
        tuple(text.lower().split() for text in pair)
        for pair in list(zip(outputs, references, strict=True))[:: len(outputs) // N_PAIRS_OF_TER]
    ]
    ours, found = _median_of(3, lambda: [edits(*pair) for pair in pairs])
    theirs, expected = _median_of(1, lambda: [translation_edit_rate(*pair)[0] for pair in pairs])
    equal = "equal on every pair" if found == expected else "NOT EQUAL"
    yield f"TER's edits of {len(pairs)} outputs", ours, "sacrebleu", theirs, theirs / ours, equal


def _median_of(n_runs, work):
    seconds = []
    for _ in range(n_runs):
        start = time.process_time()
        found = work()
        seconds.append(time.process_time() - start)
    return statistics.median(seconds), found


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
