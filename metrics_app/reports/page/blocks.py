"""Parts of the page that are plain tables: a title, a sentence, tables, a note, files."""

from collections.abc import Callable
from dataclasses import dataclass

from metrics_app.reports.page.numbers import interval, number, percent, signed
from metrics_app.reports.page.reading import Reading
from metrics_app.stats.undefined import explain

DASH = "–"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: ``kind`` is the style class, ``reason`` why there is a dash, ``tint`` its shade."""

    text: str
    kind: str = "num"
    reason: str = ""
    tint: str = ""


@dataclass(frozen=True, slots=True)
class PlainTable:
    """A table whose rows begin with a heading cell."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """The headings, each with the style class of what stands below it."""
        below = zip(*(cells for _, cells in self.rows), strict=False)
        kinds = ["ci" if any(cell.kind == "ci" for cell in column) else "num" for column in below]
        kinds += ["num"] * (len(self.header) - 1 - len(kinds))
        return tuple(zip(self.header, ["", *kinds], strict=True))

    @property
    def reasons(self) -> tuple[str, ...]:
        """Return why cells hold a dash, each reason once."""
        cells = (cell for _, row in self.rows for cell in row)
        found = (cell.reason for cell in cells if cell.reason and cell.text == DASH)
        return tuple(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Block:
    """One part of the page; ``files`` names the tables and charts to download."""

    anchor: str
    title: str
    finding: str
    tables: tuple[PlainTable, ...]
    note: str
    files: str


BlockMaker = Callable[[Reading], Block | None]


def value(found: float | None, reason: str | None = None, digits: int = 2) -> Cell:
    """Return a number, or a dash with the sentence of its reason."""
    if found is None:
        return Cell(DASH, reason=explain(reason) if reason else "")
    return Cell(number(found, digits))


def difference(found: float | None, reason: str | None = None) -> Cell:
    """Return a difference with its sign, or a dash with the sentence of its reason."""
    cell = value(found, reason)
    return cell if found is None else Cell(signed(found))


def bounds(found: tuple[float, float] | list[float] | None, *, is_difference: bool = False) -> Cell:
    """Return an interval in brackets."""
    return Cell(interval(found, is_difference=is_difference), kind="ci")


def share(found: float | None) -> Cell:
    """Return a share in per cent, shaded by its size."""
    if found is None:
        return Cell(DASH, kind="num heat")
    return Cell(percent(found), kind="num heat", tint=f"p{round(10 * found)}")
