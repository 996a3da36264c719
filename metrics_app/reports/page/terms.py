"""Terms of fitted models: the same lines for every model of the page."""

from collections.abc import Callable, Sequence

from metrics_app.reports.page.blocks import Cell, PlainTable, bounds, difference, value
from metrics_app.reports.page.numbers import p_value
from metrics_app.reports.page.reading import Row

HEADER = ("Term", "Estimate", "95 % interval", "p")


def term_table(
    caption: str,
    rows: Sequence[Row],
    called: Callable[[Row], str],
    *,
    first: str = HEADER[0],
    digits: int | None = None,
) -> PlainTable:
    """Return the estimates of rows with interval and p.

    Parameters
    ----------
    called : callable
        What a row is called.
    first : str
        The heading over these names.
    digits : int, optional
        Decimals of an estimate; without them it is a difference, with its sign.
    """
    header = (first, *HEADER[1:])
    return PlainTable(caption, header, tuple((called(row), _cells(row, digits)) for row in rows))


def _cells(row: Row, digits: int | None) -> tuple[Cell, ...]:
    found, reason = row["value"], row["undefined"]
    cell = difference(found, reason) if digits is None else value(found, reason, digits)
    interval = bounds(row["ci"], is_difference=digits is None)
    return with_seconds(cell, row), interval, Cell(p_value(row["p"]))


def with_seconds(cell: Cell, row: Row) -> Cell:
    """Return the cell; where its number waits to be asked for, with the seconds it takes."""
    seconds = row["details"].get("estimated_seconds")
    if row["undefined"] != "on_request" or seconds is None:
        return cell
    return Cell(cell.text, reason=f"{cell.reason} About {seconds:,.0f} s.")
