"""What a sheet of a workbook says beside its cells: rows that are hidden, cells that are merged.

The streaming reader of openpyxl keeps neither, so the part of the sheet is looked through once.
"""

import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from openpyxl.utils import range_boundaries

from annotation.importing.findings import Finding, finding

CHUNK = 1 << 20
OVERLAP = 1 << 10  # longer than any tag that is looked for
ROW = re.compile(rb'<(?:\w+:)?row\s[^>]*?\br="(\d+)"[^>]*?\bhidden="(?:1|true)"')
MERGED = re.compile(rb'<(?:\w+:)?mergeCell\s[^>]*?\bref="([A-Z]+\d+:[A-Z]+\d+)"')
MOST_MERGED = 100_000


@dataclass(slots=True)
class Marks:
    """Hidden rows, and the cells merged over several rows: by first row, (column, last row)."""

    hidden: list[int] = field(default_factory=list)
    merged: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    n_merged: int = 0
    first_merged: str = ""

    def findings(self) -> Iterator[Finding]:
        """Yield what an administrator should know of them."""
        if self.hidden:
            n = len(self.hidden)
            reason = f"{n:,} hidden row{'s were' if n > 1 else ' was'} read like the others."
            yield finding("hidden_rows", reason, line=self.hidden[0])
        if self.n_merged:
            reason = f"Cells are merged over several rows in {self.n_merged:,} places."
            yield finding("merged_cells", reason, value=self.first_merged)


def marks_of(path: Path, part: str, header_row: int) -> Marks:
    """Look through one sheet; only what stands below the row of the column names counts.

    Parameters
    ----------
    path : Path
        The workbook.
    part : str
        Name of the sheet's member in it.
    header_row : int
        Row of the column names.
    """
    marks = Marks()
    with zipfile.ZipFile(path) as archive, archive.open(part.removeprefix("/")) as stream:
        window = b""
        while block := stream.read(CHUNK):
            window += block
            _look(marks, window, header_row)
            window = _unfinished(window)
    return marks


def _unfinished(window: bytes) -> bytes:
    """Return the tag that the window breaks off in."""
    rest = window[-OVERLAP:]
    return rest[rest.rfind(b"<") :] if rest.rfind(b"<") > rest.rfind(b">") else b""


def _look(marks: Marks, window: bytes, header_row: int) -> None:
    marks.hidden += [row for row in map(int, ROW.findall(window)) if row > header_row]
    for ref in MERGED.findall(window):
        left, top, _, bottom = (edge or 0 for edge in range_boundaries(ref.decode()))
        if header_row < top < bottom and marks.n_merged < MOST_MERGED:
            marks.n_merged += 1
            marks.first_merged = marks.first_merged or ref.decode()
            marks.merged.setdefault(top, []).append((left - 1, bottom))


class Filling:
    """Gives every row of merged cells the value that stands in the first of them."""

    def __init__(self, marks: Marks) -> None:
        self._merged = marks.merged
        self._held: dict[int, tuple[int, str]] = {}  # column to (last row, value)

    def fill(self, number: int, cells: list[str]) -> None:
        """Fill the cells of one row; rows come in their order."""
        for column, (last, value) in list(self._held.items()):
            if number > last:
                del self._held[column]
            elif column < len(cells) and not cells[column]:
                cells[column] = value
        for column, last in self._merged.get(number, ()):
            if column < len(cells):
                self._held[column] = (last, cells[column])
