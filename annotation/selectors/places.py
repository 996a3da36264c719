"""Reads of places: which are free, which work counts."""

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import or_

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.enums import Origin
from annotation.models import Assignment, Judge, JudgeGroup, Unit
from annotation.selectors.prepared import Parameter, prepared

# Complete, holding a place (or imported), by a judge who is neither excluded nor withdrawn.
VALID = (
    Q(submitted_at__isnull=False, repeat_of__isnull=True)
    & (Q(slot__isnull=False) | Q(origin=Origin.IMPORTED, is_late=False))
    & Q(judge__excluded_at__isnull=True, judge__withdrawn_at__isnull=True)
)
RUNNING = Q(judge__isnull=False, slot__isnull=False, submitted_at__isnull=True)


def free_places(group: JudgeGroup | int | Parameter) -> QuerySet[Assignment]:
    """Return the places of a group that nobody holds, in the order they are handed out."""
    return Assignment.objects.filter(group=group, judge__isnull=True).order_by("slot", "order_key")


def free_places_for(judge: Judge) -> QuerySet[Assignment]:
    """Return the free places a judge may take: no unit twice; no source twice, if so ruled."""
    once = "unit__item" if judge.study.source_once_per_judge else "unit"
    return _free_unseen(judge.pk, judge.group_id, once)


def _free_unseen(judge: int | Parameter, group: int | Parameter, once: str) -> QuerySet[Assignment]:
    seen: QuerySet[Assignment] | QuerySet[Unit]
    if once == "unit":
        seen = Assignment.objects.filter(judge=judge, unit=OuterRef("unit"))
    else:
        # From the few units of the source, never from all that the judge has had: asked in one
        # join, SQLite begins with the judge, for each place that is passed over.
        had = Assignment.objects.filter(judge=judge, unit=OuterRef("pk"))
        seen = Unit.objects.filter(Exists(had), item=OuterRef("unit__item"))
    return free_places(group).filter(~Exists(seen))


def lock_next_free(judge: Judge, systems: Sequence[int]) -> Assignment | None:
    """Return the first free place of these systems (comparisons: none) for a judge, locked.

    It comes with all that the page of one output shows. A place that someone else is taking right
    now is passed over.
    """
    find = _next_free_source if judge.study.source_once_per_judge else _next_free_unit
    return next(iter(find(judge.pk, judge.group_id, *systems)), None)


@prepared
def _next_free_unit(
    judge: Parameter, group: Parameter, *systems: Parameter
) -> QuerySet[Assignment]:
    return _first_locked(_free_unseen(judge, group, "unit"), systems)


@prepared
def _next_free_source(
    judge: Parameter, group: Parameter, *systems: Parameter
) -> QuerySet[Assignment]:
    return _first_locked(_free_unseen(judge, group, "unit__item"), systems)


def _first_locked(free: QuerySet[Assignment], systems: Sequence[Parameter]) -> QuerySet[Assignment]:
    page = free.filter(of_systems(systems)).select_related("unit__item", "unit__output_version")
    return page.select_for_update(skip_locked=True, of=("self",))[:1]


def of_systems(systems: Sequence[int | Parameter]) -> Q:
    """Return what picks the units of these systems; comparisons, where there is none."""
    if not systems:
        return Q(unit__system__isnull=True)
    return reduce(or_, (Q(unit__system=system) for system in systems))


def running_leases(group: JudgeGroup | Parameter) -> QuerySet[Assignment]:
    """Return the places of a group that a judge holds and has not handed in."""
    return Assignment.objects.filter(RUNNING, group=group)


def lapsed_leases(
    group: JudgeGroup | Parameter, *, at: datetime | Parameter
) -> QuerySet[Assignment]:
    """Return the running leases whose time is over: their places count as free."""
    return running_leases(group).filter(lease_until__lt=at)


def has_lapsed_lease(group: JudgeGroup, *, at: datetime) -> bool:
    """Return whether a lease of the group is over."""
    return bool(_first_lapsed(group.pk, at))


@prepared
def _first_lapsed(group: Parameter, at: Parameter) -> QuerySet[Assignment, int]:
    return lapsed_leases(group, at=at).values_list("pk", flat=True)[:1]


def open_draw(judge: Judge | Parameter) -> QuerySet[Assignment]:
    """Return what a judge holds and has not handed in, repeats included, in order."""
    held = Q(slot__isnull=False) | Q(repeat_of__isnull=False)
    return Assignment.objects.filter(
        held, judge=judge, submitted_at__isnull=True, position__isnull=False
    ).order_by("position")


@prepared
def held_by(judge: Parameter) -> QuerySet[Assignment]:
    """Return the open draw of the judge with that key."""
    return open_draw(judge)


def late_work(judge: Judge) -> QuerySet[Assignment]:
    """Return a judge's unfinished late work, in order, where a place is free again."""
    free = free_places(judge.group_id).filter(unit=OuterRef("unit"))
    return Assignment.objects.filter(
        Exists(free), judge=judge, is_late=True, slot=None, submitted_at=None, repeat_of=None
    ).order_by("position")
