"""The report's tables as they stand in a paper: rounded, with intervals, few columns, a caption.

LaTeX, PDF and the copies on the page write the same tables; every digit is in the CSV and JSON.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from metrics_app.reports.page.blocks import BlockMaker
from metrics_app.reports.page.numbers import interval, number, p_value, shown, signed
from metrics_app.reports.page.prediction import prediction_block
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.stats.undefined import explain

STATISTIC_NAMES = {
    "pearson": "Pearson’s r",
    "spearman": "Spearman’s rho",
    "kendall_tau_b": "Kendall’s tau-b",
}
LEVEL_NAMES = {
    "system": "system level",
    "summary": "summary level (mean over items)",
    "global": "all outputs at once",
}

PRINTED_BLOCKS: tuple[BlockMaker, ...] = (prediction_block,)


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
        *_sides(reading),
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
            notes=tuple(_reasons(rows.values())),
        )


def _judges(reading: Reading, group: str) -> str:
    return reading.label(group).lower()


def _estimate(row: Row | None, field: str, digits: int = 2) -> str:
    if row is None:
        return "–"
    one = shown(row[field], row["ci"], digits=digits, reason=row["undefined"])
    return f"{one.text} {one.interval}".strip()


def _reasons(rows: Sequence[Row] | Any) -> list[str]:  # noqa: ANN401 -- any rows with a reason
    codes = dict.fromkeys(row["undefined"] for row in rows if row["undefined"])
    return [f"–: {explain(code)}" for code in codes]


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
            notes=tuple(_reasons(rows)),
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


def _sides(reading: Reading) -> Iterator[PrintedTable]:
    rows = reading.rows("comparison", factor="group", statistic="oneway_anova")
    if not rows:
        return
    units = {"rating": "rating", "output_mean": "output mean", "item_mean": "item mean"}
    bias = {row["dimension"]: row for row in reading.rows("bias")}
    yield PrintedTable(
        name="experts-crowd",
        caption="One-way analysis of variance of experts against crowd, by unit of analysis; bias "
        "is the crowd’s mean rating of an output minus the experts’, with its 95% interval.",
        header=("Dimension", "Unit", "Experts", "Crowd", "F", "df", "p", "eta squared", "Bias"),
        rows=tuple(
            (
                reading.label(row["dimension"]),
                units[row["unit"]],
                *(_plain(mean) for mean in row["group_means"]),
                _plain(row["value"], 4),
                ", ".join(f"{df:,.0f}" for df in row["df"]),
                p_value(row["p"]),
                _plain(row["effects"].get("eta_squared"), 4),
                _bias(bias[row["dimension"]]) if row["unit"] == "output_mean" else "",
            )
            for row in rows
        ),
        n_text=2,
        notes=tuple(_reasons(rows)),
    )


def _plain(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else number(value, digits)


def _bias(row: Row) -> str:
    if row["value"] is None:
        return "–"
    return f"{signed(row['value'])} {interval(row['ci'], is_difference=True)}"


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
            (metric, *(_plain(found[d]["value"], 4) for d in dimensions))
            for metric, found in by_metric.items()
        ),
        notes=tuple(_reasons(rows)),
    )
