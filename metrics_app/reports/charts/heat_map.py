"""Correlations of metrics with dimensions, as a map."""

import altair as alt

from metrics_app.reports.charts.figure import Figure, Rows
from metrics_app.reports.charts.style import DIVERGING, INK, Width, styled
from metrics_app.reports.contract import ALL_GROUPS, Report

# What a number of two digits and its sign need.
_NARROWEST_CELL = 20


def draw_correlations(report: Report, width: Width) -> Figure | None:
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
                axis=alt.Axis(labelAngle=-30)),
        y=alt.Y("metric:N", sort=None, title=None),
    )  # fmt: skip
    scale = alt.Scale(domain=[-1, 0, 1], range=list(DIVERGING), interpolate="rgb")
    cells = base.mark_rect(stroke="white").encode(
        color=alt.Color(
            "value:Q", scale=scale, legend=alt.Legend(title="Kendall's tau-b", gradientLength=100)
        ),
        tooltip=["metric:N", "dimension:N", alt.Tooltip("value:Q", format=".3f")],
    )
    words = base.mark_text(fontSize=7).encode(
        text="label:N",
        color=alt.condition("abs(datum.value) > 0.7", alt.value("white"), alt.value(INK)),
    )
    room = width.panel(str(row["metric"]) for row in rows)
    step = max(_NARROWEST_CELL, room / len({row["dimension"] for row in rows}))
    chart = alt.layer(cells, words).properties(width=alt.Step(step), height=alt.Step(12))
    levels = alt.Facet("level:N", title=None, sort=["system", "summary"])
    panels = chart.facet(facet=levels, columns=width.n_panels)
    return Figure("correlations", styled(panels, width), rows)


def _reference_group(report: Report) -> str:
    """Return the group that metrics are held against: the experts, else the only or all."""
    sides = report.overview["sides"]
    if sides is not None:
        return str(sides["expert"])
    groups = [row.group for row in report.correlation]
    return ALL_GROUPS if ALL_GROUPS in groups else groups[0]


def _signed(value: float) -> str:
    # Adding 0 makes -0.0 to 0.0.
    return f"{round(value, 2) + 0:.2f}".replace("-", "\N{MINUS SIGN}")
