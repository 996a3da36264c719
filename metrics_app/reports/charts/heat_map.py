"""Correlations of metrics with dimensions, as a map."""

import altair as alt

from metrics_app.reports.charts.figure import Figure, Rows
from metrics_app.reports.charts.style import DIVERGING, INK, styled
from metrics_app.reports.contract import ALL_GROUPS, Report


def draw_correlations(report: Report) -> Figure | None:
    """Draw the correlation of every metric with every dimension as a heat map."""
    rows: Rows = [
        {
            "metric": row.metric,
            "dimension": row.dimension,
            "level": row.level,
            "value": row.value,
            "label": "–" if row.value is None else _signed(row.value),
        }
        for row in report.correlation
        if row.statistic == "kendall_tau_b"
        and row.level in ("system", "summary")
        and row.group == _reference_group(report)
    ]
    if not rows:
        return None
    base = alt.Chart({"values": rows}).encode(
        x=alt.X("dimension:N", sort=report.overview["dimensions"], title=None,
                axis=alt.Axis(labelAngle=-30, orient="top")),
        y=alt.Y("metric:N", sort=None, title=None),
    )  # fmt: skip
    scale = alt.Scale(domain=[-1, 0, 1], range=list(DIVERGING))
    cells = base.mark_rect(stroke="white").encode(
        color=alt.Color("value:Q", scale=scale, legend=alt.Legend(title="Kendall's tau-b"))
    )
    words = base.mark_text(fontSize=10).encode(
        text="label:N",
        color=alt.condition("abs(datum.value) > 0.7", alt.value("white"), alt.value(INK)),
    )
    chart = alt.layer(cells, words).properties(width=alt.Step(52), height=alt.Step(18))
    title = "Metrics against people"
    return Figure(
        "correlations",
        title,
        f"{title}: Kendall's tau-b of every metric with every dimension, at both levels.",
        styled(chart.facet(column=alt.Column("level:N", title=None, sort=["system", "summary"]))),
        rows,
    )


def _reference_group(report: Report) -> str:
    """Return the group that metrics are held against: the experts, else the only or all."""
    sides = report.overview["sides"]
    if sides is not None:
        return str(sides["expert"])
    groups = [row.group for row in report.correlation]
    return ALL_GROUPS if ALL_GROUPS in groups else groups[0]


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")
