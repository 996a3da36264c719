"""Which delimiter a table uses, and whether its first row names the columns."""

import csv
import re
from collections import Counter
from itertools import islice

CANDIDATES = ("\t", ",", ";", "|")
N_LINES = 200
NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?%?")


def guess_delimiter(head: str) -> str:
    """Return the candidate that cuts the first records into most, and most equal, pieces.

    Records, not lines, are counted, so that delimiters inside quoted texts do not count.
    """
    best, best_rank = ",", (0.0, 0.0, 0)
    for order, delimiter in enumerate(CANDIDATES):
        widths = _widths(head, delimiter)
        if not widths:
            continue
        named = widths[0]
        if named < 2:
            continue
        alike = Counter(widths)[named] / len(widths)
        rank = (round(alike, 1) if alike >= 0.5 else 0.1, float(named), -order)
        if rank > best_rank:
            best, best_rank = delimiter, rank
    return best


def _widths(head: str, delimiter: str) -> list[int]:
    lines = head.splitlines(keepends=True)
    reader = csv.reader(lines, delimiter=delimiter)
    try:
        return [len(row) for row in islice(reader, N_LINES) if row]
    except csv.Error:
        return [line.count(delimiter) + 1 for line in lines[:N_LINES] if line.strip()]


def looks_like_data(first: list[str], known: frozenset[str]) -> bool:
    """Whether the first row is data rather than names.

    It is, where no cell is a known column name and some cell is a number or a long text.
    """
    cells = [cell.strip() for cell in first]
    if any(fold(cell) in known for cell in cells):
        return False
    return any(NUMBER.fullmatch(cell) or len(cell) > 80 for cell in cells)


def fold(name: str) -> str:
    """Return a column name as names are compared: lower case, words joined by underscores."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip().strip("\ufeff"))
    return re.sub(r"[\s\-_./]+", "_", spaced).strip("_").lower()
