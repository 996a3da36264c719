"""Comparisons of outputs: how strong each system is, who beat whom, and how judges agreed."""

from collections.abc import Iterator

from metrics_app.reports.page.blocks import (
    Block,
    Cell,
    PlainTable,
    bounds,
    difference,
    share,
    value,
)
from metrics_app.reports.page.numbers import count, interval, percent, signed
from metrics_app.reports.page.reading import Reading, Row

_COEFFICIENTS = {
    "percent_agreement": "Agreement",
    "fleiss_kappa": "Fleiss’ kappa",
    "gwet_ac": "Gwet’s AC1",
    "krippendorff_alpha": "Krippendorff’s alpha, nominal",
}
_SCOPES = {"choice": "which of two", "best": "which is best", "worst": "which is worst"}


def preference_block(reading: Reading) -> Block | None:
    """Return the comparisons of every dimension by every group, None where there are none."""
    strengths = reading.rows("strengths")
    if not strengths:
        return None
    places = list(dict.fromkeys((row["dimension"], row["group"]) for row in strengths))
    return Block(
        anchor="comparisons",
        title="Outputs compared",
        finding=" ".join(_finding(reading, *place) for place in places),
        tables=tuple(table for place in places for table in _tables(reading, *place)),
        note=(
            "Strengths are those of Bradley and Terry’s model, on the log scale, their sum 0; "
            "intervals from resampled items with all their comparisons. A tie counts one half for "
            "either. Of a best-worst choice the best counts as preferred to all others shown, and "
            "all others to the worst."
        ),
        files="strengths wins choice_agreement",
    )


def _name(reading: Reading, dimension: str, group: str) -> str:
    return f"{reading.label(dimension)}, {reading.label(group).lower()}"


def _finding(reading: Reading, dimension: str, group: str) -> str:
    rows = reading.rows("strengths", dimension=dimension, group=group)
    best = rows[0]
    n_tied = sum(row["n_tied"] for row in reading.rows("wins", dimension=dimension, group=group))
    tied = "comparison was a tie" if n_tied == 1 else "comparisons were ties"
    ties = f" {count(n_tied)} {tied}." if n_tied else ""
    if best["value"] is None:
        reason = value(None, best["undefined"]).reason
        return f"{_name(reading, dimension, group)}: strengths cannot be told. {reason}{ties}"
    return (
        f"{_name(reading, dimension, group)}: {best['system']} is preferred most, strength "
        f"{_told(best)}, {percent(best['share'])}\N{NO-BREAK SPACE}% of its comparisons won. "
        f"{_lead(best, rows[1])}{ties}"
    )


def _told(row: Row) -> str:
    return f"{signed(row['value'])} {interval(row['ci'], is_difference=True)}".strip()


def _lead(best: Row, second: Row) -> str:
    """Say how sure it is that the strongest system is ahead of the next."""
    if second["value"] is None:
        return ""
    words = f"Next is {second['system']}, {_told(second)}"
    if best["ci"] is None or second["ci"] is None:
        return f"{words}; without both intervals nothing tells how sure that is."
    if best["ci"][0] > second["ci"][1]:
        return f"{words}: the intervals do not overlap."
    return f"{words}: the intervals overlap, so they do not tell the two apart."


def _tables(reading: Reading, dimension: str, group: str) -> Iterator[PlainTable]:
    place = {"dimension": dimension, "group": group}
    name = _name(reading, dimension, group)
    strengths = reading.rows("strengths", **place)
    yield PlainTable(
        f"Strengths of the systems: {name}",
        ("System", "Strength", "95 % interval", "Won, %", "Won", "Tied", "Lost", "Shown"),
        tuple((row["system"], _strength(row)) for row in strengths),
    )
    yield _matrix(f"Row preferred to column, %: {name}", strengths, reading.rows("wins", **place))
    agreement = [
        row
        for row in reading.rows("choice_agreement", **place)
        if row["statistic"] in _COEFFICIENTS
    ]
    if agreement:
        yield PlainTable(
            f"Agreement of the judges on the same comparisons: {name}",
            ("Coefficient", "Value", "95 % interval", "Comparisons", "Judges"),
            tuple(_agreement(row) for row in agreement),
        )


def _strength(row: Row) -> tuple[Cell, ...]:
    counts = (row["n_won"], row["n_tied"], row["n_lost"], row["n_comparisons"])
    return (
        difference(row["value"], row["undefined"]),
        bounds(row["ci"], is_difference=True),
        Cell(percent(row["share"])),
        *(Cell(count(n)) for n in counts),
    )


def _matrix(caption: str, strengths: list[Row], wins: list[Row]) -> PlainTable:
    systems = [row["system"] for row in strengths]
    shares: dict[tuple[str, str], float] = {}
    for row in wins:
        first, second = row["systems"]
        shares[first, second], shares[second, first] = row["share"], 1 - row["share"]
    rows = tuple(
        (
            one,
            tuple(
                Cell("") if one == other else share(shares.get((one, other))) for other in systems
            ),
        )
        for one in systems
    )
    return PlainTable(caption, ("System", *systems), rows)


def _agreement(row: Row) -> tuple[str, tuple[Cell, ...]]:
    return (
        f"{_COEFFICIENTS[row['statistic']]} ({_SCOPES[row['scope']]})",
        (
            value(row["value"], row["undefined"], 3),
            bounds(row["ci"]),
            Cell(count(row["n_units"])),
            Cell(count(row["n_raters"])),
        ),
    )
