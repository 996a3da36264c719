"""A draw late in a study, when the judge has had most sources: what is passed over costs little."""

import pytest
from django.db import connection

from annotation.models import Assignment, Judge, Study
from annotation.services.judges import add_judge
from annotation.services.places import draw
from tests.annotation.judging_studies import make_study
from tests.factories import NOON

pytestmark = pytest.mark.django_db


def late_judge(n_items):
    """Return a judge who has had nine tenths of the sources; all free places are third ones."""
    group = make_study(n_items=n_items, source_once_per_judge=True)
    late, others = add_judge(group, at=NOON), [add_judge(group, at=NOON) for _ in range(2)]
    places = Assignment.objects.filter(group=group).order_by("slot", "order_key")
    had = list(places.filter(slot=1)[: n_items * 9 // 10])
    take(late, had)
    take(others[0], list(places.filter(slot=1, judge=None)))
    take(others[1], list(places.filter(slot=2)))
    return Judge.objects.select_related("study", "group").get(pk=late.pk), had


def take(judge, places):
    for number, place in enumerate(places, start=1):
        place.judge, place.position, place.draw = judge, number, number
        place.leased_at = place.lease_until = place.submitted_at = NOON
    Assignment.objects.bulk_update(
        places, ["judge", "position", "draw", "leased_at", "lease_until", "submitted_at"]
    )


def n_steps(act):
    """Return how many hundred steps the database takes for an act."""
    steps = []
    connection.connection.set_progress_handler(lambda: steps.append(1), 100)
    try:
        act()
    finally:
        connection.connection.set_progress_handler(None, 0)
    return len(steps)


def test_a_late_draw_gives_a_source_that_the_judge_has_not_had():
    judge, had = late_judge(20)

    (place,) = draw(judge, at=NOON)

    assert place.slot == 3
    assert place.unit.item_id not in {one.unit.item_id for one in had}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite tells its steps")
def test_a_late_draw_grows_no_faster_than_what_is_passed_over():
    few, _ = late_judge(60)
    at_few = n_steps(lambda: draw(few, at=NOON))
    Study.objects.update(slug="fewer")  # the next one bears its name

    many, _ = late_judge(240)
    at_many = n_steps(lambda: draw(many, at=NOON))

    assert at_few > 5
    assert at_many < 6 * at_few  # sixteen times where each place asks all that the judge had
