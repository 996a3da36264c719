"""Reason codes and lengths of time in words."""

from django import template

from metrics_app.reports.page.numbers import duration
from metrics_app.stats.undefined import explain

register = template.Library()
register.filter("explained", explain)


@register.filter
def as_time(seconds: float) -> str:
    """Return how long something takes, no more exact than anybody can know it."""
    if seconds < 0.1:
        return "under 0.1 s"
    return f"{seconds:.1f} s" if seconds < 10 else duration(seconds)


@register.filter
def lacking_of(n_scores: int, n_outputs: int) -> str:
    """Return how many outputs have no score; an uploaded file may have left them empty."""
    return f"{max(n_outputs - n_scores, 0):,}"
