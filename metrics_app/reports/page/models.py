"""The models of the dimension looked at, system against system, and what they rest on."""

from metrics_app.reports.contract import ALL_GROUPS
from metrics_app.reports.page.blocks import Block, Cell, PlainTable, value
from metrics_app.reports.page.numbers import number, p_value
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.reports.page.terms import term_table
from metrics_app.stats.undefined import explain

_NAMES = {
    "mixed_model": "Linear mixed model",
    "ordinal_regression": "Ordinal regression (log odds)",
}
_MOST_IN_MATRIX = 20
_LEVEL = 0.05


def models_block(reading: Reading) -> Block | None:
    """Return repeated measures by group, and the terms of the two models of all judges."""
    rows = reading.rows("models", dimension=reading.dimension)
    if not rows:
        return None
    tables = [_variance(reading, [r for r in rows if r["statistic"] == "F"])]
    for model, name in _NAMES.items():
        own = [row for row in rows if row["model"] == model]
        if own:
            caption = f"{name}, n = {own[0]['n']:,} ratings"
            tables.append(term_table(caption, own, _term))
    return Block(
        anchor="models",
        title="Models",
        finding=_finding(reading, rows),
        tables=tuple(tables),
        note=(
            "Repeated measures: output means of the items that every system has, p corrected "
            "after Greenhouse and Geisser. Mixed model: judges and items vary at random. Both "
            "models hold each system against the first; ordinal regression takes single ratings "
            "as independent, so its intervals are too narrow where judges rate much."
        ),
        files="models comparison",
    )


def _finding(reading: Reading, rows: list[Row]) -> str:
    name = reading.dimension_label.lower()
    group = reading.group if reading.group in reading.groups else ALL_GROUPS
    found = [row for row in rows if row["statistic"] == "F" and row["group"] == group]
    if not found or found[0]["value"] is None:
        reason = explain(found[0]["undefined"]) if found and found[0]["undefined"] else ""
        return f"Whether the systems differ on {name} cannot be tested. {reason}".strip()
    row = found[0]
    p = p_value(row["details"].get("p_gg") or row["p"])
    low, high = row["df"]
    sizes = row["effects"].get("partial_eta_squared")
    size = f", partial η² = {number(sizes)}" if sizes is not None else ""
    test = f"F({low:.0f}, {high:,.0f}) = {number(row['value'])}, p {_equals(p)}{size}"
    return f"Systems on {name}: {test}."


def _equals(p: str) -> str:
    return p if p.startswith("<") else f"= {p}"


def _variance(reading: Reading, rows: list[Row]) -> PlainTable:
    return PlainTable(
        "Repeated-measures analysis of variance, systems",
        ("Judges", "F", "df", "p", "p corrected", "Partial η²", "Items", "Left out"),
        tuple((reading.label(row["group"]), _variance_cells(row)) for row in rows),
    )


def _variance_cells(row: Row) -> tuple[Cell, ...]:
    return (
        value(row["value"], row["undefined"]),
        Cell(", ".join(f"{df:,.0f}" for df in row["df"])),
        Cell(p_value(row["p"])),
        Cell(p_value(row["details"].get("p_gg"))),
        value(row["effects"].get("partial_eta_squared")),
        Cell(f"{row['n']:,}"),
        Cell(f"{row['n_missing']:,}"),
    )


def _term(row: Row) -> str:
    against = f" against {row['reference']}" if row["reference"] else ""
    term = str(row["term"]).replace("[", " ").removesuffix("]")
    return term[:1].upper() + term[1:] + against


def head_to_head_block(reading: Reading) -> Block | None:
    """Return wins of each system over each other, with the corrected p beside."""
    place = {"dimension": reading.dimension, "group": reading.group}
    pairs = {tuple(row["systems"]): row for row in reading.rows("contrasts", **place)}
    order = [row["system"] for row in reading.rows("ranking", **place)]
    if not pairs or len(order) > _MOST_IN_MATRIX:
        return None
    rows = tuple(
        (system, tuple(_duel(pairs, system, other) for other in order)) for system in order
    )
    table = PlainTable(
        "Items on which the row is above the column, %",
        ("System", *order),
        rows,
    )
    return Block(
        anchor="head-to-head",
        title="Head to head",
        finding=_clear_pairs(reading, list(pairs.values())),
        tables=(table,),
        note=(
            "Of the items that both systems have; equal items count half. The star marks p below "
            "0.05 in Wilcoxon’s signed-rank test after Holm over all pairs."
        ),
        files="contrasts ranking",
    )


def _clear_pairs(reading: Reading, rows: list[Row]) -> str:
    tested = [row for row in rows if row["p_adjusted"] is not None]
    n_clear = sum(row["p_adjusted"] < _LEVEL for row in tested)
    return (
        f"On {reading.dimension_label.lower()}, {reading.group_label.lower()}: "
        f"{n_clear} of {len(rows)} pairs of systems differ clearly. Best system first."
    )


def _duel(pairs: dict[tuple[str, ...], Row], system: str, other: str) -> Cell:
    if system == other:
        return Cell("")
    row, is_turned = pairs.get((system, other)), False
    if row is None:
        row, is_turned = pairs.get((other, system)), True
    if row is None or not row["n_items"]:
        return Cell("–", reason=explain("no_pairs"))
    won, lost = row["n_better"], row["n_worse"]
    won = lost if is_turned else won
    ties = row["n_items"] - row["n_better"] - row["n_worse"]
    part = (won + ties / 2) / row["n_items"]
    p = row["p_adjusted"]
    star = "*" if p is not None and p < _LEVEL else ""
    tint = f"p{round(10 * part)}" if part >= 0.5 else f"n{round(10 * (1 - part))}"
    return Cell(f"{100 * part:.0f}{star}", "num heat", f"p {_equals(p_value(p))}", tint)
