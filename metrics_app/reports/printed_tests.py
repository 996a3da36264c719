"""Tests and correlations between groups of judges and between dimensions, as they are printed."""

from collections.abc import Iterator, Sequence

from metrics_app.reports.page.numbers import interval, p_value, signed
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.reports.printed_table import PrintedTable, plain, reasons

STATISTIC_NAMES = {
    "pearson": "Pearson’s r",
    "spearman": "Spearman’s rho",
    "kendall_tau_b": "Kendall’s tau-b",
}
UNITS = {"rating": "rating", "output_mean": "output mean", "item_mean": "item mean"}


def sides_tables(reading: Reading) -> Iterator[PrintedTable]:
    """Yield experts against crowd, by unit of analysis."""
    rows = reading.rows("comparison", factor="group", statistic="oneway_anova")
    if not rows:
        return
    bias = {row["dimension"]: row for row in reading.rows("bias")}
    yield PrintedTable(
        name="experts-crowd",
        caption="One-way analysis of variance of experts against crowd, by unit of analysis; bias "
        "is the crowd’s mean rating of an output minus the experts’, with its 95% interval.",
        header=("Dimension", "Unit", "Experts", "Crowd", "F", "df", "p", "eta squared", "Bias"),
        rows=tuple(
            (
                reading.label(row["dimension"]),
                UNITS[row["unit"]],
                *(plain(mean) for mean in row["group_means"]),
                plain(row["value"], 4),
                ", ".join(f"{df:,.0f}" for df in row["df"]),
                p_value(row["p"]),
                plain(row["effects"].get("eta_squared"), 4),
                _bias(bias.get(row["dimension"])) if row["unit"] == "output_mean" else "",
            )
            for row in rows
        ),
        n_text=2,
        notes=tuple(reasons(rows)),
    )


def _bias(row: Row | None) -> str:
    if row is None or row["value"] is None:
        return "–"
    return f"{signed(row['value'])} {interval(row['ci'], is_difference=True)}"


def tests_tables(reading: Reading) -> Iterator[PrintedTable]:
    """Yield every test of means, one line each."""
    rows = reading.rows("comparison")
    if rows:
        yield PrintedTable(
            name="tests",
            caption="Tests of means: experts against crowd, the judges of a group, systems, and "
            "groups beside systems. Single ratings of one judge are not independent.",
            header=("Dimension", "Compared", "Judges", "Unit", "Test", "Value", "df", "p"),
            rows=tuple(_test(reading, row) for row in rows),
            n_text=5,
            notes=tuple(reasons(rows)),
        )


def _test(reading: Reading, row: Row) -> tuple[str, ...]:
    return (
        reading.label(row["dimension"]),
        row["factor"],
        reading.label(row["group"]) if row["group"] else "",
        UNITS[row["unit"]],
        row["statistic"].replace("_", " "),
        plain(row["value"], 4),
        ", ".join(f"{df:,.1f}".removesuffix(".0") for df in row["df"]),
        p_value(row["p"]),
    )


def correlation_tables(reading: Reading) -> Iterator[PrintedTable]:
    """Yield groups of judges against each other, and dimensions against each other."""
    groups = reading.rows("group_correlation")
    if groups:
        yield PrintedTable(
            name="groups-correlation",
            caption="Groups of judges against each other, by level.",
            header=("Dimension", "Groups", "Level", *STATISTIC_NAMES.values()),
            rows=tuple(_correlated(reading, groups, "dimension", "groups")),
            n_text=3,
            notes=tuple(reasons(groups)),
        )
    dimensions = reading.rows("dimension_correlation")
    if dimensions:
        yield PrintedTable(
            name="dimensions-correlation",
            caption="Dimensions against each other, by level and group of judges.",
            header=("Dimensions", "Judges", "Level", *STATISTIC_NAMES.values()),
            rows=tuple(_correlated(reading, dimensions, "dimensions", "group")),
            n_text=3,
            notes=tuple(reasons(dimensions)),
        )


def _correlated(reading: Reading, rows: Sequence[Row], *fields: str) -> Iterator[tuple[str, ...]]:
    """Yield a line for each place that the fields tell, with a column for each statistic."""
    by_place: dict[tuple[str, ...], dict[str, float | None]] = {}
    for row in rows:
        place = (*(_named(reading, row[field]) for field in fields), row["level"])
        by_place.setdefault(place, {})[row["statistic"]] = row["value"]
    for place, found in by_place.items():
        yield (*place, *(plain(found.get(statistic), 4) for statistic in STATISTIC_NAMES))


def _named(reading: Reading, key: str | Sequence[str]) -> str:
    if isinstance(key, str):
        return reading.label(key)
    return ", ".join(map(reading.label, key))


def majority_tables(reading: Reading) -> Iterator[PrintedTable]:
    """Yield means of majority answers for each group in which a majority changes a mean."""
    for group in reading.groups:
        rows = reading.rows("means", group=group)
        if all(row["majority_mean"] in (None, row["mean"]) for row in rows):
            continue
        found = {(row["system"], row["dimension"]): row["majority_mean"] for row in rows}
        yield PrintedTable(
            name=f"majority-{group}",
            caption=f"Mean ratings by {reading.label(group).lower()}, where an output has the "
            "value that more than half of its judges gave, else their mean.",
            header=("System", *(reading.label(d) for d in reading.dimensions)),
            rows=tuple(
                (system, *(plain(found.get((system, d))) for d in reading.dimensions))
                for system in dict.fromkeys(row["system"] for row in rows)
            ),
        )
