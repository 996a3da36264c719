"""What is stored of a study beside its ratings: protocol, conduct, exclusions."""

from dataclasses import asdict, dataclass
from typing import Any

from annotation.selectors import doors


@dataclass(frozen=True, slots=True)
class StudyRecord:
    """Plain values, as `metrics_app.reports.datasheet.evidence.Evidence` describes them."""

    protocol: dict[str, Any]
    conduct: dict[str, Any]
    exclusions: tuple[tuple[str, str, str, str], ...]


def record_of(study_id: int) -> StudyRecord:
    """Return the record of a study."""
    return StudyRecord(
        protocol=doors.protocol_of(study_id),
        conduct=asdict(doors.conduct_of(study_id)),
        exclusions=tuple(doors.exclusion_rows(study_id)),
    )
