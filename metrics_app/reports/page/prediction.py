"""People predicted from several metrics: the fit, the test on unseen systems, the gap."""

from collections.abc import Iterator

from metrics_app.reports.page.blocks import Block, Cell, PlainTable, bounds, value
from metrics_app.reports.page.numbers import interval, number, p_value
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.reports.page.terms import term_table, with_seconds
from metrics_app.stats.metric_evaluation import FITTED

_NAMES = {FITTED: "All together", "intercept": "Intercept"}
_DIGITS = 3


def prediction_block(reading: Reading) -> Block | None:
    """Return the tables of the dimension and group looked at, None where nothing predicts."""
    place = {"dimension": reading.dimension, "group": reading.group}
    rows = reading.rows("prediction", **place)
    if not rows:
        return None
    sets = list(dict.fromkeys(tuple(row["metrics"]) for row in rows))
    tables = [
        table
        for metrics in sets
        for table in _tables([row for row in rows if tuple(row["metrics"]) == metrics])
    ]
    return Block(
        anchor="prediction",
        title="People predicted from metrics",
        finding=_finding(reading, rows),
        tables=tuple(tables),
        note=(
            "Means of systems, fitted by robust regression (Huber) on the machine systems. "
            "Held back: fitted on one random half of them, Pearson on the other. Draws: the same "
            "over systems drawn with replacement, the median and 95 % of the draws; they are no "
            "independent studies. Gap: how far predictions are from what people said of texts "
            "that people wrote, with an exact sign test. After Conroy, Schlesinger and O’Leary "
            "(2011)."
        ),
        files="prediction",
    )


def _finding(reading: Reading, rows: list[Row]) -> str:
    name = reading.dimension_label.lower()
    fitted = next(row for row in rows if row["part"] == "half_split" and row["term"] == FITTED)
    if fitted["value"] is None:
        reason = value(None, fitted["undefined"]).reason
        n = fitted["n_systems"]
        return (
            f"Whether the metrics predict {name} cannot be tested on {n} machine systems. {reason}"
        )
    words = f"{number(fitted['value'])} {interval(fitted['ci'])}".strip()
    return (
        f"Fitted on half of {fitted['n_systems']} machine systems, "
        f"{' and '.join(fitted['metrics'])} predict {name} of the other half with r = {words}."
    )


def _tables(rows: list[Row]) -> Iterator[PlainTable]:
    first = rows[0]
    names = " and ".join(first["metrics"])
    yield term_table(
        f"Coefficients of {names}, {first['n_systems']} machine systems",
        _part(rows, "coefficient"),
        _term,
        digits=_DIGITS,
    )
    yield PlainTable(
        f"Pearson correlation with people on systems held back, {names}",
        ("Prediction", "Held back", "Draws, median", "95 % of draws", "p of draws"),
        tuple(_held_back(rows)),
    )
    gaps = _part(rows, "gap")
    if gaps and gaps[0]["undefined"] != "no_human_systems":
        yield PlainTable(
            f"Median gap on {gaps[0]['n_systems']} human-written systems, {names}",
            ("Prediction", "Gap", "Smaller gap", "p, sign test"),
            tuple((_term(row), _gap(row)) for row in gaps),
        )
    if published := _part(rows, "published"):
        yield term_table(
            f"Published coefficients, Pearson correlation with people, {names}",
            published,
            _term,
            first="Prediction",
            digits=_DIGITS,
        )


def _part(rows: list[Row], part: str) -> list[Row]:
    return [row for row in rows if row["part"] == part]


def _term(row: Row) -> str:
    return str(_NAMES.get(row["term"], row["term"]))


def _held_back(rows: list[Row]) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    drawn = {row["term"]: row for row in _part(rows, "bootstrap")}
    halves = {row["term"]: row for row in _part(rows, "half_split")}
    for term in dict.fromkeys([*halves, *drawn]):
        half, draws = halves.get(term), drawn.get(term)
        yield (
            str(_NAMES.get(term, term)),
            (
                value(half["value"], half["undefined"]) if half else Cell("–"),
                with_seconds(value(draws["value"], draws["undefined"]), draws)
                if draws
                else Cell("–"),
                bounds(draws["ci"]) if draws else Cell(""),
                Cell(p_value(draws["p"])) if draws and draws["p"] is not None else Cell(""),
            ),
        )


def _gap(row: Row) -> tuple[Cell, ...]:
    details = row["details"]
    counted = f"{details['n_smaller']} of {details['n_compared']}" if details else ""
    return (
        value(row["value"], row["undefined"], _DIGITS),
        Cell(counted),
        Cell(p_value(row["p"])) if counted else Cell(""),
    )
