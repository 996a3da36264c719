"""Differences between systems with their intervals, as a forest."""

import altair as alt

from metrics_app.reports.charts.figure import Figure, Rows, facet
from metrics_app.reports.charts.style import INK, QUIET, SERIES, Width, styled
from metrics_app.reports.contract import ALL_GROUPS, Report

# With more systems all pairs no longer fit a page: then each is held against the best one.
MOST_IN_PAIRS = 6


def draw_contrasts(report: Report, width: Width) -> Figure | None:
    """Draw how far apart systems are, by dimension; all pairs where there are few systems."""
    rows = _rows(report)
    if not rows:
        return None
    width = width.holding(len({row["dimension"] for row in rows}))
    whole = alt.Chart({"values": rows})
    base = whole.encode(y=alt.Y("pair:N", sort=None, title=None))
    x = alt.X("low:Q", title="difference of means, 95% interval")
    zero = whole.mark_rule(stroke=QUIET, strokeDash=[4, 3]).encode(x="zero:Q")
    lines = base.mark_rule(strokeWidth=1.5, stroke=INK).encode(x=x, x2="high:Q")
    told = [alt.Tooltip(f"{field}:Q", format=".3f") for field in ("difference", "low", "high")]
    points = base.mark_point(size=30, stroke=INK, strokeWidth=0.8, opacity=1).encode(
        x="difference:Q",
        fill=alt.Fill("clear:N", title="p < 0.05 after Holm",
                      scale=alt.Scale(domain=["yes", "no"], range=[SERIES[0], "white"])),
        tooltip=["pair:N", *told, "clear:N"],
    )  # fmt: skip
    labels = [str(row["pair"]) for row in rows]
    panels = (
        alt.layer(zero, lines, points)
        .properties(width=width.panel(labels, is_shared=False), height=alt.Step(12))
        .facet(facet=facet("dimension", report), columns=width.n_panels)
        .resolve_scale(y="independent")
    )
    return Figure("contrasts", styled(panels, width), rows)


def _rows(report: Report) -> Rows:
    sides = report.overview["sides"]
    names = list(report.overview["n_judges"])
    group = sides["expert"] if sides else names[0] if len(names) == 1 else ALL_GROUPS
    ranked = [row for row in report.contrasts if row.group == group and row.ci is not None]
    best = {
        row.dimension: row.system
        for row in reversed(report.ranking)
        if row.rank == 1 and row.group == group
    }
    if report.overview["n_systems"] > MOST_IN_PAIRS:
        ranked = [row for row in ranked if row.systems[0] == best.get(row.dimension)]
    return [
        {
            "dimension": row.dimension,
            "pair": " \N{MINUS SIGN} ".join(row.systems),
            "difference": row.difference,
            "low": row.ci[0],
            "high": row.ci[1],
            "zero": 0,
            "clear": "yes" if row.p_adjusted is not None and row.p_adjusted < 0.05 else "no",
        }
        for row in ranked
        if row.ci is not None
    ]
