"""How often each point of the scale was given."""

import json

import altair as alt

from metrics_app.reports.charts.figure import Figure, Rows, facet
from metrics_app.reports.charts.style import INK, Width, ramp, styled
from metrics_app.reports.contract import ALL_GROUPS, MeanRow, Report

_BAR = 14


def draw_distributions(report: Report, width: Width) -> Figure | None:
    """Draw the share of each point of the scale, by system and dimension."""
    rows = _share_rows(report)
    if not rows:
        return None
    points = sorted({str(row["point"]) for row in rows}, key=float)
    systems = report.overview["systems"]
    base = alt.Chart({"values": rows}).encode(
        y=alt.Y("system:N", sort=systems, title=None, axis=alt.Axis(ticks=False, domain=False)),
        tooltip=["system:N", "point:N", alt.Tooltip("share:Q", format=".1%")],
    )
    bars = base.mark_bar(size=_BAR, stroke="white", strokeWidth=1).encode(
        x=alt.X(
            "sum(share):Q",
            title="share of ratings",
            scale=alt.Scale(domain=[0, 1]),
            axis=alt.Axis(format="%", grid=False),
        ),
        color=alt.Color(
            "point:N",
            scale=alt.Scale(domain=points, range=ramp(len(points))),
            legend=alt.Legend(title="point"),
        ),
        order=alt.Order("order:Q"),
    )
    dark = points[(len(points) + 1) // 2 :]  # none of a single point
    words = base.mark_text(fontSize=7).encode(
        x=alt.X("middle:Q"),
        text="label:N",
        color=alt.condition(
            f"indexof({json.dumps(dark)}, datum.point) >= 0", alt.value("white"), alt.value(INK)
        ),
    )
    chart = alt.layer(bars, words).properties(width=width.panel(systems), height=alt.Step(_BAR + 3))
    panels = chart.facet(facet=facet("dimension", report), columns=width.n_panels)
    return Figure("distributions", styled(panels, width), rows)


def _share_rows(report: Report) -> Rows:
    rows: Rows = []
    for row in _of_everybody(report):
        below = 0.0
        for point, share in row.shares.items():
            part = share or 0.0
            rows.append(
                {
                    "dimension": row.dimension,
                    "system": row.system,
                    "point": point,
                    "order": float(point),
                    "share": part,
                    "middle": below + part / 2,
                    "label": f"{100 * part:.0f}" if part >= 0.08 else "",
                }
            )
            below += part
    return rows


def _of_everybody(report: Report) -> list[MeanRow]:
    """Return the means of all judges together, or of the only group."""
    several = any(row.group == ALL_GROUPS for row in report.means)
    return [row for row in report.means if not several or row.group == ALL_GROUPS]
