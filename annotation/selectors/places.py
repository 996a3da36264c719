"""Reads of places: which are free, which work counts."""

from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.enums import Origin
from annotation.models import Assignment, Judge, JudgeGroup

# Complete, holding a place (or imported), by a judge who is neither excluded nor withdrawn.
VALID = (
    Q(submitted_at__isnull=False, repeat_of__isnull=True)
    & (Q(slot__isnull=False) | Q(origin=Origin.IMPORTED, is_late=False))
    & Q(judge__excluded_at__isnull=True, judge__withdrawn_at__isnull=True)
)
RUNNING = Q(judge__isnull=False, slot__isnull=False, submitted_at__isnull=True)


def free_places(group: JudgeGroup | int) -> QuerySet[Assignment]:
    """Return the places of a group that nobody holds, in the order they are handed out."""
    return Assignment.objects.filter(group=group, judge__isnull=True).order_by("slot", "order_key")


def free_places_for(judge: Judge) -> QuerySet[Assignment]:
    """Return the free places a judge may take: no unit twice; no source twice, if so ruled."""
    own = Assignment.objects.filter(judge=judge)
    if judge.study.source_once_per_judge:
        seen = own.filter(unit__item=OuterRef("unit__item"))
    else:
        seen = own.filter(unit=OuterRef("unit"))
    return free_places(judge.group).filter(~Exists(seen))


def running_leases(group: JudgeGroup) -> QuerySet[Assignment]:
    """Return the places of a group that a judge holds and has not handed in."""
    return Assignment.objects.filter(RUNNING, group=group)


def lapsed_leases(group: JudgeGroup, *, at: datetime) -> QuerySet[Assignment]:
    """Return the running leases whose time is over: their places count as free."""
    return running_leases(group).filter(lease_until__lt=at)


def open_draw(judge: Judge) -> QuerySet[Assignment]:
    """Return what a judge holds and has not handed in, repeats included, in order."""
    held = Q(slot__isnull=False) | Q(repeat_of__isnull=False)
    return Assignment.objects.filter(
        held, judge=judge, submitted_at__isnull=True, position__isnull=False
    ).order_by("position")


def late_work(judge: Judge) -> QuerySet[Assignment]:
    """Return a judge's unfinished late work, in order, where a place is free again."""
    free = free_places(judge.group_id).filter(unit=OuterRef("unit"))
    return Assignment.objects.filter(
        Exists(free), judge=judge, is_late=True, slot=None, submitted_at=None, repeat_of=None
    ).order_by("position")
