"""Places given up and taken back: k stays exact because a slot only ever moves."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from annotation.models import Assignment, Judge, JudgeGroup, Unit
from annotation.selectors.places import free_places, has_lapsed_lease, lapsed_leases, late_work

# Lapsed leases given on in one draw: enough to keep up, few enough to stay quick.
MAX_RECLAIMED = 200


def reclaim_lapsed(group: JudgeGroup, *, at: datetime) -> int:
    """Free the places whose lease is over; return how many. Call it in a transaction.

    The old row stays with its judge, so that late work has somewhere to go; a fresh row takes
    the slot.
    """
    if not has_lapsed_lease(group, at=at):
        return 0
    lapsed = lapsed_leases(group, at=at).select_for_update(skip_locked=True)[:MAX_RECLAIMED]
    return len(give_up_places(lapsed))


def give_up_places(assignments: Iterable[Assignment]) -> list[Assignment]:
    """Take their slots from locked assignments and return the fresh free places."""
    held = list(assignments)
    fresh = [
        Assignment(
            unit_id=row.unit_id, group_id=row.group_id, slot=row.slot, order_key=row.order_key
        )
        for row in held
    ]
    Assignment.objects.filter(pk__in=[row.pk for row in held]).update(slot=None, is_late=True)
    return Assignment.objects.bulk_create(fresh)


def take_back_places(late: Iterable[Assignment]) -> list[Assignment]:
    """Give locked late work a slot again where the place is still free; return which got one.

    Without this a group of exactly k judges could never complete a unit once a lease had lapsed.
    """
    regained = []
    for row in late:
        place = (
            free_places(row.group_id)
            .filter(unit=row.unit_id)
            .select_for_update(skip_locked=True)
            .first()
        )
        if place is None:
            continue
        row.slot, row.is_late = place.slot, False
        place.delete()
        row.save(update_fields=["slot", "is_late"])
        regained.append(row)
    return regained


def take_back_draw(judge: Judge) -> list[Assignment]:
    """Return the first of a judge's late draws to them, as far as nobody has taken its places."""
    late = late_work(judge)
    first = late.values_list("draw", flat=True).first()
    if first is None:
        return []
    return take_back_places(late.filter(draw=first).select_for_update(of=("self",)))


def drop_units(units: QuerySet[Unit]) -> None:
    """Let units be judged no further: those that nobody was given go, others keep their work."""
    given = set(
        units.filter(assignments__judge__isnull=False).values_list("pk", flat=True).distinct()
    )
    Assignment.objects.filter(unit__in=given, judge__isnull=True).delete()
    units.exclude(pk__in=given).delete()


@transaction.atomic
def count_late_work(assignment: Assignment) -> bool:
    """Count late work that is handed in, where its place is still free; return whether it is.

    The judge is locked first: one who is excluded at this moment must not get a place.
    """
    judge = Judge.objects.select_for_update(of=("self",)).filter(assignments=assignment).first()
    if judge is None or judge.excluded_at or judge.withdrawn_at:
        return False
    late = Assignment.objects.filter(
        pk=assignment.pk, is_late=True, slot=None, submitted_at__isnull=False, repeat_of=None
    )
    return bool(take_back_places(late.select_for_update()))
