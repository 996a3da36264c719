"""Reads of the judge's side: where a judge stands, what is still blank."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.db.models import Count, Min, QuerySet

from annotation.enums import DimensionKind, StudyState
from annotation.models import Assignment, Dimension, Fact, Judge, Rating
from annotation.selectors.judge_links import Claim
from annotation.selectors.places import free_places_for, late_work, open_draw, running_leases
from annotation.selectors.prepared import Parameter, prepared
from annotation.selectors.units import judged_units

# Up to here free places are counted one by one.
MANY = 2_000
State = Literal[
    "working",
    "done",
    "all_taken",
    "full",
    "not_open",
    "paused",
    "closed",
    "excluded",
    "withdrawn",
]


_BARRED_BY_STATE: dict[str, State] = {
    StudyState.DRAFT: "not_open",
    StudyState.PAUSED: "paused",
    StudyState.CLOSED: "closed",
    StudyState.FROZEN: "closed",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a judge stands in the study, in what a page says to them."""

    state: State
    n_done: int
    n_open: int
    n_expected: int
    next_free_at: datetime | None = None


def judge_standing(judge: Judge, *, at: datetime) -> Standing:
    """Return where the judge stands: at work, finished, or waiting and until when."""
    n_done, n_open, n_free = _counts(judge)
    # What a draw would find besides: leases that are over, own late work that can go on.
    is_drawable = bool(n_free) or _others_leases(judge).filter(lease_until__lt=at).exists()
    is_drawable = is_drawable or late_work(judge).exists()
    state, next_free_at = _state(judge, n_done=n_done, n_open=n_open, is_drawable=is_drawable)
    return Standing(
        state=state,
        n_done=n_done,
        n_open=n_open,
        n_expected=n_done + n_open + n_free,
        next_free_at=next_free_at,
    )


def _counts(judge: Judge) -> tuple[int, int, int]:
    """Return how many are done, in hand and free, all seen at one moment.

    The screen draws ahead while a page is asked for; what moves between two queries would be
    counted nowhere, and the judge told of a shorter way than there is.
    """
    taken = _n_taken(judge)
    while True:
        n_free = _n_free(judge, n_taken=sum(taken))
        before, taken = taken, _n_taken(judge)
        if taken == before:
            return *taken, n_free


def _n_taken(judge: Judge) -> tuple[int, int]:
    done = Assignment.objects.filter(
        judge=judge, submitted_at__isnull=False, repeat_of__isnull=True
    )
    return done.count(), open_draw(judge).count()


def _n_free(judge: Judge, *, n_taken: int) -> int:
    """Return how many units, or sources, this judge could still take.

    Where there are very many, all of the study that the judge has not had stand for those with
    a free place: nobody comes to their end, and counting them would take a second.
    """
    # One place of a unit, or of a source, is all that this judge can take of it.
    once = "unit__item" if judge.study.source_once_per_judge else "unit"
    free = free_places_for(judge)
    if free[: MANY + 1].count() <= MANY:
        return int(free.order_by().aggregate(n=Count(once, distinct=True))["n"])
    of_study = judge.study.items if judge.study.source_once_per_judge else judged_units(judge.study)
    return max(of_study.count() - n_taken, 1)


def _state(
    judge: Judge, *, n_done: int, n_open: int, is_drawable: bool
) -> tuple[State, datetime | None]:
    barred = _barred(judge, n_open=n_open)
    if barred is not None:
        return barred, None
    if n_open or is_drawable:
        return "working", None
    # Places that others hold may come free again; only units new to this judge count.
    first_end = _others_leases(judge).aggregate(first=Min("lease_until"))["first"]
    if first_end is not None:
        return "all_taken", first_end
    return ("done" if n_done else "full"), None


def _barred(judge: Judge, *, n_open: int) -> State | None:
    """Return why the judge cannot work, if so; work under way may be finished in a pause."""
    if judge.withdrawn_at:
        return "withdrawn"
    if judge.excluded_at:
        return "excluded"
    if n_open and judge.study.state != StudyState.FROZEN:
        return None
    return _BARRED_BY_STATE.get(judge.study.state)


def _others_leases(judge: Judge) -> QuerySet[Assignment]:
    own = Assignment.objects.filter(judge=judge)
    others = running_leases(judge.group).exclude(judge=judge)
    if judge.study.source_once_per_judge:
        return others.exclude(unit__item__in=own.values("unit__item"))
    return others.exclude(unit__in=own.values("unit"))


# All that saving an answer looks at; whole rows would cost it half as much again.
_KNOWN_WHEN_RATING = (
    "slot", "lease_until", "submitted_at", "is_late", "position", "repeat_of_id",
    "judge__excluded_at", "judge__withdrawn_at", "unit__item_id", "unit__kind",
    "unit__study__state", "unit__study__layout", "unit__study__lease_minutes",
)  # fmt: skip


def lock_own(claim: Claim, handle: UUID) -> Assignment | None:
    """Return a judge's own assignment of that handle, locked; None also for a revoked link."""
    return next(iter(_own_locked(handle, claim.judge, claim.link_version)), None)


@prepared
def _own_locked(
    handle: Parameter, judge: Parameter, link_version: Parameter
) -> QuerySet[Assignment]:
    return (
        Assignment.objects.filter(handle=handle, judge=judge, judge__link_version=link_version)
        .select_related("unit__study", "judge")
        .only(*_KNOWN_WHEN_RATING)
        .select_for_update(of=("self",))
    )


def history(judge: Judge) -> QuerySet[Assignment]:
    """Return the judge's assignments in the order in which they were handed out."""
    return Assignment.objects.filter(judge=judge, position__isnull=False).order_by("position")


def asked_dimensions(study_id: int) -> QuerySet[Dimension]:
    """Return the current dimensions of a study, in order, with their scales and points."""
    return (
        Dimension.objects.filter(phase__study=study_id, is_current=True)
        .select_related("phase", "scale")
        .prefetch_related("scale__points")
        .order_by("phase__position", "position")
    )


def blanks(assignment: Assignment, asked: Iterable[Dimension]) -> list[str]:
    """Return the names of the required answers among those asked that an assignment lacks."""
    given = set(_rated(assignment.pk))
    required = [dimension for dimension in asked if dimension.is_required]
    facts = (
        list(Fact.objects.filter(item=assignment.unit.item_id))
        if any(dimension.kind == DimensionKind.FACTS for dimension in required)
        else []
    )
    missing = []
    for dimension in required:
        if dimension.kind != DimensionKind.FACTS:
            if (dimension.pk, None) not in given:
                missing.append(dimension.name)
        else:
            missing += [
                f"{dimension.name}, fact {fact.position}"
                for fact in facts
                if (dimension.pk, fact.pk) not in given
            ]
    return missing


@prepared
def _rated(assignment: Parameter) -> QuerySet[Rating, tuple[int, int | None]]:
    return Rating.objects.filter(assignment=assignment).values_list("dimension_id", "fact_id")
