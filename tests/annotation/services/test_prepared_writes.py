from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from annotation.enums import RatingSource
from annotation.models import Assignment, Rating, RatingEvent, Visit
from annotation.services.places import draw
from annotation.services.prepared_writes import PreparedInsert, PreparedUpdate
from tests.annotation.judging_studies import make_judge, make_study
from tests.factories import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def assignment():
    judge, _ = make_judge(make_study())
    return draw(judge, at=NOON)[0]


def dimension_of(assignment):
    return assignment.unit.study.phases.first().dimensions.first()


def event_of(assignment, **values):
    given = {"source": RatingSource.KEY, "at": NOON, "client_uuid": uuid4(), **values}
    return RatingEvent(
        study=assignment.unit.study,
        assignment=assignment,
        dimension=dimension_of(assignment),
        **given,
    )


def stored_as(model, row):
    """Return every column as the ORM reads it back."""
    return model.objects.filter(pk=row.pk).values().get()


def test_an_inserted_row_is_what_save_would_have_stored(assignment):
    values = {"old": {"value": 2.5}, "new": {"text": "é\n%s"}, "client_at": NOON, "active_ms": 7}
    plain, prepared = event_of(assignment, **values), event_of(assignment, **values)
    insert = PreparedInsert(RatingEvent)

    plain.save()
    assert insert(prepared) is prepared

    own = {"id", "client_uuid"}
    first, second = stored_as(RatingEvent, plain), stored_as(RatingEvent, prepared)
    assert {k: v for k, v in first.items() if k not in own} == {
        k: v for k, v in second.items() if k not in own
    }
    assert second["client_uuid"] == prepared.client_uuid


def test_an_inserted_row_can_be_saved_again(assignment):
    dimension = dimension_of(assignment)
    rating = Rating(assignment=assignment, dimension=dimension, value=3, rated_at=NOON)

    PreparedInsert(Rating)(rating)
    rating.value = 1
    rating.save()

    assert list(Rating.objects.values_list("pk", "value", "text")) == [(rating.pk, 1.0, None)]


def test_nothing_stays_null_that_was_null(assignment):
    event = PreparedInsert(RatingEvent)(event_of(assignment))

    assert RatingEvent.objects.filter(pk=event.pk, old__isnull=True, new__isnull=True).exists()


def test_a_broken_constraint_is_an_integrity_error_and_undone(assignment):
    insert = PreparedInsert(RatingEvent)
    first = insert(event_of(assignment))

    with pytest.raises(IntegrityError), transaction.atomic():
        insert(event_of(assignment, client_uuid=first.client_uuid))

    assert list(RatingEvent.objects.values_list("pk", flat=True)) == [first.pk]


def test_an_update_writes_the_named_fields_only(assignment):
    other = draw(make_judge(assignment.group)[0], at=NOON)[0]
    update = PreparedUpdate(Assignment, "submitted_at", "judge")
    assignment.submitted_at = NOON + timedelta(minutes=1)
    assignment.draw = 77

    update(assignment)

    stored = Assignment.objects.get(pk=assignment.pk)
    assert (stored.submitted_at, stored.judge_id) == (
        NOON + timedelta(minutes=1),
        assignment.judge_id,
    )
    assert stored.draw != 77
    assert Assignment.objects.get(pk=other.pk).submitted_at is None


def test_one_statement_serves_every_row(assignment, django_assert_num_queries):
    insert = PreparedInsert(Visit)
    phase = assignment.unit.study.phases.first()

    with django_assert_num_queries(2):
        for number in (1, 2):
            insert(
                Visit(
                    assignment=assignment,
                    phase=phase,
                    pass_number=number,
                    position=1,
                    opened_at=NOON,
                )
            )

    assert list(Visit.objects.order_by("pk").values_list("pass_number", flat=True)) == [1, 2]
