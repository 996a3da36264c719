"""Statistics for R, the shell and everybody else: JSON lines in, JSON lines out.

    python -m metrics_app.stats < requests.jsonl > answers.jsonl
    python -m metrics_app.stats --list

A request is one line ``{"id", "statistic", "options", "data"}``; its answer is one line with the
same ``id`` and one of

- what exists of ``value``, ``se``, ``ci`` and ``p``, and further facts under their own names;
- ``undefined`` with a reason code (`metrics_app.stats.undefined`), and what is known all the same;
- ``error`` with a sentence that says what is wrong and where;
- ``unsupported``: true, where no statistic has that name.

Options that a statistic does not read are listed under ``ignored``.

A missing value is ``null``; NaN and infinity are never printed. A line that is no JSON is answered
with its line number, and the next is read. Data come as

- ``ratings``: units in rows, raters in columns; ``table``: rater 1 in rows, rater 2 in columns;
  ``counts``: units in rows, categories in columns;
- ``groups``: name to values; ``x`` and ``y``; ``p``; ``summary`` of a sample;
- ``metric`` and ``human``: systems in rows, items in columns;
- ``labels``: rows of judge, unit, label, or objects for facts; ``comparisons``: rows of preferred,
  other; ``scores``: items in rows, systems in columns; ``y`` and rows ``X`` for a regression.

Statistics that draw at random take the option ``seed`` (0 where it is not given).
``--list`` prints every name; `docs/statistics.md` says what each computes.
"""

import argparse
import os
import sys

from metrics_app.stats.lines.answers import handlers, write_answers


def main() -> None:
    """Answer standard input line by line, or list the names of all statistics."""
    parser = argparse.ArgumentParser(
        prog="python -m metrics_app.stats",
        description="Read JSON lines {id, statistic, options, data}, write one answer line each.",
    )
    parser.add_argument("--list", action="store_true", help="print the names of all statistics")
    if parser.parse_args().list:
        print("\n".join(sorted(handlers())))
        return
    try:
        write_answers(sys.stdin.buffer)
    except BrokenPipeError:
        # The reader (head, say) has had enough; closing again at exit must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
