"""What a study is set up to ask, and whether that can still be changed."""

from django.db.models import Count, Prefetch, QuerySet

from annotation.models import Assignment, Dimension, JudgeGroup, Phase, Study
from jobs.models import FINAL_STATES, Job


def setup_is_fixed(study: Study) -> bool:
    """Return whether the study has been opened, or holds ratings that were loaded."""
    if study.opened_at is not None:
        return True
    return Assignment.objects.filter(unit__study=study).exists()


def why_not_deleted(study: Study) -> str:
    """Return what keeps a study from being deleted, in a sentence; nothing for a plain draft."""
    if setup_is_fixed(study):
        return "The study has been opened or holds ratings: it is kept. It can be closed."
    job = Job.objects.filter(study=study).exclude(state__in=FINAL_STATES).order_by("pk").first()
    if job is not None:
        return (
            f"Work on the study is under way ({job.label}). Wait for its end, or cancel it, and "
            "delete the study then."
        )
    return ""


def phases_of(study: Study) -> QuerySet[Phase]:
    """Return the phases in order, each with its examples and what it asks now."""
    asked = (
        Dimension.objects.filter(is_current=True)
        .select_related("scale")
        .prefetch_related("scale__points")
        .order_by("position")
    )
    return study.phases.prefetch_related("examples", Prefetch("dimensions", queryset=asked))


def groups_of(study: Study) -> QuerySet[JudgeGroup]:
    """Return the groups of judges, each with ``n_judges``."""
    return study.groups.annotate(n_judges=Count("judges")).order_by("pk")
