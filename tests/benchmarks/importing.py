"""Reading and checking against csv.DictReader with casts or json.loads, which check nothing."""

import csv
import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from annotation.importing import Rules, ScaleRule, check, dry_run, guess_mapping, read

SIZES = (10_000, 100_000, 1_000_000)
SCALE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))
PEERS = {
    ".csv": "csv.DictReader with casts, unchecked",
    ".jsonl": "json.loads of each line, unchecked",
}
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
    makers = {
        "ratings.csv": ratings_file,
        "outputs.csv": outputs_file,
        "outputs.jsonl": outputs_lines,
    }
    with tempfile.TemporaryDirectory() as folder:
        for n in SIZES:
            for name, make in makers.items():
                path = make(Path(folder) / name, n)
                yield from rows_of(path, n)
                path.unlink()  # a million rows are a quarter of a gigabyte


def rows_of(path: Path, n: int) -> Iterator[tuple[str, float, str, float, float, str]]:
    """Yield the dry run and the reading row by row of one file of n rows."""
    kind = path.stem
    n_runs = 3 if n < 1_000_000 else 1
    theirs = seconds(lambda: peer(path, kind), n_runs)
    for name, ours in (("dry run", dry), ("row by row", row_by_row)):
        mine = seconds(lambda ours=ours: ours(path, kind), n_runs)
        note = f"{n / mine:,.0f} rows a second, peak {peak()} MB in all"
        yield (
            f"{name}, {n:,} rows of {path.name}",
            mine,
            PEERS[path.suffix],
            theirs,
            theirs / mine,
            note,
        )


def seconds(work: Callable[[], object], n_runs: int) -> float:
    """Return the least CPU seconds of some runs; the first one also pays for imports."""
    spent = []
    for _ in range(n_runs):
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


def peer(path: Path, kind: str) -> int:
    """Read a file as most scripts do, but keep no row, so that memory is ours alone."""
    with path.open(newline="", encoding="utf-8") as stream:
        found = map(json.loads, stream) if path.suffix == ".jsonl" else csv.DictReader(stream)
        if kind == "outputs":
            return sum(1 for r in found if (r["item_id"], r["system"], r["output"]))
        return sum(
            1
            for r in found
            if (r["item_id"], r["system"], r["judge"], r["dimension"], float(r["value"]))
        )


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
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, ["item_id", "system", "output"])
        writer.writeheader()
        writer.writerows(outputs(n))
    return path


def outputs_lines(path: Path, n: int) -> Path:
    """Write the same outputs as JSON, one a line."""
    with path.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row) + "\n" for row in outputs(n))
    return path


def outputs(n: int) -> Iterator[dict[str, str]]:
    """Yield n simulated outputs."""
    rng = np.random.default_rng(1)
    for number in range(n):
        text = " ".join(rng.choice(WORDS, size=40))
        yield {
            "item_id": f"i{number // 4}",
            "system": f"s{number % 4}",
            "output": f"{text}, {number}.",
        }
