"""Differences between systems with their intervals, as a forest."""

import altair as alt

from metrics_app.reports.charts.figure import Figure, Rows
from metrics_app.reports.charts.style import INK, QUIET, SERIES, styled
from metrics_app.reports.contract import ALL_GROUPS, Report

# With more systems all pairs no longer fit a page: then each is held against the best one.
MOST_IN_PAIRS = 6


def draw_contrasts(report: Report) -> Figure | None:
    """Draw how far apart systems are, by dimension; all pairs where there are few systems."""
    rows = _rows(report)
    if not rows:
        return None
    whole = alt.Chart({"values": rows})
    base = whole.encode(
        y=alt.Y("pair:N", sort=None, title=None),
        opacity=alt.Opacity("is_clear:N", scale=alt.Scale(domain=[True, False], range=[1, 0.55]),
                            legend=alt.Legend(title="p < 0.05 after Holm")),
    )  # fmt: skip
    x = alt.X("low:Q", title="difference of mean ratings, 95% interval")
    zero = whole.mark_rule(stroke=QUIET, strokeDash=[4, 3]).encode(x="zero:Q")
    lines = base.mark_rule(strokeWidth=1.5, stroke=INK).encode(x=x, x2="high:Q")
    points = base.mark_point(filled=True, size=45, color=SERIES[0], stroke=INK, strokeWidth=0.6)
    chart = alt.layer(zero, lines, points.encode(x="difference:Q"))
    title = "Differences between systems"
    facet = alt.Facet("dimension:N", title=None, sort=report.overview["dimensions"])
    return Figure(
        "contrasts",
        title,
        f"{title}: mean difference with 95 per cent interval for each pair, by dimension.",
        styled(
            chart.properties(width=300, height=alt.Step(16))
            .facet(facet=facet, columns=2)
            .resolve_scale(y="independent")
        ),
        rows,
    )


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
            "is_clear": row.p_adjusted is not None and row.p_adjusted < 0.05,
        }
        for row in ranked
        if row.ci is not None
    ]
