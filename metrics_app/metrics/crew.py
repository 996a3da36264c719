"""Several processes that score side by side; each ends by itself when its caller is gone.

They get all texts once, when they start, and are then asked by place: to write texts out and read
them again takes longer than many a metric needs to score them.

Plain child processes with a pipe each: the pools of the standard library refuse to start inside a
Celery worker, and leave their children behind when the worker is killed.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from metrics_app.metrics.choices import name_of, read_choice
from metrics_app.metrics.contract import Batch, Example, Metric, Score, Undefined
from metrics_app.metrics.registry import compute

_ROOT = Path(__file__).resolve().parents[2]


class Crew:
    """A fixed number of processes that know the same examples; the first call starts them."""

    def __init__(self, n_members: int, examples: Batch) -> None:
        self.n_members = n_members
        self._places = {example: place for place, example in enumerate(dict.fromkeys(examples))}
        self._idle: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
        self._stack = ExitStack()
        self._pool: ThreadPoolExecutor | None = None

    @property
    def is_started(self) -> bool:
        """Whether the processes are there already."""
        return self._pool is not None

    def score(self, metric: Metric, batch: Batch) -> list[Score]:
        """Return the scores of a batch of its examples, dealt to all members, in its order."""
        return self.begin(metric, batch)()

    def begin(self, metric: Metric, batch: Batch) -> Callable[[], list[Score]]:
        """Have a batch scored after those begun before; return what waits for its scores."""
        pool = self._started()
        parts = [batch[start :: self.n_members] for start in range(self.n_members)]
        asked = [pool.submit(self._ask, metric, part) for part in parts]

        def scores() -> list[Score]:
            found: list[Score] = [0.0] * len(batch)
            for start, answer in enumerate(asked):
                found[start :: self.n_members] = answer.result()
            return found

        return scores

    def close(self) -> None:
        """End all members."""
        self._stack.close()
        self._pool = None

    def _started(self) -> ThreadPoolExecutor:
        if self._pool is None:
            # Members end first, so that nobody waits for what is asked and not wanted any more.
            self._pool = self._stack.enter_context(ThreadPoolExecutor(self.n_members))
            texts = json.dumps(_texts(self._places))
            for _ in range(self.n_members):
                self._pool.submit(self._join, self._stack.enter_context(_member()), texts)
        return self._pool

    def _join(self, member: "subprocess.Popen[str]", texts: str) -> None:
        try:
            _tell(member, texts)
        finally:  # one that has ended already is an error when it is asked
            self._idle.put(member)

    def _ask(self, metric: Metric, batch: Batch) -> list[Score]:
        if not batch:
            return []
        places = [self._places[example] for example in batch]
        member = self._idle.get()
        try:
            answer = _asked(member, json.dumps([name_of(metric), places]))
        finally:
            self._idle.put(member)
        return [_score(cells) for cells in json.loads(answer)]


@contextmanager
def crew(n_members: int, examples: Batch) -> Iterator[Crew]:
    """Give a crew that scores these examples, and end it."""
    own = Crew(n_members, examples)
    try:
        yield own
    finally:
        own.close()


@contextmanager
def _member() -> Iterator["subprocess.Popen[str]"]:
    member = subprocess.Popen(
        [sys.executable, "-m", "metrics_app.metrics.crew"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=_ROOT,
        # The members share the cores already; threads of numpy would only get in their way.
        env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
    )
    try:
        yield member
    finally:
        member.kill()
        with suppress(OSError):  # what was not sent any more
            member.communicate()


def _tell(member: "subprocess.Popen[str]", line: str) -> None:
    if member.stdin:
        member.stdin.write(line + "\n")
        member.stdin.flush()


def _asked(member: "subprocess.Popen[str]", question: str) -> str:
    answer = ""
    with suppress(BrokenPipeError):
        _tell(member, question)
        answer = member.stdout.readline() if member.stdout else ""
    if not answer:
        raise RuntimeError("A process that computes metrics has ended; memory may be short.")
    return answer


def _texts(examples: Iterable[Example]) -> list[list[Any]]:
    """Return the texts of items, each once, and the outputs with the place of their item."""
    items: dict[object, int] = {}
    outputs = [
        [row.output, items.setdefault((row.references, row.sources, row.priors), len(items))]
        for row in examples
    ]
    return [list(items), outputs]


def _examples(texts: str) -> list[Example]:
    items, outputs = json.loads(texts)
    items = [tuple(map(tuple, item)) for item in items]
    return [Example(output, *items[place]) for output, place in outputs]


def _score(cells: Sequence[Any]) -> Score:
    return float(cells[0]) if len(cells) == 1 else Undefined(*cells)


def _cells(score: Score) -> list[object]:
    return [score.reason, score.detail] if isinstance(score, Undefined) else [score]


def serve() -> None:
    """Take the texts from the first line of standard input, then answer lines until it ends."""
    examples = _examples(sys.stdin.readline())
    for line in sys.stdin:
        name, places = json.loads(line)
        scores = compute(read_choice(name), [examples[place] for place in places]).values
        sys.stdout.write(json.dumps([_cells(score) for score in scores]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
