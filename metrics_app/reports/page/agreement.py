"""The agreement table: one line a dimension and group, every coefficient with its interval."""

from dataclasses import dataclass

from metrics_app.reports.page.numbers import Shown, count, shown
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.stats.undefined import explain

NOMINAL = (
    ("Alpha, nominal", "krippendorff_alpha", {"measurement": "nominal"}),
    ("Gwet AC1", "gwet_ac", {"weights": "unweighted"}),
    ("Exact", "percent_agreement", {"weights": "unweighted"}),
)
ORDERED = (
    ("Alpha, ordinal", "krippendorff_alpha", {"measurement": "ordinal"}),
    ("ICC(2,k)", "icc", {"form": "ICC(A,k)"}),
    ("Exact", "percent_agreement", {"weights": "unweighted"}),
)


@dataclass(frozen=True, slots=True)
class AgreementLine:
    """Coefficients of one group on one dimension."""

    dimension: str
    is_first: bool
    n_groups: int
    group: str
    colour: str
    cells: tuple[Shown, ...]
    n_units: str
    n_raters: str


@dataclass(frozen=True, slots=True)
class AgreementTable:
    """Lines under the same columns; ``notes`` explain the dashes."""

    columns: tuple[str, ...]
    lines: tuple[AgreementLine, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellLine:
    """A coefficient averaged over batches and systems, under both rules for undefined cells."""

    dimension: str
    group: str
    statistic: str
    counted_as_one: Shown
    left_out: Shown
    pooled: Shown
    n_undefined: int


def agreement_tables(reading: Reading) -> list[AgreementTable]:
    """Return a table for dimensions with an order, and one for nominal ones, if there are any."""
    kinds = {False: ORDERED, True: NOMINAL}
    tables = []
    for is_nominal, columns in kinds.items():
        found = [
            d for d in reading.dimensions if (reading.measurement(d) == "nominal") == is_nominal
        ]
        if found:
            tables.append(_table(reading, found, columns))
    return tables


def _table(
    reading: Reading, dimensions: list[str], columns: tuple[tuple[str, str, dict[str, str]], ...]
) -> AgreementTable:
    lines: list[AgreementLine] = []
    reasons: dict[str, None] = {}
    for dimension in dimensions:
        for place, group in enumerate(reading.groups):
            rows = [find(reading, dimension, group, name, options) for _, name, options in columns]
            reasons |= {row["undefined"]: None for row in rows if row and row["undefined"]}
            known = next((row for row in rows if row), None)
            lines.append(
                AgreementLine(
                    dimension=reading.label(dimension),
                    is_first=place == 0,
                    n_groups=len(reading.groups),
                    group=reading.label(group),
                    colour=reading.group_colour(group),
                    cells=tuple(_cell(row) for row in rows),
                    n_units=count(known["n_units"]) if known else "0",
                    n_raters=count(known["n_raters"]) if known else "0",
                )
            )
    notes = tuple(explain(reason) for reason in reasons)
    return AgreementTable(tuple(title for title, _, _ in columns), tuple(lines), notes)


def find(
    reading: Reading, dimension: str, group: str, statistic: str, options: dict[str, str]
) -> Row | None:
    """Return the pooled row of a coefficient, None where the scale does not admit it."""
    found = reading.rows(
        "agreement",
        dimension=dimension,
        group=group,
        scope="pooled",
        statistic=statistic,
        options=options,
    )
    return found[0] if found else None


def _cell(row: Row | None) -> Shown:
    if row is None:
        return shown(None, reason="not_on_this_scale")
    return shown(row["value"], row["ci"], reason=row["undefined"])


def cell_lines(reading: Reading) -> list[CellLine]:
    """Return Cohen's kappa per batch and system, as published tables give it."""
    lines = []
    for row in reading.rows("agreement", scope="batch_system_mean", statistic="cohen_kappa"):
        if row["options"]["rule"] != "one":
            continue
        place = {"dimension": row["dimension"], "group": row["group"]}
        other = reading.rows(
            "agreement", scope="batch_system_mean", statistic="cohen_kappa",
            options={**row["options"], "rule": "leave_out"}, **place,
        )[0]  # fmt: skip
        lines.append(
            CellLine(
                dimension=reading.label(row["dimension"]),
                group=reading.label(row["group"]),
                statistic="Cohen’s kappa",
                counted_as_one=shown(row["value"], digits=3, reason=row["undefined"]),
                left_out=shown(other["value"], digits=3, reason=other["undefined"]),
                pooled=_pooled(reading, row),
                n_undefined=row["n_undefined"],
            )
        )
    return lines


def _pooled(reading: Reading, row: Row) -> Shown:
    weights = {"weights": row["options"]["weights"]}
    found = find(reading, row["dimension"], row["group"], "cohen_kappa", weights)
    if found is None:
        return shown(None, reason="not_on_this_scale")
    return shown(found["value"], found["ci"], digits=3, reason=found["undefined"])
