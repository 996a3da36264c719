"""Reports of small evaluations, computed at a fixed moment."""

from datetime import UTC, datetime

from metrics_app.reports.building import build_report
from metrics_app.reports.options import ReportOptions

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
FEW = ReportOptions(seed=1, n_resamples=20)


def built(evaluation, options=FEW):
    """Return the report of an evaluation."""
    return build_report(evaluation, options, generated_at=NOON)
