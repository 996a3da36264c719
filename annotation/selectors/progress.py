"""How far the studies are: places filled and wanted, per group of judges."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from annotation.enums import Origin
from annotation.models import Assignment, Item, Judge, JudgeGroup, Study, System
from annotation.selectors.counting import count_of
from annotation.selectors.places import RUNNING, VALID


@dataclass(frozen=True, slots=True)
class GroupProgress:
    """Places of one group: how many there are, are filled, and are being filled."""

    name: str
    n_places: int
    n_done: int
    n_running: int
    n_imported: int

    @property
    def n_total(self) -> int:
        """Return the bar's end: places, or what was imported where there are none."""
        return self.n_places or self.n_imported

    @property
    def n_filled(self) -> int:
        """Return the bar's value."""
        return self.n_done if self.n_places else self.n_imported


@dataclass(frozen=True, slots=True)
class JudgeProgress:
    """How many units a judge has handed in, holds, and handed in or kept too late."""

    judge: Judge
    n_done: int
    n_open: int
    n_late: int


def studies_with_counts(studies: QuerySet[Study]) -> QuerySet[Study]:
    """Return the studies, newest first, each with n_items and n_systems."""
    return studies.annotate(
        n_items=count_of(Item.objects.all(), "study"),
        n_systems=count_of(System.objects.all(), "study"),
    ).order_by("-created_at", "pk")


def progress_by_study(studies: Iterable[Study]) -> dict[int, list[GroupProgress]]:
    """Return the progress of every group of the studies, by study."""
    keys = [study.pk for study in studies]
    counts = {
        group: tuple(numbers)
        for group, *numbers in Assignment.objects.filter(group__study__in=keys)
        .values_list("group")
        .annotate(
            n_places=Count("pk", filter=Q(slot__isnull=False)),
            n_done=Count("pk", filter=VALID & Q(slot__isnull=False)),
            n_running=Count("pk", filter=RUNNING),
            n_imported=Count("pk", filter=Q(origin=Origin.IMPORTED)),
        )
    }
    progress: dict[int, list[GroupProgress]] = defaultdict(list)
    for group in JudgeGroup.objects.filter(study__in=keys).order_by("pk"):
        progress[group.study_id].append(
            GroupProgress(group.name, *counts.get(group.pk, (0, 0, 0, 0)))
        )
    return progress


def judges_with_progress(study: Study) -> list[JudgeProgress]:
    """Return the judges of a study with what they did, by group and in order."""
    works = Assignment.objects.filter(judge__study=study).order_by().values_list("judge")
    counts = {
        judge: tuple(numbers)
        for judge, *numbers in works.annotate(
            n_done=Count("pk", filter=Q(submitted_at__isnull=False, repeat_of__isnull=True)),
            n_open=Count("pk", filter=RUNNING),
            n_late=Count("pk", filter=Q(is_late=True)),
        )
    }
    judges = study.judges.select_related("group").order_by("group", "pk")
    return [JudgeProgress(judge, *counts.get(judge.pk, (0, 0, 0))) for judge in judges]
