"""How every chart of a report looks: quiet axes, and colours that the colour-blind can tell."""

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


def styled(chart: alt.TopLevelMixin) -> alt.TopLevelMixin:
    """Return the chart in the style of the report."""
    words: dict[str, Any] = {"labelColor": INK, "titleColor": QUIET, "titleFontWeight": "normal"}
    result: alt.TopLevelMixin = (
        chart.configure(font=FONT, background="white")
        .configure_view(stroke=None)
        .configure_axis(**words, gridColor=LINE, domainColor=QUIET, tickColor=QUIET, labelLimit=260)
        .configure_legend(**words, symbolStrokeColor=INK)
        .configure_header(**words, labelFontWeight="bold")
        .configure_title(color=INK, anchor="start", fontSize=13, subtitleColor=QUIET)
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
