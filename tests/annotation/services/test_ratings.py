import datetime as dt
import uuid

import pytest
from django.core.exceptions import ValidationError

from annotation.models import Rating, RatingEvent
from annotation.services.answers import Answer
from annotation.services.hand_in import hand_in
from annotation.services.ratings import (
    Change,
    NotAccepting,
    StaleVersion,
    submit_rating,
    withdraw_rating,
)
from tests.factories import NOON, AssignmentFactory, DimensionFactory

pytestmark = pytest.mark.django_db


def make_pair(**dimension):
    assignment = AssignmentFactory()
    return assignment, DimensionFactory(phase__study=assignment.judge.study, **dimension)


def change(**values):
    return Change(client_uuid=uuid.uuid4(), source="key", **values)


def rate(assignment, dimension, value, **values):
    return submit_rating(
        assignment,
        dimension=dimension,
        answer=Answer(value=value),
        change=change(**values),
        at=NOON,
    )


def test_submit_rating_stores_the_value_and_the_event():
    assignment, dimension = make_pair()

    rating = rate(assignment, dimension, 3.0)

    assert list(Rating.objects.values_list("value", "version")) == [(3.0, 1)]
    event = RatingEvent.objects.get()
    assert (event.old, event.new, event.source) == (None, {"value": 3.0}, "key")
    assert rating.rated_at == NOON


def test_the_same_uuid_again_changes_nothing():
    assignment, dimension = make_pair()
    once = change()
    for value in (3.0, 1.0):
        submit_rating(
            assignment, dimension=dimension, answer=Answer(value=value), change=once, at=NOON
        )

    assert list(Rating.objects.values_list("value", flat=True)) == [3.0]
    assert RatingEvent.objects.count() == 1


def test_a_change_needs_the_version_that_is_stored():
    assignment, dimension = make_pair()
    rate(assignment, dimension, 3.0)

    with pytest.raises(StaleVersion) as stale:
        rate(assignment, dimension, 2.0, version=0)

    assert stale.value.rating.value == 3.0
    rate(assignment, dimension, 2.0, version=1)
    assert list(Rating.objects.values_list("value", "version")) == [(2.0, 2)]


@pytest.mark.parametrize("value", [0.0, 5.0, 2.5, float("nan")])
def test_a_value_off_the_scale_is_refused(value):
    assignment, dimension = make_pair()

    with pytest.raises(ValidationError, match="not on the scale"):
        rate(assignment, dimension, value)

    assert not Rating.objects.exists()
    assert not RatingEvent.objects.exists()


def test_a_dimension_of_another_study_is_refused():
    assignment, _ = make_pair()

    with pytest.raises(ValidationError, match="not asked in this study"):
        rate(assignment, DimensionFactory(), 3.0)


def test_no_answer_needs_a_reason_and_permission():
    assignment, dimension = make_pair(allows_no_answer=True)
    _, strict = assignment, DimensionFactory(phase=dimension.phase)
    no_answer = Answer(missing_reason="not my language")

    submit_rating(assignment, dimension=dimension, answer=no_answer, change=change(), at=NOON)
    with pytest.raises(ValidationError, match="must be answered"):
        submit_rating(assignment, dimension=strict, answer=no_answer, change=change(), at=NOON)

    assert list(Rating.objects.values_list("value", "missing_reason")) == [
        (None, "not my language")
    ]


@pytest.mark.parametrize("state", ["draft", "frozen"])
def test_a_study_that_is_over_takes_no_rating(state):
    assignment, dimension = make_pair()
    study = assignment.judge.study
    study.state = state
    study.save()

    with pytest.raises(NotAccepting):
        rate(assignment, dimension, 3.0)

    assert not Rating.objects.exists()


def test_a_pause_lets_work_under_way_be_finished():
    assignment, dimension = make_pair()
    study = assignment.judge.study
    study.state = "paused"
    study.save()

    rate(assignment, dimension, 3.0)

    assert Rating.objects.count() == 1


def test_hand_in_names_what_is_blank():
    assignment, dimension = make_pair(name="Fluency")

    with pytest.raises(ValidationError, match="Fluency is not answered yet"):
        hand_in(assignment, at=NOON)
    rate(assignment, dimension, 2.0)
    hand_in(assignment, at=NOON)

    assignment.refresh_from_db()
    assert assignment.submitted_at == NOON


def test_taking_an_answer_back_reopens_the_output():
    assignment, dimension = make_pair()
    rate(assignment, dimension, 2.0)
    hand_in(assignment, at=NOON)
    later = NOON + dt.timedelta(minutes=5)

    withdraw_rating(assignment, dimension=dimension, change=change(version=1), at=later)

    assignment.refresh_from_db()
    assert assignment.submitted_at is None
    assert assignment.lease_until == later + dt.timedelta(minutes=60)
    assert not Rating.objects.exists()
    assert RatingEvent.objects.count() == 2
