"""Places: made at opening, leased by drawing, given on when a lease has lapsed."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Count, QuerySet

from annotation.design.orders import counterbalanced, least_used
from annotation.enums import Layout, StudyState
from annotation.models import Assignment, Batch, Item, Judge
from annotation.selectors.asked import systems_lately
from annotation.selectors.given import Given, given_to
from annotation.selectors.places import (
    free_places_for,
    held_by,
    lock_next_free,
    of_systems,
    open_draw,
)
from annotation.selectors.prepared import Parameter, prepared
from annotation.services.place_handover import reclaim_lapsed, take_back_draw
from annotation.services.prepared_writes import PreparedUpdate
from annotation.services.repeats import due_repeats

ACCEPTS_DRAWS = {StudyState.PILOT, StudyState.OPEN}
_LEASED = ("judge", "position", "draw", "leased_at", "lease_until")
_write_lease = PreparedUpdate(Assignment, *_LEASED)


@transaction.atomic
def draw(judge: Judge, *, at: datetime, n_ahead: int = 0) -> list[Assignment]:
    """Lease what the judge rates next, and return it in order, each with the judge as stored now.

    A judge who holds unfinished work gets that again, with a new lease; ``n_ahead`` is the number
    of further draws to hold beyond the first, so that the next one is there at once. The list is
    empty where the study takes no work, the judge is out, or no free place is left for them.
    """
    (judge,) = _locked(judge.pk)
    held = _renew(judge, at=at)
    if judge.study.state not in ACCEPTS_DRAWS or judge.excluded_at or judge.withdrawn_at:
        return held
    n_wanted = 1 + n_ahead - len({row.draw for row in held})
    if n_wanted <= 0:
        return held
    reclaim_lapsed(judge.group, at=at)
    if not held:
        held, n_wanted = _resume(judge, n_wanted=n_wanted, at=at)
    return held + _draw_new(judge, n_wanted=n_wanted, at=at)


@prepared
def _locked(judge: Parameter) -> QuerySet[Judge]:
    judges = Judge.objects.filter(pk=judge).select_related("study", "group")
    return judges.select_for_update(of=("self",))


def _draw_new(judge: Judge, *, n_wanted: int, at: datetime) -> list[Assignment]:
    given = given_to(judge.pk)
    new: list[Assignment] = []
    for _ in range(n_wanted):
        places = _choose(judge, given)
        if not places:
            break
        repeats = due_repeats(judge, n_new=len(places))
        new += _lease([*repeats, *places], judge=judge, given=given, at=at)
    return new


def _renew(judge: Judge, *, at: datetime) -> list[Assignment]:
    """Return what the judge holds, with a new lease once half of the old one is gone."""
    lease = timedelta(minutes=judge.study.lease_minutes)
    held = _of(judge, held_by(judge.pk))
    if any(row.lease_until is None or row.lease_until - at < lease / 2 for row in held):
        # Locked and read again: another judge may be taking over what has lapsed.
        held = _of(judge, open_draw(judge).select_for_update())
        _set_lease(held, until=at + lease)
    return held


def _of(judge: Judge, rows: Iterable[Assignment]) -> list[Assignment]:
    held = list(rows)
    for row in held:
        row.judge = judge
    return held


def _resume(judge: Judge, *, n_wanted: int, at: datetime) -> tuple[list[Assignment], int]:
    """Give a judge who is back their own late work, and return it and the draws still wanted."""
    held: list[Assignment] = []
    while n_wanted > 0 and (regained := take_back_draw(judge)):
        held, n_wanted = held + _of(judge, regained), n_wanted - 1
    _set_lease(held, until=at + timedelta(minutes=judge.study.lease_minutes))
    return held, n_wanted


def _set_lease(held: list[Assignment], *, until: datetime) -> None:
    if not held:
        return
    Assignment.objects.filter(pk__in=[row.pk for row in held]).update(lease_until=until)
    for row in held:
        row.lease_until = until


def _choose(judge: Judge, given: Given) -> list[Assignment]:
    layout = judge.study.layout
    if layout == Layout.ITEM:
        return _choose_item(judge)
    if layout == Layout.BATCH:
        return _choose_batch(judge)
    n_wanted = judge.study.page_size if layout == Layout.PAGE else 1
    return _choose_singly(judge, n_wanted=n_wanted, n_used=given.n_of_system)


def _choose_singly(judge: Judge, *, n_wanted: int, n_used: dict[int, int]) -> list[Assignment]:
    """Choose place after place, each of a system that this judge has seen least.

    Comparisons come when no single output is left, in the order of their design.
    """
    chosen: list[Assignment] = []
    while len(chosen) < n_wanted:
        place = _least_used_place(judge, n_used=n_used, chosen=chosen)
        if place is None:
            break
        chosen.append(place)
        if system := place.unit.system_id:
            n_used[system] = n_used.get(system, 0) + 1
    return chosen


def _least_used_place(
    judge: Judge, *, n_used: dict[int, int], chosen: list[Assignment]
) -> Assignment | None:
    systems = least_used(systems_lately(judge.study_id), n_used)
    # Comparisons are of no one system, and come last.
    found = (_first_free(judge, equally_used, chosen) for equally_used in [*systems, []])
    return next((place for place in found if place is not None), None)


def _first_free(judge: Judge, systems: list[int], chosen: list[Assignment]) -> Assignment | None:
    if not chosen:
        return lock_next_free(judge, systems)
    free = free_places_for(judge).filter(of_systems(systems))
    free = free.exclude(unit__in=[row.unit_id for row in chosen])
    if judge.study.source_once_per_judge:
        free = free.exclude(unit__item__in=[row.unit.item_id for row in chosen])
    return free.select_related("unit").select_for_update(skip_locked=True, of=("self",)).first()


def _choose_item(judge: Judge) -> list[Assignment]:
    """Choose one item under one slot: its systems in the order of a Williams square, then pairs."""
    block = _choose_block(judge, anchor=Item, path="unit__item")
    if not block:
        return []
    n_blocks = Assignment.objects.filter(judge=judge).aggregate(n=Count("draw", distinct=True))["n"]
    singles = [(place.unit.system_id, place) for place in block if place.unit.system_id]
    compared = [place for place in block if not place.unit.system_id]
    return counterbalanced(singles, row=judge.pk + n_blocks) + compared


def _choose_batch(judge: Judge) -> list[Assignment]:
    """Choose a fixed batch under one slot: its items in order, their systems as opened."""
    block = _choose_block(judge, anchor=Batch, path="unit__item__batch")
    return sorted(
        block,
        key=lambda place: (
            place.unit.system_id is None,
            place.unit.item.position,
            place.order_key,
        ),
    )


def _choose_block(judge: Judge, *, anchor: type[Item] | type[Batch], path: str) -> list[Assignment]:
    """Choose the first block that nobody else is choosing right now, whole, under one slot.

    The block's item or batch is locked first: locking its places one by one would let two judges
    share a block.
    """
    free = free_places_for(judge).filter(**{f"{path}__isnull": False})
    passed: list[int] = []
    while True:
        first = free.exclude(**{f"{path}__in": passed}).values_list(path, "slot").first()
        if first is None:
            return []
        key, slot = first
        locked = anchor.objects.select_for_update(skip_locked=True, of=("self",)).filter(pk=key)
        places = free.filter(**{path: key}, slot=slot).select_related("unit__item")
        # Locked too: one of them may just be going back to whoever lost it.
        block = locked.exists() and list(places.select_for_update(skip_locked=True, of=("self",)))
        if block:
            return block
        passed.append(key)


def _lease(
    places: list[Assignment], *, judge: Judge, given: Given, at: datetime
) -> list[Assignment]:
    given.draw += 1
    for place in places:
        given.position += 1
        place.judge = judge
        place.position = given.position
        place.draw = given.draw
        place.leased_at = at
        place.lease_until = at + timedelta(minutes=judge.study.lease_minutes)
    repeats = [place for place in places if place.repeat_of_id is not None]
    held = [place for place in places if place.repeat_of_id is None]
    Assignment.objects.bulk_create(repeats)
    if len(held) == 1:
        _write_lease(held[0])  # a tenth of what a bulk update of one costs
    else:
        Assignment.objects.bulk_update(held, _LEASED, batch_size=200)
    return places
