"""Run every module of this folder that has rows, and print one table: ``make bench``.

``python -m tests.benchmarks agreement metrics`` runs the named modules only. Times are CPU seconds
of one thread unless a row says otherwise; a ratio above 1 means that ours is faster.
"""

import pkgutil
import signal
import sys
from importlib import import_module
from pathlib import Path

from tests.benchmarks.row import Row


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # servers go down with us
    here = Path(__file__).parent
    names = [module.name for module in pkgutil.iter_modules([str(here)])]
    print("| work | ours | peer | theirs | ratio | note |\n|---|---|---|---|---|---|")
    for name in sorted(names):
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        module = import_module(f"tests.benchmarks.{name}")
        for row in getattr(module, "rows", tuple)():
            print(f"| {Row(*row).as_line()} |", flush=True)


if __name__ == "__main__":
    main()
