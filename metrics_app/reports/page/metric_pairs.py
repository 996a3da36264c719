"""Metrics against each other: a matrix of the differences of their correlations with people."""

from metrics_app.reports.page.blocks import Block, Cell, PlainTable
from metrics_app.reports.page.numbers import duration, number, p_value, signed
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.stats.undefined import explain

_LEVELS = {"system": "system level", "summary": "within items"}
_SURE = 0.05


def metric_pairs_block(reading: Reading) -> Block | None:
    """Return a matrix for each level, None where there are no two metrics."""
    rows = reading.rows("metric_pairs", group=reading.group)
    if not rows:
        return None
    waiting = [row for row in rows if row["undefined"] == "on_request"]
    own = [
        row for row in rows if row["dimension"] == reading.dimension and len(row["metrics"]) == 2
    ]
    return Block(
        anchor="metric-pairs",
        title="Metrics against each other",
        finding=_waiting(reading) if waiting else _finding(reading, own),
        tables=tuple(_matrix(level, own) for level in _LEVELS if _at(own, level)),
        note=(
            "Kendall’s tau-b with people of the row’s metric minus that of the column’s; a metric "
            "of which less is better is turned round. A star marks p below 0.05 in a permutation "
            "test (PERM-BOTH, single scores swapped between the two metrics), after Holm over all "
            "pairs."
        ),
        files="metric_pairs",
    )


def _at(rows: list[Row], level: str) -> list[Row]:
    return [row for row in rows if row["level"] == level]


def _waiting(reading: Reading) -> str:
    lists = reading.rows("metric_pairs")
    seconds = sum(row["details"].get("estimated_seconds", 0.0) for row in lists)
    return (
        f"The tests of all pairs take about {duration(seconds)} on these scores. Ask for them "
        "under “Compute more”, or on the command line with --takes-time."
    )


def _finding(reading: Reading, rows: list[Row]) -> str:
    if not rows:
        reasons = [row["undefined"] for row in reading.rows("metric_pairs", group=reading.group)]
        reason = next(filter(None, reasons), "")
        name = reading.dimension_label.lower()
        return f"No two metrics can be compared on {name}. {explain(reason)}"
    parts = []
    for level, words in _LEVELS.items():
        pairs = _at(rows, level)
        sure = sum(row["p_adjusted"] is not None and row["p_adjusted"] < _SURE for row in pairs)
        parts.append(f"{words} {sure} of {len(pairs)} pairs")
    name = reading.dimension_label.lower()
    return (
        f"On {name} one metric follows people surely better than the other in: {'; '.join(parts)}."
    )


def _matrix(level: str, rows: list[Row]) -> PlainTable:
    pairs = {tuple(row["metrics"]): row for row in _at(rows, level)}
    metrics = list(dict.fromkeys(name for pair in pairs for name in pair))
    return PlainTable(
        f"Difference of tau-b, row minus column, {_LEVELS[level]}",
        ("Metric", *metrics),
        tuple((one, tuple(_duel(pairs, one, other) for other in metrics)) for one in metrics),
    )


def _duel(pairs: dict[tuple[str, ...], Row], one: str, other: str) -> Cell:
    if one == other:
        return Cell("")
    row, sign = (pairs[one, other], 1) if (one, other) in pairs else (pairs[other, one], -1)
    if row["value"] is None:
        return Cell("–", reason=explain(row["undefined"] or ""))
    value, p = sign * row["value"], row["p_adjusted"]
    star = "*" if p is not None and p < _SURE else ""
    step = min(10, round(10 * abs(value)))
    tint = f"n{step}" if value < 0 and step else f"p{step}"
    title = f"{one} against {other}: {number(value)}, p = {p_value(p)} after Holm"
    return Cell(f"{signed(value)}{star}", "num heat", title, tint)
