"""Metrics against people: a map of correlations at both levels, with stars after correction."""

from dataclasses import dataclass

from metrics_app.reports.page.numbers import interval, number
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.stats.adjustment import adjust_p
from metrics_app.stats.undefined import explain

STATISTIC = "kendall_tau_b"
LEVELS = ("system", "summary")
_STARS = ((0.001, "***"), (0.01, "**"), (0.05, "*"))


@dataclass(frozen=True, slots=True)
class HeatCell:
    """One correlation: its text, its tint, and what a pointer or a reader is told."""

    text: str
    stars: str
    tint: str
    title: str
    is_doubtful: bool


@dataclass(frozen=True, slots=True)
class HeatLine:
    """One metric."""

    metric: str
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class MetricsBlock:
    """The map, and what it rests on."""

    group: str
    dimensions: tuple[str, ...]
    lines: tuple[HeatLine, ...]
    n_systems: int
    n_items: int
    n_tests: int
    n_columns: int


def metrics_block(reading: Reading) -> MetricsBlock | None:
    """Return the map of the group looked at, None where there is no metric."""
    found = reading.rows("correlation", group=reading.group, statistic=STATISTIC)
    rows = [row for row in found if row["level"] in LEVELS]
    if not rows:
        return None
    dimensions = list(dict.fromkeys(row["dimension"] for row in rows))
    adjusted = _adjusted(rows)
    by_metric: dict[str, dict[tuple[str, str], HeatCell]] = {}
    for row in rows:
        place = (row["level"], row["dimension"])
        p = adjusted.get((row["metric"], *place))
        by_metric.setdefault(row["metric"], {})[place] = _cell(row, p)
    order = [(level, dimension) for level in LEVELS for dimension in dimensions]
    return MetricsBlock(
        group=reading.label(reading.group),
        dimensions=tuple(reading.label(dimension) for dimension in dimensions),
        lines=tuple(
            HeatLine(metric, tuple(cells[place] for place in order))
            for metric, cells in by_metric.items()
        ),
        n_systems=max(row["n_systems"] for row in rows),
        n_items=max(row["n_items"] for row in rows),
        n_tests=sum(p is not None for p in adjusted.values()),
        n_columns=len(dimensions),
    )


def _adjusted(rows: list[Row]) -> dict[tuple[str, str, str], float | None]:
    """Return Holm's p-values of the system level, where each cell is one test."""
    tested = [row for row in rows if row["level"] == "system"]
    corrected = adjust_p([row["p"] for row in tested], method="holm")
    places = [(row["metric"], row["level"], row["dimension"]) for row in tested]
    return dict(zip(places, corrected, strict=True))


def _cell(row: Row, p: float | None) -> HeatCell:
    value = row["value"]
    if value is None:
        return HeatCell("–", "", "none", explain(row["undefined"] or ""), is_doubtful=True)
    bounds = row["ci"]
    includes_zero = bounds is not None and bounds[0] <= 0 <= bounds[1]
    at_system_level = row["level"] == "system"
    stars = next((mark for level, mark in _STARS if p is not None and p < level), "")
    words = [f"{row['metric']}, {row['dimension']}, {row['level']} level: {number(value)}"]
    words += [interval(bounds)] if bounds else []
    words += [f"p = {p:.3g} after Holm"] if at_system_level and p is not None else []
    words += [f"{row['n_undefined']} items undefined"] if row["n_undefined"] else []
    is_doubtful = not stars if at_system_level else includes_zero
    return HeatCell(number(value), stars, _tint(value), " ".join(words), is_doubtful)


def _tint(value: float) -> str:
    """Return the tint of a correlation: p0 to p10 above zero, n1 to n10 below."""
    step = min(10, round(abs(value) * 10))
    return f"n{step}" if value < 0 and step else f"p{step}"


def best_metrics(reading: Reading, level: str = "summary") -> list[tuple[str, str, float]]:
    """Return (dimension, metric, correlation) of the metric that follows people best."""
    rows = reading.rows("correlation", group=reading.group, statistic=STATISTIC, level=level)
    best: dict[str, Row] = {}
    for row in rows:
        value = row["value"]
        known = best.get(row["dimension"])
        if value is not None and (known is None or abs(value) > abs(known["value"])):
            best[row["dimension"]] = row
    return [(d, row["metric"], row["value"]) for d, row in best.items()]
