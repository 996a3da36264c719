"""Handing in: an output is complete and closed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Phase, Visit
from annotation.selectors.asked import asked_lately
from annotation.selectors.judging import blanks
from annotation.selectors.prepared import Parameter, prepared
from annotation.selectors.units import asked_of
from annotation.services.place_handover import count_late_work
from annotation.services.prepared_writes import PreparedInsert, PreparedUpdate
from annotation.services.ratings import lock_assignment, refuse_unless_accepting

_insert_visit = PreparedInsert(Visit)
_write_submitted = PreparedUpdate(Assignment, "submitted_at")


@dataclass(frozen=True, slots=True)
class VisitTimes:
    """How long a judge stayed, as the browser measured it, in milliseconds."""

    phase: Phase
    opened_at: datetime
    wall_ms: int = 0
    visible_ms: int = 0
    active_ms: int = 0
    first_action_ms: int | None = None
    n_hidden: int = 0
    n_pastes: int = 0
    pass_number: int = 1


def hand_in(
    assignment: Assignment, *, at: datetime, visits: Sequence[VisitTimes] = ()
) -> Assignment:
    """Close a complete assignment and keep its times; again changes nothing but the times.

    Late work counts after all where nobody has taken its place meanwhile.

    Raises
    ------
    NotAccepting
        The study takes no work now.
    ValidationError
        Required answers are missing; its messages name them.
    """
    with transaction.atomic():
        closed = close(lock_assignment(assignment), at=at, visits=visits)
    return count_if_late(closed)


def close(locked: Assignment, *, at: datetime, visits: Sequence[VisitTimes]) -> Assignment:
    """Close a locked assignment as ``hand_in`` does, but for the counting of late work."""
    refuse_unless_accepting(locked, at=at)
    missing = blanks(locked, asked_of(locked.unit.kind, asked_lately(locked.unit.study_id)))
    if missing:
        sentence = _("%(name)s is not answered yet.")
        raise ValidationError(
            [ValidationError(sentence, params={"name": name}) for name in missing]
        )
    keep_visits(locked, visits, at=at)
    if locked.submitted_at is None:
        locked.submitted_at = at
        _write_submitted(locked)
    return locked


def count_if_late(closed: Assignment) -> Assignment:
    """Count late work that was just handed in where its place is free; not in a transaction."""
    if closed.is_late and count_late_work(closed):
        closed.is_late = False
    return closed


def keep_visits(locked: Assignment, visits: Sequence[VisitTimes], *, at: datetime) -> None:
    """Store the times of visits to a locked assignment; a return to the output adds to them."""
    for visit in visits:
        _keep_visit(locked, visit, at=at)


def _keep_visit(assignment: Assignment, times: VisitTimes, *, at: datetime) -> None:
    # The assignment's row is locked: nobody else makes this visit meanwhile.
    earlier = _visits(assignment.pk, times.phase.pk, times.pass_number)
    visit = (
        earlier[0]
        if earlier
        else Visit(
            assignment=assignment,
            phase=times.phase,
            pass_number=times.pass_number,
            position=assignment.position or 0,
            opened_at=times.opened_at,
            first_action_ms=times.first_action_ms,
        )
    )
    visit.closed_at = at
    visit.wall_ms += max(times.wall_ms, 0)
    visit.visible_ms += max(times.visible_ms, 0)
    visit.active_ms += max(times.active_ms, 0)
    visit.n_hidden += max(times.n_hidden, 0)
    visit.n_pastes += max(times.n_pastes, 0)
    if earlier:
        visit.save()
    else:
        _insert_visit(visit)


@prepared
def _visits(assignment: Parameter, phase: Parameter, number: Parameter) -> QuerySet[Visit]:
    return Visit.objects.filter(assignment=assignment, phase=phase, pass_number=number)
