"""Reading and checking against csv.DictReader with casts, which checks nothing."""

import csv
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from annotation.importing import Rules, ScaleRule, check, dry_run, guess_mapping, read

SIZES = (10_000, 100_000)
SCALE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))
PEER = "csv.DictReader with casts, unchecked"
WORDS = (
    "staff",
    "friendly",
    "helpful",
    "great",
    "clean",
    "late",
    "car",
    "food",
    "service",
    "price",
)


def rows() -> Iterator[tuple[str, float, str, float, float, str]]:
    """Yield (work, our CPU seconds, peer, its CPU seconds, ratio, note)."""
    with tempfile.TemporaryDirectory() as folder:
        for n in SIZES:
            for kind, make in (("ratings", ratings_file), ("outputs", outputs_file)):
                path = make(Path(folder) / f"{kind}.csv", n)
                theirs = seconds(lambda path=path, kind=kind: peer(path, kind))
                for name, ours in (("dry run", dry), ("row by row", row_by_row)):
                    mine = seconds(lambda path=path, kind=kind, ours=ours: ours(path, kind))
                    note = f"{n / mine:,.0f} rows a second, peak {peak()} MB in all"
                    yield f"{name}, {n:,} {kind}", mine, PEER, theirs, theirs / mine, note


def seconds(work: Callable[[], object]) -> float:
    """Return the least CPU seconds of three runs; the first one also pays for imports."""
    spent = []
    for _ in range(3):
        start = time.process_time()
        work()
        spent.append(time.process_time() - start)
    return min(spent)


def peak() -> int:
    """Return the most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def dry(path: Path, kind: str) -> None:
    """Check a file as the upload page does."""
    assert dry_run(path, kind=kind, rules=SCALE).outcome == "accept"


def row_by_row(path: Path, kind: str) -> None:
    """Check a file and build every row, as the loader does."""
    reading = read(path, kind=kind)
    mapping = guess_mapping(reading.header, kind, reading.sample())
    checked = check(reading, mapping, SCALE)
    assert sum(1 for _ in checked) == checked.report.n_read


def peer(path: Path, kind: str) -> list[tuple[object, ...]]:
    """Read a file as most scripts do."""
    with path.open(newline="", encoding="utf-8") as stream:
        if kind == "outputs":
            return [(r["item_id"], r["system"], r["output"]) for r in csv.DictReader(stream)]
        return [
            (r["item_id"], r["system"], r["judge"], r["dimension"], float(r["value"]))
            for r in csv.DictReader(stream)
        ]


def ratings_file(path: Path, n: int) -> Path:
    """Write n simulated ratings: four systems, three judges an output, three dimensions."""
    rng = np.random.default_rng(1)
    with path.open("w", newline="", encoding="utf-8") as stream:
        stream.write("item_id,system,judge,judge_group,dimension,value\n")
        for number in range(n):
            item, rest = divmod(number, 36)
            system, rest = divmod(rest, 9)
            judge, dimension = divmod(rest, 3)
            name = ("fluency", "coherence", "overall")[dimension]
            who = f"J{(item * 7 + judge) % 500:03d}"
            stream.write(f"i{item},s{system},{who},crowd,{name},{rng.integers(1, 6)}\n")
    return path


def outputs_file(path: Path, n: int) -> Path:
    """Write n simulated outputs of forty words, four systems an item."""
    rng = np.random.default_rng(1)
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["item_id", "system", "output"])
        for number in range(n):
            text = " ".join(rng.choice(WORDS, size=40))
            writer.writerow([f"i{number // 4}", f"s{number % 4}", f"{text}, {number}."])
    return path
