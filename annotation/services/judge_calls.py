"""What a judge's browser asks for, by the names it knows: handle, dimension, fact.

The assignment is found and locked by one query: to look first and to lock then would cost another,
four times for every output.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from annotation.models import Assignment, Dimension, Fact, Phase, Rating, Unit
from annotation.selectors.asked import asked_lately
from annotation.selectors.judge_links import Claim
from annotation.selectors.judging import lock_own
from annotation.selectors.units import asked_of
from annotation.services.answers import Answer
from annotation.services.hand_in import VisitTimes, close, count_if_late, keep_visits
from annotation.services.ratings import Asked, Change, erase_rating, store_rating


class NotGiven(Exception):  # noqa: N818 -- it is an outcome, named as the API names it
    """The judge was given no such output, or is asked no such question."""


class Question(NamedTuple):
    """What is answered: a dimension of an output that the judge holds, or of one of its facts.

    The dimension goes by its key, or by ``phase:key`` where phases share keys; the fact by its
    position.
    """

    claim: Claim
    handle: UUID
    dimension: str
    fact: int | None = None


def rate(question: Question, *, answer: Answer, change: Change, at: datetime) -> Rating:
    """Store one answer and return its row; raise NotGiven, or what ``submit_rating`` raises."""
    return store_rating(lambda: _locked_question(question), answer=answer, change=change, at=at)


def take_back(question: Question, *, change: Change, at: datetime) -> None:
    """Take an answer back to blank; raise NotGiven, or what ``withdraw_rating`` raises."""
    erase_rating(lambda: _locked_question(question), change=change, at=at)


def leave_output(
    claim: Claim,
    handle: UUID,
    *,
    visits: Callable[[dict[str, Phase]], Sequence[VisitTimes]],
    is_handed_in: bool,
    at: datetime,
) -> Assignment:
    """Keep the times of an output's visits and hand it in, if so said; return its row.

    ``visits`` is given the phases of the study by their keys. Raises NotGiven, or what ``hand_in``
    raises.
    """
    with transaction.atomic():
        locked = _locked(claim, handle)
        asked = asked_lately(locked.unit.study_id)
        times = visits({dimension.phase.key: dimension.phase for dimension in asked})
        if not is_handed_in:
            keep_visits(locked, times, at=at)
            return locked
        close(locked, at=at, visits=times)
    return count_if_late(locked)


def _locked(claim: Claim, handle: UUID) -> Assignment:
    locked = lock_own(claim, handle)
    if locked is None:
        raise NotGiven(_("You were not given this output."))
    return locked


def _locked_question(question: Question) -> Asked:
    locked = _locked(question.claim, question.handle)
    return Asked(
        locked,
        _dimension(locked.unit, question.dimension),
        None if question.fact is None else _fact(locked.unit.item_id, question.fact),
    )


def _dimension(unit: Unit, reference: str) -> Dimension:
    phase, _colon, key = reference.rpartition(":")
    for dimension in asked_of(unit.kind, asked_lately(unit.study_id)):
        if dimension.key == key and phase in {"", dimension.phase.key}:
            return dimension
    raise NotGiven(_("This study asks no such dimension."))


def _fact(item: int, position: int) -> Fact:
    fact = Fact.objects.filter(item=item, position=position).first()
    if fact is None:
        raise NotGiven(_("This source has no such fact."))
    return fact
