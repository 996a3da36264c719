"""The part of the page on language models corrected by what people said."""

from metrics_app.reports.page.blocks import Block, Cell, PlainTable, bounds, value
from metrics_app.reports.page.numbers import count
from metrics_app.reports.page.reading import Reading, Row

HEADER = ("System, judge", "Model alone", "Corrected", "95 % interval", "Judged", "Calibration")


def calibration_block(reading: Reading) -> Block | None:
    """Return the block; None where no model judged more than the people of the group did."""
    place = {"dimension": reading.dimension, "group": reading.group}
    rows = reading.rows("calibration", **place)
    if not rows:
        return None
    dimension = reading.dimension_label.lower()
    return Block(
        anchor="calibration",
        title="Language models, corrected",
        finding=f"What people would have said on {dimension}, from a model and the outputs that "
        "both judged.",
        tables=(
            PlainTable(
                f"Language models on {dimension}, corrected by {reading.group_label.lower()}",
                HEADER,
                tuple((_name(reading, row), _cells(row)) for row in rows),
            ),
        ),
        note="The interval carries the error of both: the outputs that only the model judged, "
        "and the calibration set. It holds where people judged a random part of the outputs. The "
        f"value is {rows[0]['method']}.",
        files="calibration",
    )


def _name(reading: Reading, row: Row) -> str:
    system = reading.label(row["system"]) if row["system"] else "All systems"
    return f"{system}, {row['judge']}"


def _cells(row: Row) -> tuple[Cell, ...]:
    return (
        value(row["raw"]),
        value(row["value"], row["undefined"]),
        bounds(row["ci"]),
        Cell(count(row["n_judged"])),
        Cell(count(row["n_calibration"])),
    )
