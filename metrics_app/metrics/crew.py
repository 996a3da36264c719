"""Several processes that score side by side; each ends by itself when its caller is gone.

Plain child processes with a pipe each: the pools of the standard library refuse to start inside a
Celery worker, and leave their children behind when the worker is killed.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
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
    """A fixed number of processes; the first call starts them."""

    def __init__(self, n_members: int) -> None:
        self.n_members = n_members
        self._idle: SimpleQueue[subprocess.Popen[str]] = SimpleQueue()
        self._stack = ExitStack()
        self._pool: ThreadPoolExecutor | None = None

    @property
    def is_started(self) -> bool:
        """Whether the processes are there already."""
        return self._pool is not None

    def score(self, metric: Metric, batch: Batch) -> list[Score]:
        """Return the scores of a batch, dealt to all members, in its order."""
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
            for _ in range(self.n_members):
                self._idle.put(self._stack.enter_context(_member()))
        return self._pool

    def _ask(self, metric: Metric, batch: Batch) -> list[Score]:
        if not batch:
            return []
        member = self._idle.get()
        try:
            answer = _asked(member, json.dumps([name_of(metric), _texts(batch)]))
        finally:
            self._idle.put(member)
        return [_score(cells) for cells in json.loads(answer)]


@contextmanager
def crew(n_members: int) -> Iterator[Crew]:
    """Give a crew, and end it."""
    own = Crew(n_members)
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


def _asked(member: "subprocess.Popen[str]", question: str) -> str:
    answer = ""
    with suppress(BrokenPipeError):
        if member.stdin and member.stdout:
            member.stdin.write(question + "\n")
            member.stdin.flush()
            answer = member.stdout.readline()
    if not answer:
        raise RuntimeError("A process that computes metrics has ended; memory may be short.")
    return answer


def _texts(batch: Batch) -> list[list[Any]]:
    return [[row.output, row.references, row.sources, row.priors] for row in batch]


def _score(cells: Sequence[Any]) -> Score:
    return float(cells[0]) if len(cells) == 1 else Undefined(*cells)


def _cells(score: Score) -> list[object]:
    return [score.reason, score.detail] if isinstance(score, Undefined) else [score]


def serve() -> None:
    """Answer lines of standard input until it ends."""
    for line in sys.stdin:
        name, texts = json.loads(line)
        batch = [Example(output, *map(tuple, others)) for output, *others in texts]
        scores = compute(read_choice(name), batch).values
        sys.stdout.write(json.dumps([_cells(score) for score in scores]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
