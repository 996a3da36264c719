"""The datasheet of a study, from its protocol and its newest report."""

from collections.abc import Mapping
from typing import Any

from metrics_app.loaders.records import record_of
from metrics_app.loaders.studies import StudyRow
from metrics_app.reports.datasheet.evidence import Evidence
from metrics_app.reports.datasheet.sheet import Datasheet, fill_datasheet


def datasheet_of(study: StudyRow, report: Mapping[str, Any] | None) -> Datasheet:
    """Return the filled sheet.

    Parameters
    ----------
    report : mapping or None
        ``report.json`` as plain values; without it the sheet says what is not computed yet.
    """
    record = record_of(study.id)
    return fill_datasheet(
        Evidence(record.protocol, record.conduct, record.exclusions, report=report or {})
    )
