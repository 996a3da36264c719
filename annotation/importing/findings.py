"""What is said about a file: findings, and the outcome they come to."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from annotation.importing.kinds import KINDS, Severity

Outcome = Literal["accept", "accept_with_warnings", "ask", "reject"]

MOST_KEPT = 1000  # findings of one kind that are kept with their place; all are counted
LONGEST_VALUE = 200
REJECT_FIELDS = ("place", "line", "column", "kind", "severity", "value", "reason", "mend")


class Line(int):
    """A line of one of several files or sheets; in a sentence it says of which."""

    place: str

    def __new__(cls, number: int, place: str) -> "Line":
        """Return the line of that number."""
        line = super().__new__(cls, number)
        line.place = place
        return line

    def __format__(self, _spec: str) -> str:
        """Return the line as it is told."""
        return f"{int(self)} of {self.place}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a person should know about a file.

    ``line`` is the line a text editor shows (for a workbook: the row), ``place`` the sheet or
    the file inside an archive, and ``value`` the offending text, cut to 200 characters.
    """

    kind: str
    severity: Severity
    reason: str
    mend: str
    line: int | None = None
    column: str = ""
    value: str = ""
    place: str = ""

    def __str__(self) -> str:
        where = ", ".join(
            part
            for part in (
                self.place,
                f"line {self.line}" if self.line else "",
                f"column {self.column}" if self.column else "",
            )
            if part
        )
        shown = f" (found: {self.value!r})" if self.value else ""
        return f"{where + ': ' if where else ''}{self.reason}{shown} {self.mend}".strip()


def finding(
    kind: str,
    reason: str,
    *,
    line: int | None = None,
    column: str = "",
    value: object = "",
    mend: str = "",
) -> Finding:
    """Return a finding with the severity of its kind, and its mend unless another is given."""
    severity, usual = KINDS[kind]
    text = value if isinstance(value, str) else str(value)
    place = line.place if isinstance(line, Line) else ""
    number = None if line is None else int(line)
    return Finding(
        kind, severity, reason, mend or usual, number, column, text[:LONGEST_VALUE], place
    )


class UnreadableFile(ValueError):  # noqa: N818  # reads as what it says
    """The file as a whole cannot be read; ``finding`` says what, where and how to mend it."""

    def __init__(self, kind: str, reason: str, *, line: int | None = None, mend: str = "") -> None:
        self.finding = finding(kind, reason, line=line, mend=mend)
        super().__init__(str(self.finding))


@dataclass(slots=True)
class SystemFigures:
    """What was read of one system: number of outputs, their lengths, a checksum.

    ``lengths`` counts the outputs by the binary digits of their length in characters: 5 stands
    for 16 to 31. The checksum depends on the (item, text) pairs, not on their order.
    """

    n_outputs: int = 0
    n_characters: int = 0
    checksum: int = 0
    lengths: Counter[int] = field(default_factory=Counter)

    @property
    def checksum_hex(self) -> str:
        """The checksum as 32 hexadecimal digits."""
        return f"{self.checksum:032x}"


@dataclass(slots=True)
class Report:
    """Everything a dry run found.

    ``counts`` holds every finding, ``findings`` the first 1000 of each kind. ``tallies`` holds
    numbers that are no finding, such as ``identical_outputs``.
    """

    n_read: int = 0
    n_clean: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    systems: dict[str, SystemFigures] = field(default_factory=dict)
    tallies: Counter[str] = field(default_factory=Counter)
    good_rows_only: bool = False

    def add(self, found: Finding) -> None:
        """Count a finding, and keep it while there are few of its kind."""
        self.counts[found.kind] += 1
        if self.counts[found.kind] <= MOST_KEPT:
            self.findings.append(found)

    @property
    def n_errors(self) -> int:
        """Number of findings that keep something from being loaded."""
        return self._n("error")

    @property
    def n_warnings(self) -> int:
        """Number of findings that are said only."""
        return self._n("warning")

    @property
    def n_questions(self) -> int:
        """Number of findings that wait for a choice."""
        return self._n("question")

    @property
    def outcome(self) -> Outcome:
        """What the findings come to, judged by the worst of them.

        With the choice "good rows only" an error costs its row, not the file.
        """
        if self.n_errors and not (self.good_rows_only and self.n_clean):
            return "reject"
        if self.n_questions:
            return "ask"
        return "accept_with_warnings" if self.counts else "accept"

    @property
    def can_load(self) -> bool:
        """Whether rows may be written without another word from the administrator."""
        return self.outcome in {"accept", "accept_with_warnings"}

    def rejects(self) -> Iterator[tuple[str, ...]]:
        """Yield the kept findings as rows for a CSV, the header first."""
        yield REJECT_FIELDS
        for found in self.findings:
            yield tuple(
                "" if (cell := getattr(found, name)) is None else str(cell)
                for name in REJECT_FIELDS
            )

    def _n(self, severity: Severity) -> int:
        return sum(n for kind, n in self.counts.items() if KINDS[kind][0] == severity)
