"""Estimates with their intervals: means and strengths of systems, agreement of judges."""

from dataclasses import replace

import altair as alt

from metrics_app.reports.charts.figure import Figure, Rows, facet
from metrics_app.reports.charts.style import GROUPS, INK, QUIET, SHAPES, Width, styled
from metrics_app.reports.contract import ALL_GROUPS, AgreementRow, MeanRow, Report
from metrics_app.reports.rows.preference import StrengthRow

# Height of one group's place beside its peers, in pixels.
_OFFSET = 9


def draw_means(report: Report, width: Width) -> Figure | None:
    """Draw each system's mean with its interval, by dimension and group of judges."""
    rows = _with_interval([row for row in report.means if row.group != ALL_GROUPS])
    if not rows:
        return None
    groups = list(dict.fromkeys(str(row["group"]) for row in rows))
    width = width.holding(len(report.overview["dimensions"]))
    base = alt.Chart({"values": rows}).encode(
        y=alt.Y("system:N", sort=report.overview["systems"], title=None),
        yOffset=alt.YOffset("group:N", sort=groups),
        color=_group_colour(groups),
    )
    chart = alt.layer(*_points_with_intervals(base, "mean rating, 95% interval", groups))
    panels = chart.properties(
        width=width.panel(report.overview["systems"]), height=alt.Step(_OFFSET)
    ).facet(facet=facet("dimension", report), columns=width.n_panels)
    return Figure("means", styled(panels, width), rows)


def draw_strengths(report: Report, width: Width) -> Figure | None:
    """Draw how strong each system is in comparisons, by dimension and group of judges."""
    rows = _with_interval(list(report.strengths))
    if not rows:
        return None
    groups = list(dict.fromkeys(str(row["group"]) for row in rows))
    systems = list(dict.fromkeys(str(row["system"]) for row in rows))
    width = width.holding(len({row["dimension"] for row in rows}))
    whole = alt.Chart({"values": [{**row, "zero": 0} for row in rows]})
    base = whole.encode(
        y=alt.Y("system:N", sort=systems, title=None),
        yOffset=alt.YOffset("group:N", sort=groups),
        color=_group_colour(groups),
    )
    layers = _points_with_intervals(base, "strength (log scale, average 0), 95% interval", groups)
    average = whole.mark_rule(stroke=QUIET, strokeDash=[4, 3]).encode(x="zero:Q")
    panels = (
        alt.layer(average, *layers)
        .properties(width=width.panel(systems), height=alt.Step(_OFFSET))
        .facet(facet=facet("dimension", report), columns=width.n_panels)
    )
    return Figure("strengths", styled(panels, width), rows)


def draw_agreement(report: Report, width: Width) -> Figure | None:
    """Draw Krippendorff's ordinal alpha with its interval, by dimension and group."""
    kept = [row for row in report.agreement if _is_headline(row)]
    rows = _with_interval(kept)
    if not rows:
        return None
    groups = list(dict.fromkeys(str(row["group"]) for row in rows))
    base = alt.Chart({"values": rows}).encode(
        y=alt.Y("dimension:N", sort=report.overview["dimensions"], title=None),
        yOffset=alt.YOffset("group:N", sort=groups),
        color=_group_colour(groups),
    )
    layers = _points_with_intervals(base, "Krippendorff's alpha, ordinal", groups)
    # One panel only, which takes the whole width.
    whole = replace(width, n_panels=1).panel(report.overview["dimensions"])
    chart = alt.layer(*layers).properties(width=whole, height=alt.Step(_OFFSET + 2))
    return Figure("agreement", styled(chart, width), rows)


def _is_headline(row: AgreementRow) -> bool:
    is_alpha = row.statistic == "krippendorff_alpha"
    return is_alpha and row.scope == "pooled" and row.options.get("measurement") == "ordinal"


def _with_interval(found: list[MeanRow] | list[AgreementRow] | list[StrengthRow]) -> Rows:
    rows: Rows = []
    for row in found:
        value = row.mean if isinstance(row, MeanRow) else row.value
        if value is None:
            continue
        low, high = row.ci or (value, value)
        name = {} if isinstance(row, AgreementRow) else {"system": row.system}
        rows.append(
            {"dimension": row.dimension, "group": row.group, **name,
             "value": value, "low": low, "high": high}
        )  # fmt: skip
    return rows


def _points_with_intervals(base: alt.Chart, title: str, groups: list[str]) -> list[alt.Chart]:
    x = alt.X("low:Q", title=title, scale=alt.Scale(zero=False))
    shapes = alt.Scale(domain=groups, range=[SHAPES[i % len(SHAPES)] for i in range(len(groups))])
    told = [alt.Tooltip(f"{field}:Q", format=".3f") for field in ("value", "low", "high")]
    return [
        base.mark_rule(strokeWidth=1.5).encode(x=x, x2="high:Q"),
        base.mark_point(filled=True, size=30, stroke=INK, strokeWidth=0.6, opacity=1).encode(
            x=alt.X("value:Q", scale=alt.Scale(zero=False)),
            tooltip=[base.encoding.y.shorthand, "group:N", *told],
            shape=alt.Shape("group:N", scale=shapes, title="judges"),
        ),
    ]


def _group_colour(groups: list[str]) -> alt.Color:
    scale = alt.Scale(domain=groups, range=[GROUPS[i % len(GROUPS)] for i in range(len(groups))])
    return alt.Color("group:N", scale=scale, title="judges")
