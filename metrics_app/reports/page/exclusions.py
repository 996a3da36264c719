"""With and without excluded judges, side by side."""

from metrics_app.reports.page.blocks import Block, Cell, PlainTable, difference, value
from metrics_app.reports.page.numbers import count, signed
from metrics_app.reports.page.reading import Reading, Row


def exclusions_block(reading: Reading) -> Block | None:
    """Return means and alpha of the dimension looked at, None where nobody is excluded."""
    every = reading.rows("exclusions", dimension=reading.dimension)
    rows = [row for row in every if row["group"] == reading.group]
    if not rows:
        return None
    name = reading.dimension_label.lower()
    return Block(
        anchor="exclusions",
        title="With and without exclusions",
        finding=_finding(reading, rows),
        tables=(
            PlainTable(
                f"{reading.dimension_label}, {reading.group_label.lower()}: as reported, and with "
                "the judges who are excluded",
                ("What", "Without", "With", "Difference", "Ratings without", "Ratings with"),
                tuple((_what(row, name), _cells(row)) for row in rows),
            ),
        ),
        note=(
            "The report counts no rating of an excluded judge. With them: their handed-in work "
            "counts as it did before they were excluded. Who withdrew is in neither."
        ),
        files="exclusions",
    )


def _finding(reading: Reading, rows: list[Row]) -> str:
    name = reading.dimension_label.lower()
    means = [row for row in rows if row["statistic"] == "mean" and row["difference"] is not None]
    if not means:
        return f"On {name} no mean can be held against that with excluded judges."
    widest = max(means, key=lambda row: abs(row["difference"]))
    if not widest["difference"]:
        return f"On {name} exclusions change no mean."
    orders = [
        [row["system"] for row in sorted(means, key=lambda row: -row[field])]
        for field in ("value", "with_excluded")
    ]
    same = "leave the order of systems" if orders[0] == orders[1] else "change the order of systems"
    return (
        f"On {name} exclusions {same}; the mean that moves most is that of {widest['system']}, by "
        f"{signed(-widest['difference'])}."
    )


def _what(row: Row, name: str) -> str:
    return f"Mean, {row['system']}" if row["statistic"] == "mean" else f"Alpha, {name}"


def _cells(row: Row) -> tuple[Cell, ...]:
    return (
        value(row["value"], row["undefined"]),
        value(row["with_excluded"]),
        difference(row["difference"]),
        Cell(count(row["n_ratings"])),
        Cell(count(row["n_with_excluded"])),
    )
