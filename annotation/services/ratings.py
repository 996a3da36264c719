"""Ratings: stored once, checked against the declared scale, every change remembered."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_lazy as _

from annotation.enums import COMPARED, RatingSource, StudyState
from annotation.models import Assignment, Choice, Dimension, Fact, Rating, RatingEvent
from annotation.services.answers import Answer, check_answer
from annotation.services.choices import store_ranks
from annotation.services.prepared_writes import PreparedInsert

_insert_rating = PreparedInsert(Rating)
_insert_event = PreparedInsert(RatingEvent)
_LEFT = _("You have left this study; nothing more is stored.")


@dataclass(frozen=True, slots=True)
class Change:
    """How an answer was given. The client's UUID makes a repeated request harmless."""

    client_uuid: UUID
    source: RatingSource
    version: int = 0
    client_at: datetime | None = None
    active_ms: int | None = None
    is_auto_next: bool = False


class StaleVersion(Exception):  # noqa: N818 -- it is an outcome, named as the API names it
    """The rating was changed elsewhere since the judge last saw it."""

    def __init__(self, rating: Rating | None) -> None:
        super().__init__(_("This answer was changed in another window."))
        self.rating = rating


class NotAccepting(Exception):  # noqa: N818 -- it is an outcome, named as the API names it
    """The study, or this judge's part in it, takes no ratings now."""


class Asked(NamedTuple):
    """One dimension asked of one locked assignment, or of one of its facts."""

    assignment: Assignment
    dimension: Dimension
    fact: Fact | None = None


def submit_rating(
    assignment: Assignment,
    *,
    dimension: Dimension,
    answer: Answer,
    change: Change,
    at: datetime,
    fact: Fact | None = None,
) -> Rating:
    """Store one answer and return its row.

    The same UUID again returns the stored row and changes nothing.

    Raises
    ------
    NotAccepting
        The study is frozen or closed to this work, or the judge is out.
    ValidationError
        The answer is not on the dimension's scale, or of another study.
    StaleVersion
        ``change.version`` is not the version stored.
    """

    def lock() -> Asked:
        return Asked(lock_assignment(assignment), dimension, fact)

    return store_rating(lock, answer=answer, change=change, at=at)


def store_rating(
    lock: Callable[[], Asked], *, answer: Answer, change: Change, at: datetime
) -> Rating:
    """Store one answer as ``submit_rating`` does; ``lock`` is called in the transaction."""
    if change.version == 0:
        # Nearly always the first answer. To look for another would cost a query each time; where
        # there is one, the constraints find it.
        with suppress(IntegrityError), transaction.atomic():
            return _store(lock(), None, answer, change, at)
    try:
        with transaction.atomic():
            asked = lock()
            rating = _stored(asked)
            if rating is not None and _is_on_record(change):
                return rating
            return _store(asked, rating, answer, change, at)
    except IntegrityError:
        # The UUID is on record, but its answer was taken back since.
        raise StaleVersion(None) from None


def _store(
    asked: Asked, rating: Rating | None, answer: Answer, change: Change, at: datetime
) -> Rating:
    locked, dimension, fact = asked
    refuse_unless_accepting(locked, at=at)
    check_answer(locked, dimension=dimension, fact=fact, answer=answer)
    if change.version != (rating.version if rating else 0):
        raise StaleVersion(rating)
    before, is_new = _as_json(rating), rating is None
    rating = rating or Rating(assignment=locked, dimension=dimension, fact=fact, version=0)
    rating.value, rating.text = answer.value, answer.text
    rating.missing_reason = answer.missing_reason
    rating.version += 1
    rating.rated_at = at
    if is_new:
        _insert_rating(rating)
    else:
        rating.save()
    if dimension.kind in COMPARED:
        store_ranks(rating)
    _remember(rating, before=before, after=_as_json(rating), change=change, at=at)
    _keep_lease(locked, at=at)
    return rating


def withdraw_rating(
    assignment: Assignment,
    *,
    dimension: Dimension,
    change: Change,
    at: datetime,
    fact: Fact | None = None,
) -> None:
    """Take an answer back to blank; an output handed in without it is open again."""
    erase_rating(lambda: Asked(lock_assignment(assignment), dimension, fact), change=change, at=at)


@transaction.atomic
def erase_rating(lock: Callable[[], Asked], *, change: Change, at: datetime) -> None:
    """Take an answer back as ``withdraw_rating`` does; ``lock`` is called in the transaction."""
    asked = lock()
    rating = _stored(asked)
    if rating is None or _is_on_record(change):
        return
    locked = asked.assignment
    refuse_unless_accepting(locked, at=at)
    if change.version != rating.version:
        raise StaleVersion(rating)
    _remember(rating, before=_as_json(rating), after=None, change=change, at=at)
    rating.delete()
    if asked.dimension.kind in COMPARED:
        Choice.objects.filter(assignment=locked, dimension=asked.dimension).delete()
    if locked.submitted_at is not None and asked.dimension.is_required:
        locked.submitted_at = None
        locked.lease_until = at + timedelta(minutes=locked.unit.study.lease_minutes)
        locked.save(update_fields=["submitted_at", "lease_until"])


def refuse_unless_accepting(assignment: Assignment, *, at: datetime) -> None:
    """Raise NotAccepting where this assignment takes no ratings now.

    A pause stops new draws only; after closing, work under a running lease may be finished.
    """
    judge = assignment.judge
    if judge is None or judge.withdrawn_at:
        raise NotAccepting(_LEFT)
    if judge.excluded_at:
        raise NotAccepting(_("Your part in this study has ended; nothing more is stored."))
    state = assignment.unit.study.state
    leased = assignment.lease_until is not None and assignment.lease_until >= at
    if state in {StudyState.DRAFT, StudyState.FROZEN} or (
        state == StudyState.CLOSED and not leased
    ):
        raise NotAccepting(_("This study is closed; your earlier answers are kept."))


def lock_assignment(assignment: Assignment) -> Assignment:
    """Return the row locked, with the unit and judge that are known of it already.

    Raises
    ------
    NotAccepting
        It went with its judge, who withdrew.
    """
    locked = Assignment.objects.select_for_update().filter(pk=assignment.pk).order_by().first()
    if locked is None:
        raise NotAccepting(_LEFT)
    locked.unit = assignment.unit
    if locked.judge_id == assignment.judge_id:
        locked.judge = assignment.judge
    return locked


def _is_on_record(change: Change) -> bool:
    return RatingEvent.objects.filter(client_uuid=change.client_uuid).exists()


def _stored(asked: Asked) -> Rating | None:
    rating = Rating.objects.filter(**asked._asdict()).order_by().first()
    if rating is not None:
        # Known already; reading them again would double the cost of a changed answer.
        rating.assignment, rating.dimension, rating.fact = asked
    return rating


def _remember(
    rating: Rating,
    *,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
    change: Change,
    at: datetime,
) -> None:
    event = RatingEvent(
        study_id=rating.assignment.unit.study_id,
        assignment=rating.assignment,
        dimension=rating.dimension,
        fact=rating.fact,
        client_uuid=change.client_uuid,
        source=change.source,
        old=before,
        new=after,
        is_auto_next=change.is_auto_next,
        active_ms=change.active_ms,
        client_at=change.client_at,
        at=at,
    )
    _insert_event(event)


def _as_json(rating: Rating | None) -> dict[str, Any] | None:
    if rating is None:
        return None
    answers = {
        "value": rating.value,
        "text": rating.text,
        "missing_reason": rating.missing_reason,
    }
    return {name: answer for name, answer in answers.items() if answer is not None}


def _keep_lease(assignment: Assignment, *, at: datetime) -> None:
    """Renew the lease of a judge at work, once half of it is gone."""
    lease = timedelta(minutes=assignment.unit.study.lease_minutes)
    until = assignment.lease_until
    if assignment.submitted_at is None and until is not None and until - at < lease / 2:
        assignment.lease_until = at + lease
        assignment.save(update_fields=["lease_until"])


__all__ = [
    "Answer",
    "Asked",
    "Change",
    "NotAccepting",
    "StaleVersion",
    "ValidationError",
    "erase_rating",
    "refuse_unless_accepting",
    "store_rating",
    "submit_rating",
    "withdraw_rating",
]
