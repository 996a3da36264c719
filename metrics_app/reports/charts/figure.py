"""What a chart is: its name, its words, and the rows behind it."""

import json
import unicodedata
from dataclasses import dataclass

import altair as alt

from metrics_app.reports.charts.words import FIGURES
from metrics_app.reports.contract import Report

Rows = list[dict[str, object]]


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its name, and the rows behind it."""

    name: str
    chart: alt.TopLevelMixin
    rows: Rows

    @property
    def title(self) -> str:
        """What the chart is called."""
        return FIGURES[self.name].title

    @property
    def alt_text(self) -> str:
        """What the chart shows, for who cannot see it."""
        return FIGURES[self.name].alt_text

    def specification(self) -> str:
        """Return the chart as Vega-Lite JSON that every renderer can draw."""
        plain = {"description": self.alt_text, **self.chart.to_dict()}
        return json.dumps(_drawable(plain), ensure_ascii=False, indent=1)


def facet(field: str, report: Report) -> alt.Facet:
    """Return one panel for each value of the field, dimensions in their order."""
    return alt.Facet(f"{field}:N", title=None, sort=report.overview["dimensions"])


def _drawable(value: object) -> object:
    """Return the value without control characters: SVG may not hold them, whatever is named so."""
    if isinstance(value, str):
        return "".join(one for one in value if unicodedata.category(one) not in ("Cc", "Cs"))
    if isinstance(value, dict):
        return {key: _drawable(part) for key, part in value.items()}
    return [_drawable(part) for part in value] if isinstance(value, list) else value
