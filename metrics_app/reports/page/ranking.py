"""Which system is best: places, intervals drawn, and a rule between clusters."""

import math
from dataclasses import dataclass
from itertools import groupby

from metrics_app.reports.page.numbers import Shown, p_value, percent, shown
from metrics_app.reports.page.reading import Reading, Row

WIDTH = 160.0
_MARGIN = 9.0
_STEPS = (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 25.0, 50.0)


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis of the drawn intervals."""

    x: str
    label: str


@dataclass(frozen=True, slots=True)
class RankedLine:
    """One system's line."""

    system: str
    colour: str
    rank: str
    mean: Shown
    low: str
    high: str
    mark: str
    over_next: str
    p_next: str
    has_next: bool


@dataclass(frozen=True, slots=True)
class Cluster:
    """Systems that the tests do not tell apart."""

    ranks: str
    lines: tuple[RankedLine, ...]


@dataclass(frozen=True, slots=True)
class RankingTable:
    """The systems of one dimension as one group judged them."""

    clusters: tuple[Cluster, ...]
    ticks: tuple[Tick, ...]
    method: str
    n_items: int
    reason: str


def ranking_table(reading: Reading) -> RankingTable | None:
    """Return the ranking of the dimension and group looked at, None where there is none."""
    rows = reading.rows("ranking", dimension=reading.dimension, group=reading.group)
    if not rows:
        return None
    axis = _Axis.around(rows)
    lines = [(row["cluster"], _line(reading, row, axis)) for row in rows]
    clusters = [
        [line for _, line in members] for _, members in groupby(lines, key=lambda pair: pair[0])
    ]
    return RankingTable(
        clusters=tuple(Cluster(_span(members), tuple(members)) for members in clusters),
        ticks=tuple(Tick(f"{axis.x(tick):.1f}", f"{tick:g}") for tick in axis.ticks()),
        method=rows[0]["method"],
        n_items=max(row["n_items"] for row in rows),
        reason=shown(None, reason=rows[0]["undefined"]).reason if rows[0]["undefined"] else "",
    )


def _span(members: list[RankedLine]) -> str:
    first, last = members[0].rank, members[-1].rank
    return first if first == last else f"{first}–{last}"


def _line(reading: Reading, row: Row, axis: "_Axis") -> RankedLine:
    mean = row["mean"]
    low, high = row["ci"] or (mean, mean)
    return RankedLine(
        system=row["system"],
        colour=reading.system_colour(row["system"]),
        rank=str(row["rank"]),
        mean=shown(mean, row["ci"], reason=row["undefined"]),
        low="" if mean is None else f"{axis.x(low):.1f}",
        high="" if mean is None else f"{axis.x(high):.1f}",
        mark="" if mean is None else f"{axis.x(mean) - 3.5:.1f}",
        over_next=percent(row["share_over_next"]),
        p_next=p_value(row["p_next"]),
        has_next=row["p_next"] is not None or row["share_over_next"] is not None,
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    """From values to places in the drawing."""

    low: float
    high: float

    @classmethod
    def around(cls, rows: list[Row]) -> "_Axis":
        bounds = [bound for row in rows if row["mean"] is not None
                  for bound in (row["ci"] or (row["mean"], row["mean"]))]  # fmt: skip
        low, high = (min(bounds), max(bounds)) if bounds else (0.0, 1.0)
        # Beside a large number 1 is lost.
        return cls(low, high if high > low else low + max(1.0, abs(low)))

    def x(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return _MARGIN + share * (WIDTH - 2 * _MARGIN)

    def ticks(self) -> list[float]:
        """Return at most four round values."""
        span = self.high - self.low
        step = next((step for step in _STEPS if span / step <= 3.5), span)
        first = math.ceil(self.low / step)
        return [place * step for place in range(first, math.floor(self.high / step) + 1)]
