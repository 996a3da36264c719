"""What a study is set up to ask, and whether that can still be changed."""

from django.db.models import Count, Prefetch, QuerySet

from annotation.models import Assignment, Dimension, JudgeGroup, Phase, Study


def setup_is_fixed(study: Study) -> bool:
    """Return whether the study has been opened, or holds ratings that were loaded."""
    if study.opened_at is not None:
        return True
    return Assignment.objects.filter(unit__study=study).exists()


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
