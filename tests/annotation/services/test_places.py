import datetime as dt
from collections import Counter

import pytest

from annotation.models import Assignment
from annotation.selectors.places import VALID
from annotation.services.hand_in import hand_in
from annotation.services.place_making import make_places
from annotation.services.places import draw
from tests.factories import (
    NOON,
    ItemFactory,
    JudgeFactory,
    JudgeGroupFactory,
    StudyFactory,
    SystemFactory,
    UnitFactory,
)

pytestmark = pytest.mark.django_db


def make_study(*, n_items=2, n_systems=2, k=2, **settings):
    study = StudyFactory(**settings)
    systems = [SystemFactory(study=study) for _ in range(n_systems)]
    for _ in range(n_items):
        item = ItemFactory(study=study)
        for system in systems:
            UnitFactory(output_version__output__item=item, output_version__output__system=system)
    group = JudgeGroupFactory(study=study, judges_per_unit=k)
    make_places(study)
    return group


def test_opening_makes_k_free_places_for_each_unit():
    group = make_study(n_items=3, n_systems=2, k=3)

    places = Assignment.objects.filter(group=group, judge=None)

    assert places.count() == 18
    assert Counter(places.values_list("slot", flat=True)) == {1: 6, 2: 6, 3: 6}


@pytest.mark.parametrize("n_items", [1, 30])
def test_opening_takes_the_same_queries_for_few_outputs_and_for_many(
    n_items, django_assert_max_num_queries
):
    group = make_study(n_items=n_items, n_systems=2, k=1)
    Assignment.objects.all().delete()

    with django_assert_max_num_queries(9):  # three of them are settings of SQLite
        assert make_places(group.study) == n_items * 2


def test_draw_leases_one_place_until_the_lease_ends():
    group = make_study(lease_minutes=30)
    judge = JudgeFactory(group=group)

    (place,) = draw(judge, at=NOON)

    place.refresh_from_db()
    assert (place.judge, place.position, place.draw) == (judge, 1, 1)
    assert place.lease_until == NOON + dt.timedelta(minutes=30)


def test_draw_returns_unfinished_work_again():
    judge = JudgeFactory(group=make_study())

    first = draw(judge, at=NOON)
    second = draw(judge, at=NOON + dt.timedelta(minutes=1))

    assert second == first
    assert Assignment.objects.filter(judge=judge).count() == 1


def test_judges_fill_every_place_once_and_balance_systems():
    group = make_study(n_items=4, n_systems=2, k=2)
    judges = JudgeFactory.create_batch(2, group=group)

    for judge in judges:
        while places := draw(judge, at=NOON):
            for place in places:
                hand_in(place, at=NOON)

    done = Assignment.objects.filter(VALID)
    assert set(Counter(done.values_list("unit", flat=True)).values()) == {2}
    for judge in judges:
        systems = Counter(done.filter(judge=judge).values_list("unit__system", flat=True))
        assert set(systems.values()) == {4}


def test_a_source_comes_once_where_the_study_says_so():
    group = make_study(n_items=3, n_systems=4, k=1, source_once_per_judge=True)
    judge = JudgeFactory(group=group)

    items = []
    while places := draw(judge, at=NOON):
        items += [place.unit.item_id for place in places]
        hand_in(places[0], at=NOON)

    assert len(items) == len(set(items)) == 3


def test_a_lapsed_lease_frees_its_place_and_keeps_its_row():
    group = make_study(n_items=1, n_systems=1, k=1, lease_minutes=10)
    slow, quick = JudgeFactory.create_batch(2, group=group)
    (old,) = draw(slow, at=NOON)

    assert draw(quick, at=NOON + dt.timedelta(minutes=9)) == []
    (new,) = draw(quick, at=NOON + dt.timedelta(minutes=11))

    old.refresh_from_db()
    assert (old.judge, old.slot, old.is_late) == (slow, None, True)
    assert (new.unit, new.slot, new.judge) == (old.unit, 1, quick)


@pytest.mark.parametrize("state", ["draft", "paused", "closed", "frozen"])
def test_a_study_that_is_not_open_hands_nothing_out(state):
    group = make_study(state=state)

    assert draw(JudgeFactory(group=group), at=NOON) == []


@pytest.mark.parametrize("mark", ["excluded_at", "withdrawn_at"])
def test_a_judge_who_is_out_draws_nothing(mark):
    group = make_study()

    assert draw(JudgeFactory(group=group, **{mark: NOON}), at=NOON) == []


def test_a_page_is_drawn_as_one_draw():
    group = make_study(n_items=6, n_systems=2, k=1, layout="page", page_size=5)

    page = draw(JudgeFactory(group=group), at=NOON)

    assert [place.position for place in page] == [1, 2, 3, 4, 5]
    assert {place.draw for place in page} == {1}
    assert max(Counter(place.unit.system_id for place in page).values()) == 3


def test_an_item_is_drawn_whole_under_one_slot():
    group = make_study(n_items=3, n_systems=4, k=2, layout="item")
    judges = JudgeFactory.create_batch(2, group=group)

    blocks = [draw(judge, at=NOON) for judge in judges]

    for block in blocks:
        assert len(block) == 4
        assert len({place.unit.item_id for place in block}) == 1
        assert len({place.slot for place in block}) == 1
    assert len({place.pk for block in blocks for place in block}) == 8
