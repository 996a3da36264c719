"""Automatic metrics for R, the shell and everybody else: JSON lines in, JSON lines out.

    python -m metrics_app.metrics < requests.jsonl > answers.jsonl
    python -m metrics_app.metrics --list

A request is one line ``{"id", "statistic", "options", "data"}`` as `python -m metrics_app.stats`
takes them; the statistic is a metric's key. Data are

- ``candidate`` and what the metric needs of ``references``, ``sources`` and ``priors`` (lists of
  texts);
- for ``corpus_*``: ``candidates``, and ``references`` as streams, one list per reference set.

Options are the metric's parameters and ``policy`` (each, mean, best, jackknife, set_union).
ROUGE answers with p, r and f, everything else with one number; ``signature`` says what was done.
"""

import argparse
import os
import sys

from metrics_app.metrics.lines import HANDLERS
from metrics_app.stats.lines.answers import write_answers


def main() -> None:
    """Answer standard input line by line, or list the names of all metrics."""
    parser = argparse.ArgumentParser(
        prog="python -m metrics_app.metrics",
        description="Read JSON lines {id, statistic, options, data}, write one answer line each.",
    )
    parser.add_argument("--list", action="store_true", help="print the names of all metrics")
    if parser.parse_args().list:
        print("\n".join(sorted(HANDLERS)))
        return
    try:
        write_answers(sys.stdin.buffer, HANDLERS)
    except BrokenPipeError:
        # The reader (head, say) has had enough; closing again at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
