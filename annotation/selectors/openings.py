"""Reads of openings: whether a worker is opening a study, and how the last try ended."""

from annotation.models import Study
from jobs.models import FINAL_STATES, Job

OPENING = "opening"


def last_opening(study: Study) -> Job | None:
    """Return the last wish that a worker opens the study, or None; none matters once it is open."""
    if study.opened_at is not None:
        return None
    return Job.objects.filter(kind=OPENING, study=study).first()


def is_being_opened(study: Study) -> bool:
    """Return whether a worker opens the study, or will."""
    openings = Job.objects.filter(kind=OPENING, study=study)
    return openings.exclude(state__in=FINAL_STATES).exists()
