"""A table as it is printed, and the cells that all of them share."""

from collections.abc import Iterable
from dataclasses import dataclass

from metrics_app.reports.page.numbers import number
from metrics_app.reports.page.reading import Row
from metrics_app.stats.undefined import explain


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table ready to be set.

    Attributes
    ----------
    name : str
        For file names and labels.
    n_text : int
        How many columns at the start are words; the others are numbers.
    rules : tuple of int
        Rows above which a rule is drawn, as between clusters.
    """

    name: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_text: int = 1
    rules: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()


def plain(value: float | None, digits: int = 2) -> str:
    """Return a number, or a dash where there is none."""
    return "–" if value is None else number(value, digits)


def reasons(rows: Iterable[Row]) -> list[str]:
    """Return a note for each reason why there is a dash."""
    codes = dict.fromkeys(row["undefined"] for row in rows if row["undefined"])
    return [f"–: {explain(code)}" for code in codes]
