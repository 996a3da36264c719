"""Handing in: an output is complete and closed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.models import Assignment, Phase, Visit
from annotation.selectors.judging import blanks
from annotation.services.ratings import refuse_unless_accepting


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


@transaction.atomic
def hand_in(
    assignment: Assignment, *, at: datetime, visits: Sequence[VisitTimes] = ()
) -> Assignment:
    """Close a complete assignment and keep its times; again changes nothing but the times.

    Raises
    ------
    NotAccepting
        The study takes no work now.
    ValidationError
        Required answers are missing; its messages name them.
    """
    locked = (
        Assignment.objects.select_for_update(of=("self",))
        .select_related("unit__study", "judge")
        .get(pk=assignment.pk)
    )
    refuse_unless_accepting(locked, at=at)
    missing = blanks(locked)
    if missing:
        raise ValidationError([f"{name} is not answered yet." for name in missing])
    keep_visits(locked, visits, at=at)
    if locked.submitted_at is None:
        locked.submitted_at = at
        locked.save(update_fields=["submitted_at"])
    return locked


@transaction.atomic
def keep_visits(assignment: Assignment, visits: Sequence[VisitTimes], *, at: datetime) -> None:
    """Store the times of visits; a return to the output adds to them."""
    for visit in visits:
        _keep_visit(assignment, visit, at=at)


def _keep_visit(assignment: Assignment, times: VisitTimes, *, at: datetime) -> None:
    visit, is_new = Visit.objects.get_or_create(
        assignment=assignment,
        phase=times.phase,
        pass_number=times.pass_number,
        defaults={"position": assignment.position or 0, "opened_at": times.opened_at},
    )
    visit.closed_at = at
    visit.wall_ms += max(times.wall_ms, 0)
    visit.visible_ms += max(times.visible_ms, 0)
    visit.active_ms += max(times.active_ms, 0)
    visit.n_hidden += max(times.n_hidden, 0)
    visit.n_pastes += max(times.n_pastes, 0)
    if is_new:
        visit.first_action_ms = times.first_action_ms
    visit.save()
