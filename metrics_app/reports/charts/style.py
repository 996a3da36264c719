"""How every chart of a report looks: quiet axes, and colours that the colour-blind can tell."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

INK, QUIET, LINE = "#1a1916", "#514e47", "#dedbd3"
# Okabe and Ito's colours, in the order of the pages: systems first, then experts and crowd.
SERIES = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#f0e442")
GROUPS = ("#d55e00", "#56b4e9", "#009e73", "#cc79a7", "#e69f00")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross")
RAMP = ("#e0e3ee", "#b3bedb", "#566bab", "#27336e")
DIVERGING = ("#d55e00", "#f6f4ef", "#0072b2")
FONT = "Noto Sans, Liberation Sans, DejaVu Sans, sans-serif"
_LETTER, _BESIDE_LABEL, _BETWEEN_PANELS = 4.7, 14, 14


@dataclass(frozen=True, slots=True)
class Width:
    """How wide a chart is in print: a pixel is a point, so that letters of 8 are 8 points high.

    Attributes
    ----------
    suffix : str
        What the names of its files end with.
    points : int
        The whole width; a little may be added by marks at the edge.
    n_panels : int
        How many panels stand side by side.
    longest_label : int
        Longer labels are cut, in points.
    """

    suffix: str
    points: int
    n_panels: int
    longest_label: int

    def holding(self, n_panels: int) -> "Width":
        """Return the same width for so few panels that they would not fill it side by side."""
        return replace(self, n_panels=min(self.n_panels, max(n_panels, 1)))

    def panel(self, labels: Iterable[str], *, is_shared: bool = True) -> int:
        """Return the width of one panel beside labels; unless shared each panel has its own."""
        longest = max((len(label) for label in labels), default=0)
        room = min(_LETTER * longest, self.longest_label) + _BESIDE_LABEL
        n_rooms = 1 if is_shared else self.n_panels
        left = self.points - n_rooms * room - _BETWEEN_PANELS * (self.n_panels - 1)
        return int(left / self.n_panels)


# The text of an A4 or letter page in two columns, and one of them.
TWO_COLUMNS = Width("", 453, n_panels=2, longest_label=110)
ONE_COLUMN = Width("-column", 219, n_panels=1, longest_label=90)
WIDTHS = (TWO_COLUMNS, ONE_COLUMN)


def styled(chart: alt.TopLevelMixin, width: Width) -> alt.TopLevelMixin:
    """Return the chart in the style of the report."""
    words: dict[str, Any] = {
        "labelColor": INK, "titleColor": QUIET, "titleFontWeight": "normal",
        "labelFontSize": 8, "titleFontSize": 8,
    }  # fmt: skip
    result: alt.TopLevelMixin = (
        chart.configure(font=FONT, background="white", padding=2)
        .configure_view(stroke=None)
        .configure_axis(**words, gridColor=LINE, domainColor=QUIET, tickColor=QUIET)
        .configure_axisY(labelLimit=width.longest_label, tickSize=3)
        .configure_axisX(tickCount=4)
        .configure_legend(**words, symbolStrokeColor=INK, symbolSize=40, orient="top")
        .configure_header(**words, labelFontWeight="bold", labelPadding=4)
        .configure_facet(spacing=_BETWEEN_PANELS)
    )
    return result


def ramp(n_points: int) -> list[str]:
    """Return one shade for each point of an ordered scale, from light to dark."""
    if n_points == len(RAMP):
        return list(RAMP)
    steps = [i * (len(RAMP) - 1) / max(n_points - 1, 1) for i in range(n_points)]
    return [_between(RAMP[int(s)], RAMP[min(int(s) + 1, len(RAMP) - 1)], s % 1) for s in steps]


def _between(low: str, high: str, share: float) -> str:
    pairs = [(int(low[i : i + 2], 16), int(high[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
