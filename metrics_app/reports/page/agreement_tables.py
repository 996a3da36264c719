"""Agreement beyond the coefficients: over time, with oneself, of people with language models."""

from collections.abc import Iterator

from metrics_app.reports.agreement import ACROSS
from metrics_app.reports.contract import ALL_GROUPS
from metrics_app.reports.page.agreement import find
from metrics_app.reports.page.blocks import Cell, PlainTable, bounds, value
from metrics_app.reports.page.numbers import count
from metrics_app.reports.page.reading import Reading, Row

_EXACT = "percent_agreement"
_KAPPA = {"weights": "unweighted"}


def more_agreement_tables(reading: Reading) -> list[PlainTable]:
    """Return the tables that this report has rows for."""
    made = (_people_and_models(reading), _with_themselves(reading), _over_time(reading))
    return [table for table in made if table is not None]


def _over_time(reading: Reading) -> PlainTable | None:
    place = {"dimension": reading.dimension, "group": reading.group}
    rows = reading.rows("agreement_over_time", **place)
    if not rows:
        return None
    parts: dict[int, dict[str, Row]] = {}
    for row in rows:
        parts.setdefault(row["part"], {})[row["statistic"]] = row
    dimension = reading.dimension_label.lower()
    return PlainTable(
        f"Agreement over time on {dimension}, {reading.group_label.lower()}: outputs in the order "
        "in which their last rating came",
        ("Completed", "Alpha", "95 % interval", "Exact", "Outputs", "Judges"),
        tuple((_stretch(part), _moment_cells(part)) for part in parts.values()),
    )


def _stretch(part: dict[str, Row]) -> str:
    row = next(iter(part.values()))
    first, last = row["first_at"][:10], row["last_at"][:10]
    days = first if first == last else f"{first} to {last}"
    return f"{row['part']} of {row['n_parts']}, {days}"


def _moment_cells(part: dict[str, Row]) -> tuple[Cell, ...]:
    alpha, exact = part.get("krippendorff_alpha"), part.get(_EXACT)
    known = alpha or next(iter(part.values()))
    return (
        _cell(alpha),
        bounds(alpha["ci"] if alpha else None),
        _cell(exact),
        Cell(count(known["n_units"])),
        Cell(count(known["n_raters"])),
    )


def _with_themselves(reading: Reading) -> PlainTable | None:
    rows = [row for row in reading.rows("self_agreement") if not row["judge"]]
    if not rows:
        return None
    lines: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        lines.setdefault((row["dimension"], row["group"]), []).append(row)
    return PlainTable(
        "Agreement of judges with themselves, on outputs shown to them again",
        ("Dimension, judges", "Exact", "Kappa", "Alpha", "95 % interval", "Repeats", "Judges"),
        tuple(
            (f"{reading.label(dimension)}, {reading.label(group).lower()}", _self_cells(found))
            for (dimension, group), found in lines.items()
        ),
    )


def _self_cells(rows: list[Row]) -> tuple[Cell, ...]:
    exact, kappa, alpha = (
        next((row for row in rows if row["statistic"] == name and _is_plain(row)), None)
        for name in (_EXACT, "cohen_kappa", "krippendorff_alpha")
    )
    return (
        _cell(exact),
        _cell(kappa),
        _cell(alpha),
        bounds(alpha["ci"] if alpha else None),
        Cell(count(rows[0]["n_units"])),
        Cell(count(rows[0]["n_judges"])),
    )


def _is_plain(row: Row) -> bool:
    return bool(row["options"].get("weights", "unweighted") == "unweighted")


def _people_and_models(reading: Reading) -> PlainTable | None:
    rows = list(_people_and_model_lines(reading))
    if not rows:
        return None
    return PlainTable(
        "People and language models, mean of Cohen’s kappa over pairs of judges; never pooled",
        ("Dimension, pairs", "Kappa", "95 % interval", "Exact", "Judges"),
        tuple(rows),
    )


def _people_and_model_lines(reading: Reading) -> Iterator[tuple[str, tuple[Cell, ...]]]:
    models = reading.overview.get("model_groups", ())
    people = [name for name in reading.overview["n_judges"] if name not in models]
    together = ALL_GROUPS if len(people) > 1 else "".join(people)
    for row in reading.rows("agreement", scope=ACROSS, options=_KAPPA):
        dimension = row["dimension"]
        label = reading.label(dimension)
        model = reading.label(row["group"]).lower()
        among = find(reading, dimension, together, "cohen_kappa", _KAPPA)
        alike = find(reading, dimension, row["group"], "cohen_kappa", _KAPPA)
        yield f"{label}, people with people", _pair_cells(among)
        yield f"{label}, people with {model}", _pair_cells(row)
        yield f"{label}, {model} with each other", _pair_cells(alike)


def _pair_cells(row: Row | None) -> tuple[Cell, ...]:
    if row is None:
        return _cell(None), Cell(""), Cell(""), Cell("")
    return _cell(row), bounds(row["ci"]), value(row["observed"]), Cell(count(row["n_raters"]))


def _cell(row: Row | None) -> Cell:
    return value(row["value"], row["undefined"]) if row else value(None, "not_on_this_scale")
