"""Facts on the page: coverage by system and rule, and experts against the crowd."""

from metrics_app.reports.page.blocks import Block, Cell, PlainTable, value
from metrics_app.reports.page.numbers import interval, p_value
from metrics_app.reports.page.reading import Reading, Row

_RULES = {"any": "Any judge", "majority": "Majority", "all": "All judges", "mean": "Mean of judges"}


def facts_block(reading: Reading) -> Block | None:
    """Return shares of every label by system, then by predicate, and the tests of the groups."""
    rows = reading.rows("facts", group=reading.group)
    if not rows:
        return None
    places = dict.fromkeys((row["dimension"], row["label"]) for row in rows)
    tables = [_shares(reading, rows, place) for place in places]
    tests = reading.rows("fact_comparison", rule="mean")
    if tests:
        tables.append(_comparison(reading, tests))
    return Block(
        anchor="facts",
        title="Facts",
        finding=f"Shares of facts by label, as {reading.group_label.lower()} answered.",
        tables=tuple(tables),
        note=(
            "Per cent of an output’s facts with the label, mean over outputs, 95 % t interval. A "
            "fact counts if any judge, most, or all gave the label, or by the share of judges. "
            "F: one-way analysis of variance on the outputs’ percentages."
        ),
        files="facts fact_comparison",
    )


def _shares(reading: Reading, rows: list[Row], place: tuple[str, str]) -> PlainTable:
    dimension, label = place
    own = [row for row in rows if (row["dimension"], row["label"]) == place]
    names = dict.fromkeys((row["scope"], row["name"]) for row in own)
    found = {(row["scope"], row["name"], row["rule"]): row for row in own}
    return PlainTable(
        f"{reading.label(dimension)}: {label}",
        ("", *(part for name in _RULES.values() for part in (name, "95 % interval"))),
        tuple(
            (
                name or "All outputs",
                tuple(
                    cell for rule in _RULES for cell in _percentage(found.get((scope, name, rule)))
                ),
            )
            for scope, name in names
        ),
    )


def _percentage(row: Row | None) -> tuple[Cell, Cell]:
    if row is None or row["value"] is None:
        return value(None, row["undefined"] if row else None), Cell("", "ci")
    bounds = None if row["ci"] is None else (100 * row["ci"][0], 100 * row["ci"][1])
    return value(100 * row["value"], digits=1), Cell(interval(bounds, 1), "ci")


def _comparison(reading: Reading, rows: list[Row]) -> PlainTable:
    by_place: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        by_place.setdefault((row["dimension"], row["label"]), {})[row["statistic"]] = row
    groups = [reading.label(group) for group in rows[0]["groups"]]
    return PlainTable(
        "Percentages per output, experts against crowd",
        ("", *(f"{group}, %" for group in groups), "F", "df", "p", "Pearson’s r", "Outputs"),
        tuple(
            (f"{reading.label(dimension)}: {label}", _tests(found))
            for (dimension, label), found in by_place.items()
        ),
    )


def _tests(found: dict[str, Row]) -> tuple[Cell, ...]:
    anova, pearson = found["oneway_anova"], found["pearson"]
    return (
        *(value(mean, digits=1) for mean in anova["group_means"]),
        value(anova["value"], anova["undefined"]),
        Cell(", ".join(f"{df:,.0f}" for df in anova["df"])),
        Cell(p_value(anova["p"])),
        value(pearson["value"], pearson["undefined"]),
        Cell(f"{anova['n_outputs']:,}"),
    )
