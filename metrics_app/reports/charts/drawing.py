"""Every chart of a report, by name; a chart without data is left out."""

from collections.abc import Callable

from metrics_app.reports.charts.distributions import draw_distributions
from metrics_app.reports.charts.estimates import draw_agreement, draw_means, draw_strengths
from metrics_app.reports.charts.figure import Figure
from metrics_app.reports.charts.forest import draw_contrasts
from metrics_app.reports.charts.heat_map import draw_correlations
from metrics_app.reports.charts.style import TWO_COLUMNS, Width
from metrics_app.reports.contract import Report

DRAWINGS: tuple[Callable[[Report, Width], Figure | None], ...] = (
    draw_distributions,
    draw_means,
    draw_agreement,
    draw_contrasts,
    draw_correlations,
    draw_strengths,
)


def figures(report: Report, width: Width = TWO_COLUMNS) -> list[Figure]:
    """Return the charts that the report has data for."""
    drawn = [draw(report, width) for draw in DRAWINGS]
    return [figure for figure in drawn if figure is not None]
