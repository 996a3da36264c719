"""With and without excluded judges, side by side."""

from collections.abc import Iterator
from dataclasses import replace

from metrics_app.reports.page.blocks import Block, Cell, PlainTable, difference, value
from metrics_app.reports.page.numbers import count, signed
from metrics_app.reports.page.reading import Reading, Row

_TITLE = "With and without exclusions"
_RULES = (
    "Rules are fixed before the first rating and name judges; whom they catch is excluded by hand."
)


def exclusions_block(reading: Reading) -> Block | None:
    """Return what exclusions change, the rules, and who is excluded; None where there is none."""
    effects, tables = effects_block(reading), tuple(_rule_tables(reading))
    if effects:
        return replace(effects, tables=effects.tables + tables, note=f"{effects.note} {_RULES}")
    if not tables:
        return None
    finding = "Exclusions change no number here."
    return Block("exclusions", _TITLE, finding, tables, note=_RULES, files="")


def effects_block(reading: Reading) -> Block | None:
    """Return means and alpha of the dimension looked at, None where nobody is excluded."""
    every = reading.rows("exclusions", dimension=reading.dimension)
    rows = [row for row in every if row["group"] == reading.group]
    if not rows:
        return None
    name = reading.dimension_label.lower()
    return Block(
        anchor="exclusions",
        title=_TITLE,
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


def _rule_tables(reading: Reading) -> Iterator[PlainTable]:
    """Yield the rules, their changes after the opening, and who is excluded and why."""
    found = reading.overview.get("exclusion_rules")
    if not found:
        return
    if found["rules"]:
        reasons = [reason for _, _, reason in found["excluded"]]
        yield PlainTable(
            "Rules of exclusion",
            ("Rule", "Judges excluded under it"),
            tuple(
                (rule, (Cell(count(sum(one.startswith(f"Rule: {rule}:") for one in reasons))),))
                for rule in found["rules"]
            ),
        )
    if found["changes"]:
        yield PlainTable(
            "Later changes of the rules",
            ("On", "Before", "Since then", "Reason"),
            tuple(
                (moment[:10], tuple(Cell(words, "") for words in told))
                for moment, *told in found["changes"]
            ),
        )
    if found["excluded"]:
        yield PlainTable(
            "Judges who are excluded",
            ("Judge", "On", "Reason"),
            tuple(
                (judge, (Cell(moment[:10], ""), Cell(reason, "")))
                for judge, moment, reason in found["excluded"]
            ),
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
