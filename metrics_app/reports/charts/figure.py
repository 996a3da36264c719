"""What a chart is: its name, its words, and the rows behind it."""

from dataclasses import dataclass

import altair as alt

from metrics_app.reports.contract import Report

Rows = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its name, what it says in words, and the rows behind it."""

    name: str
    title: str
    alt_text: str
    chart: alt.TopLevelMixin
    rows: Rows


def facet(field: str, report: Report) -> alt.Facet:
    """Return one panel for each value of the field, dimensions in their order."""
    return alt.Facet(f"{field}:N", title=None, sort=report.overview["dimensions"])
