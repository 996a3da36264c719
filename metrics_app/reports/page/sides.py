"""Experts against crowd: how much milder, and whether in the same order."""

from dataclasses import dataclass

from metrics_app.reports.page.numbers import (
    Shown,
    interval,
    number,
    p_value,
    percent,
    shown,
    signed,
)
from metrics_app.reports.page.reading import Reading, Row
from metrics_app.stats.undefined import explain

ROW, TOP = 28, 34
# What a line shows where the test was not computed.
_NO_TEST: Row = {
    "group_means": (),
    "value": None,
    "undefined": "",
    "df": (),
    "p": None,
    "effects": {},
}


@dataclass(frozen=True, slots=True)
class SideLine:
    """Experts against crowd on one dimension."""

    dimension: str
    expert: str
    crowd: str
    bias: str
    bias_ci: str
    limits: str
    f: Shown
    df: str
    p: str
    eta: str
    same_order: str
    correlation: str
    reason: str


@dataclass(frozen=True, slots=True)
class OrderedSystem:
    """One system's place on both sides of the drawing of orders."""

    system: str
    colour: str
    left_y: int
    right_y: int
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class SidesBlock:
    """Both groups' names, the table and the drawing."""

    expert: str
    crowd: str
    lines: tuple[SideLine, ...]
    systems: tuple[OrderedSystem, ...]
    height: int


def sides_block(reading: Reading) -> SidesBlock | None:
    """Return the comparison, None where it is not known who is who."""
    sides = reading.overview["sides"]
    if sides is None:
        return None
    systems = _orders(reading, sides["expert"], sides["crowd"])
    return SidesBlock(
        expert=reading.label(sides["expert"]),
        crowd=reading.label(sides["crowd"]),
        lines=tuple(_line(reading, row) for row in reading.rows("bias")),
        systems=systems,
        height=TOP + ROW * len(systems),
    )


def _line(reading: Reading, row: Row) -> SideLine:
    dimension = row["dimension"]
    tests = reading.rows("comparison", dimension=dimension, factor="group", unit="output_mean")
    anova = next((test for test in tests if test["statistic"] == "oneway_anova"), _NO_TEST)
    taus = reading.rows(
        "group_correlation", dimension=dimension, level="system", statistic="kendall_tau_b"
    )
    tau = next((one for one in taus if set(one["groups"]) == set(row["groups"])), None)
    expert, crowd = anova["group_means"] or (None, None)
    return SideLine(
        dimension=reading.label(dimension),
        expert=_number(expert),
        crowd=_number(crowd),
        bias="–" if row["value"] is None else signed(row["value"]),
        bias_ci=interval(row["ci"], is_difference=True),
        limits=_limits(row),
        f=shown(anova["value"], digits=1, reason=anova["undefined"]),
        df=", ".join(f"{df:,.0f}" for df in anova["df"]),
        p=p_value(anova["p"]),
        eta=_number(anova["effects"].get("eta_squared"), 3),
        same_order=percent(row["same_order"]),
        correlation=_number(tau["value"]) if tau else "–",
        reason=explain(row["undefined"]) if row["undefined"] else "",
    )


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else number(value, digits)


def _limits(row: Row) -> str:
    if row["limits"] is None:
        return "–"
    low, high = row["limits"]
    return f"{signed(low)} to {signed(high)}"


def _orders(reading: Reading, expert: str, crowd: str) -> tuple[OrderedSystem, ...]:
    """Return the systems with their places by the experts' and by the crowd's means."""
    means = {
        group: {
            row["system"]: row["mean"]
            for row in reading.rows("means", dimension=reading.dimension, group=group)
            if row["mean"] is not None
        }
        for group in (expert, crowd)
    }
    shared = [system for system in means[expert] if system in means[crowd]]
    places = {
        group: sorted(shared, key=own.__getitem__, reverse=True) for group, own in means.items()
    }
    return tuple(
        OrderedSystem(
            system=system,
            colour=reading.system_colour(system),
            left_y=TOP + ROW * left,
            right_y=TOP + ROW * places[crowd].index(system),
            left=number(means[expert][system]),
            right=number(means[crowd][system]),
        )
        for left, system in enumerate(places[expert])
    )
