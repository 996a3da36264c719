import pytest

from annotation.models import Assignment
from annotation.selectors.places import VALID
from annotation.services.hand_in import hand_in
from annotation.services.places import draw
from annotation.services.repeats import APART
from tests.annotation.services.test_places import make_study
from tests.factories import NOON, JudgeFactory

pytestmark = pytest.mark.django_db


def work_through(**settings):
    group = make_study(n_items=12, n_systems=2, k=1, **settings)
    judge = JudgeFactory(group=group)
    while places := draw(judge, at=NOON):
        for place in places:
            hand_in(place, at=NOON)
    return Assignment.objects.filter(judge=judge).order_by("position")


def test_repeats_come_apart_from_their_first_and_hold_no_place():
    work = work_through(repeat_percent=40)

    repeats = work.filter(repeat_of__isnull=False).select_related("repeat_of")
    assert repeats.count() >= 3
    for repeat in repeats:
        assert repeat.slot is None
        assert repeat.unit_id == repeat.repeat_of.unit_id
        assert repeat.position - repeat.repeat_of.position >= APART
    assert len({repeat.repeat_of_id for repeat in repeats}) == repeats.count()
    assert work.filter(VALID).count() == 24


def test_without_the_setting_nothing_is_repeated():
    assert not work_through().filter(repeat_of__isnull=False).exists()


def test_the_next_place_waits_for_the_repeat_before_it():
    group = make_study(n_items=12, n_systems=2, k=1, repeat_percent=50)
    judge = JudgeFactory(group=group)
    seen_repeat = False
    while places := draw(judge, at=NOON):
        if places[0].repeat_of_id and not places[0].submitted_at:
            seen_repeat = True
            again = draw(judge, at=NOON)
            assert [place.pk for place in again] == [place.pk for place in places]
        for place in places:
            hand_in(place, at=NOON)
    assert seen_repeat
