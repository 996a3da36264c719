"""Tables whose whole lines stand in quotes, as a spreadsheet saves one column of lines."""

import csv
import re
from collections.abc import Iterator

from annotation.importing.dialect import fold, guess_delimiter

N_LINES = 20
WHOLE = re.compile(r'".*"')
Record = tuple[int, list[str]]


def delimiter_within(head: str, known: frozenset[str]) -> str:
    """Return what parts the cells within the quotes of whole lines, or nothing where none are."""
    lines = [line for line in head.lstrip("\ufeff").splitlines()[:N_LINES] if line]
    within = [line[1:-1].replace('""', "") for line in lines]
    if len(lines) < 2 or not all(map(WHOLE.fullmatch, lines)) or any('"' in its for its in within):
        return ""
    rows = [line[1:-1].replace('""', '"') for line in lines]
    delimiter = guess_delimiter("\n".join(rows), known)
    names = next(csv.reader(rows[:1], delimiter=delimiter))
    return delimiter if sum(fold(name) in known for name in names) > 1 else ""


def unwrapped_lines(records: Iterator[Record], delimiter: str) -> Iterator[Record]:
    """Yield the records with the one cell of each cut into those that it holds."""
    for line, cells in records:
        yield line, next(csv.reader(cells, delimiter=delimiter), []) if len(cells) == 1 else cells
