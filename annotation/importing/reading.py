"""What a reader returns, and what may be chosen about reading."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from annotation.importing.findings import Finding

Cell = object  # text from tables; text, None, list or dict from JSON. Numbers stay text.


class RawRow(NamedTuple):
    """One record as it stands in the file, its cells in the order of the header."""

    line: int
    cells: Sequence[Cell]
    place: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a file may hold before it is refused unread. Sizes in bytes."""

    size: int = 4_000_000_000
    ratio: int = 500  # unpacked to packed, looked at above 10 MB
    line: int = 64_000_000
    members: int = 20_000  # files in an archive or folder
    sheets: int = 300
    depth: int = 100  # nesting of JSON


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the administrator chose instead of the guess; empty means: guess.

    ``quoting`` is ``standard`` or ``literal``; ``bad_bytes`` is ``ask`` or ``replace``;
    ``header`` says whether the first row names the columns. Of a workbook, ``header_row`` is
    the row of the column names in every sheet, and ``cells`` names cells that are about all
    rows of their sheet, such as ``B1:B8, B10``.
    """

    format: str = ""
    encoding: str = ""
    delimiter: str = ""
    quoting: str = ""
    header: bool | None = None
    decimal_comma: bool | None = None
    sheet: str = ""
    header_row: int = 0
    cells: str = ""
    bad_bytes: str = "ask"
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Reading:
    """A file understood but not yet loaded. Iterating reads it from its start, each time anew.

    ``shape`` says how records stand in the file (``table``, ``item_outputs``, ``system_lists``,
    ``sheet_per_item``, ...). ``findings`` are those about the file as a whole; iteration
    yields those met on the way between the rows.
    """

    path: Path
    format: str
    header: tuple[str, ...]
    rows: Callable[[], Iterator[RawRow | Finding]]
    shape: str = "table"
    encoding: str = ""
    delimiter: str = ""
    newline: str = ""
    quoting: str = ""
    decimal_comma: bool = False
    findings: tuple[Finding, ...] = ()
    is_plain: bool = False  # UTF-8, cut and named by the standard, its cells as they stand
    has_quotes: bool = False

    def __iter__(self) -> Iterator[RawRow | Finding]:
        return self.rows()

    @property
    def questions(self) -> tuple[Finding, ...]:
        """What the reader could not decide."""
        return tuple(found for found in self.findings if found.severity == "question")

    def sample(self, n: int = 200) -> list[RawRow]:
        """Return the first rows, for a preview and for guessing the mapping."""
        return list(islice((row for row in self.rows() if isinstance(row, RawRow)), n))
