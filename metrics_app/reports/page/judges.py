"""Single judges beside the others, and the outputs on which they differ most."""

from collections.abc import Mapping
from dataclasses import dataclass

from metrics_app.reports.contract import ALL_GROUPS
from metrics_app.reports.page.numbers import interval, number, percent, signed
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.stats.undefined import explain

Without = Mapping[tuple[str, str], float | None]
MOST_JUDGES = 40
MOST_OUTPUTS = 10


@dataclass(frozen=True, slots=True)
class JudgeLine:
    """One judge on the dimension looked at."""

    judge: str
    group: str
    colour: str
    n_ratings: str
    mean: str
    spread: str
    severity: str
    severity_ci: str
    reason: str
    correlation: str
    exact: str
    modal: str
    alpha_without: str


@dataclass(frozen=True, slots=True)
class JudgesTable:
    """The judges farthest from the others come first; ``n_more`` are in the file only."""

    lines: tuple[JudgeLine, ...]
    n_more: int


@dataclass(frozen=True, slots=True)
class DisputedOutput:
    """One output on which the judges differ."""

    item: str
    system: str
    colour: str
    mean: str
    spread: str
    ratings: tuple[tuple[str, str], ...]


def judges_table(reading: Reading) -> JudgesTable | None:
    """Return the judges on the dimension looked at, each once; None where there are none.

    Each is held against its own group or, where all judges together are looked at, against all.
    """
    is_of_all = reading.group == ALL_GROUPS
    rows = [
        row
        for row in reading.rows("judges", dimension=reading.dimension)
        if (row["group"] == ALL_GROUPS) == is_of_all
    ]
    if not rows:
        return None
    rows.sort(key=lambda row: -abs(row["severity"] or 0.0))
    without = _alphas_without(reading)
    lines = tuple(_line(reading, row, without) for row in rows[:MOST_JUDGES])
    return JudgesTable(lines, max(0, len(rows) - MOST_JUDGES))


def _alphas_without(reading: Reading) -> Without:
    """Return alpha of each group without one judge, at the level of the scale."""
    return {
        (row["group"], row["judge"]): row["value"]
        for row in reading.rows(
            "judges_left_out", dimension=reading.dimension, statistic="krippendorff_alpha"
        )
    }


def _line(reading: Reading, row: Row, without: Without) -> JudgeLine:
    return JudgeLine(
        judge=row["judge"],
        group=reading.label(row["group"]),
        colour=reading.group_colour(row["group"]),
        n_ratings=f"{row['n_ratings']:,}",
        mean=_number(row["mean"]),
        spread=_number(row["sd"]),
        severity="–" if row["severity"] is None else signed(row["severity"]),
        severity_ci=interval(row["ci"], is_difference=True),
        reason=explain(row["undefined"]) if row["undefined"] else "",
        correlation=_number(row["correlation"]),
        exact=percent(row["exact_agreement"]),
        modal=percent(row["modal_share"]),
        alpha_without=_number(without.get((row["group"], row["judge"]))),
    )


def _number(value: float | None) -> str:
    return "–" if value is None else number(value)


def disputed_outputs(reading: Reading) -> list[DisputedOutput]:
    """Return the most disputed outputs of the dimension, all judges of the group together."""
    group = ALL_GROUPS if ALL_GROUPS in reading.groups else reading.group
    rows = reading.rows("disputes", dimension=reading.dimension, group=group)
    return [
        DisputedOutput(
            item=row["item"],
            system=row["system"],
            colour=reading.system_colour(row["system"]),
            mean=_number(row["mean"]),
            spread=number(row["disagreement"]),
            ratings=tuple((judge, f"{value:g}") for judge, value in sorted(row["ratings"].items())),
        )
        for row in rows[:MOST_OUTPUTS]
    ]
