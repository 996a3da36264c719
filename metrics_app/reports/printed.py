"""The report's tables as they stand in a paper: rounded, with intervals, few columns, a caption.

LaTeX, PDF and the copies on the page write the same tables; every digit is in the CSV and JSON.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from metrics_app.reports.page.blocks import BlockMaker
from metrics_app.reports.page.exclusions import effects_block
from metrics_app.reports.page.metric_pairs import metric_pairs_block
from metrics_app.reports.page.numbers import number, p_value, shown
from metrics_app.reports.page.prediction import prediction_block
from metrics_app.reports.page.preference import preference_block
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.reports.printed_table import PrintedTable, plain, reasons
from metrics_app.reports.printed_tests import (
    STATISTIC_NAMES,
    correlation_tables,
    majority_tables,
    sides_tables,
    tests_tables,
)

LEVEL_NAMES = {
    "system": "system level",
    "summary": "summary level (mean over items)",
    "global": "all outputs at once",
}

PRINTED_BLOCKS: tuple[BlockMaker, ...] = (
    preference_block,
    metric_pairs_block,
    prediction_block,
    effects_block,
)


def printed_tables(report: Mapping[str, Any], *, group: str = "") -> list[PrintedTable]:
    """Return the tables of a report, given as plain values of ``report.json``.

    ``group`` is whose ranking and correlations they hold; unless said, the experts'.
    """
    reading = Reading(report, wanted_group=group)
    return [
        *_means(reading),
        *_rankings(reading),
        *_agreement(reading),
        *_cells(reading),
        *majority_tables(reading),
        *sides_tables(reading),
        *tests_tables(reading),
        *correlation_tables(reading),
        *_correlations(reading),
        *_blocks(reading),
    ]


def _blocks(reading: Reading) -> Iterator[PrintedTable]:
    """Yield the tables of the page's parts that papers print as they are."""
    for block in filter(None, (make(reading) for make in PRINTED_BLOCKS)):
        for place, table in enumerate(block.tables, start=1):
            yield PrintedTable(
                name=f"{block.anchor}-{place}",
                caption=f"{table.caption}.",
                header=table.header,
                rows=tuple((name, *(cell.text for cell in cells)) for name, cells in table.rows),
            )


def _means(reading: Reading) -> Iterator[PrintedTable]:
    for group in reading.groups:
        rows = {(r["system"], r["dimension"]): r for r in reading.rows("means", group=group)}
        if not rows:
            continue
        systems = [s for s in reading.overview["systems"] if any(s == key[0] for key in rows)]
        cells = [
            (system, *(_estimate(rows.get((system, d)), "mean") for d in reading.dimensions))
            for system in systems
        ]
        yield PrintedTable(
            name=f"means-{group}",
            caption=f"Mean ratings by {_judges(reading, group)}, with 95% intervals (t over "
            "outputs).",
            header=("System", *(reading.label(d) for d in reading.dimensions)),
            rows=tuple(cells),
            notes=tuple(reasons(rows.values())),
        )


def _estimate(row: Row | None, field: str, digits: int = 2) -> str:
    if row is None:
        return "–"
    one = shown(row[field], row["ci"], digits=digits, reason=row["undefined"])
    return f"{one.text} {one.interval}".strip()


def _rankings(reading: Reading) -> Iterator[PrintedTable]:
    for dimension in reading.dimensions:
        rows = reading.rows("ranking", dimension=dimension, group=reading.group)
        if not rows:
            continue
        clusters = [row["cluster"] for row in rows]
        yield PrintedTable(
            name=f"ranking-{dimension}",
            caption=f"Systems by mean {reading.label(dimension).lower()} as judged by "
            f"{_judges(reading, reading.group)}. A rule parts clusters of which each system is "
            "better than each one below (Wilcoxon signed-rank tests on shared items, Holm).",
            header=("Rank", "System", "Mean", "Rank range", "p against next"),
            rows=tuple(
                (
                    str(row["rank"]),
                    row["system"],
                    _estimate(row, "mean"),
                    f"{row['rank_ci'][0]}–{row['rank_ci'][1]}",
                    p_value(row["p_next"]),
                )
                for row in rows
            ),
            n_text=2,
            rules=tuple(
                place for place in range(1, len(rows)) if clusters[place] != clusters[place - 1]
            ),
        )


def _judges(reading: Reading, group: str) -> str:
    return reading.label(group).lower()


def _agreement(reading: Reading) -> Iterator[PrintedTable]:
    for group in reading.groups:
        rows = reading.rows("agreement", group=group, scope="pooled")
        if not rows:
            continue
        by_name: dict[str, dict[str, Row]] = {}
        for row in rows:
            by_name.setdefault(coefficient_name(row), {})[row["dimension"]] = row
        yield PrintedTable(
            name=f"agreement-{group}",
            caption=f"Agreement of {_judges(reading, group)} over all outputs, with 95% "
            "intervals from resampled items where there are any.",
            header=("Coefficient", *(reading.label(d) for d in reading.dimensions)),
            rows=tuple(
                (name, *(_estimate(found.get(d), "value", 3) for d in reading.dimensions))
                for name, found in by_name.items()
            ),
            notes=tuple(reasons(rows)),
        )


def coefficient_name(row: Row) -> str:
    """Return a coefficient with its options in words."""
    options = [str(value) for key, value in row["options"].items() if key != "rule"]
    name = row["statistic"].replace("_", " ").capitalize()
    return f"{name} ({', '.join(options)})" if options else name


def _cells(reading: Reading) -> Iterator[PrintedTable]:
    rows = reading.rows("agreement", scope="batch_system_mean")
    by_name: dict[tuple[str, str, str], dict[str, Row]] = {}
    for row in rows:
        key = (row["group"], coefficient_name(row), row["options"]["rule"])
        by_name.setdefault(key, {})[row["dimension"]] = row
    if by_name:
        rules = {"one": "count 1", "leave_out": "left out"}
        yield PrintedTable(
            name="agreement-cells",
            caption="Agreement within each batch and system, then averaged; cells in which all "
            "ratings are equal count 1 or are left out. In brackets the number of such cells.",
            header=(
                "Judges",
                "Coefficient",
                "Equal cells",
                *map(reading.label, reading.dimensions),
            ),
            rows=tuple(
                (
                    reading.label(group),
                    name,
                    rules[rule],
                    *(_with_count(found.get(d)) for d in reading.dimensions),
                )
                for (group, name, rule), found in by_name.items()
            ),
            n_text=3,
        )


def _with_count(row: Row | None) -> str:
    if row is None or row["value"] is None:
        return "–"
    return f"{number(row['value'], 4)} ({row['n_undefined']})"


def _correlations(reading: Reading) -> Iterator[PrintedTable]:
    for level, level_name in LEVEL_NAMES.items():
        for statistic, name in STATISTIC_NAMES.items():
            rows = reading.rows(
                "correlation", group=reading.group, level=level, statistic=statistic
            )
            if rows:
                yield _correlation_table(reading, rows, f"{name}, {level_name}")


def _correlation_table(reading: Reading, rows: list[Row], words: str) -> PrintedTable:
    by_metric: dict[str, dict[str, Row]] = {}
    for row in rows:
        by_metric.setdefault(row["metric"], {})[row["dimension"]] = row
    dimensions = list(dict.fromkeys(row["dimension"] for row in rows))
    return PrintedTable(
        name=f"correlation-{rows[0]['level']}-{rows[0]['statistic'].replace('_', '-')}",
        caption=f"Metrics against the mean ratings of {_judges(reading, reading.group)}: {words}.",
        header=("Metric", *map(reading.label, dimensions)),
        rows=tuple(
            (metric, *(plain(found[d]["value"], 4) for d in dimensions))
            for metric, found in by_metric.items()
        ),
        notes=tuple(reasons(rows)),
    )
