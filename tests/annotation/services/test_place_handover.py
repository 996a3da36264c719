"""Places that change hands: whatever lapses, a judge who comes back finds work that counts."""

import datetime as dt

import pytest

from annotation.models import Assignment
from annotation.selectors.judging import judge_standing
from annotation.selectors.places import VALID
from annotation.services.hand_in import hand_in
from annotation.services.judges import exclude_judge, readmit_judge, reopen_places
from annotation.services.place_handover import count_late_work
from annotation.services.places import draw
from annotation.services.withdrawal import stop_judging
from tests.annotation.services.test_places import make_study
from tests.factories import NOON, JudgeFactory

pytestmark = pytest.mark.django_db

LATER = NOON + dt.timedelta(hours=2)


def lapsed(*, k, n_judges):
    """Return judges of whom the first let a lease lapse, and the place that it freed."""
    group = make_study(n_items=1, n_systems=1, k=k, lease_minutes=10)
    judges = JudgeFactory.create_batch(n_judges, group=group)
    (old,) = draw(judges[0], at=NOON)
    for judge in judges[1:]:
        for place in draw(judge, at=LATER):
            hand_in(place, at=LATER)
    return judges, old


def test_a_group_of_exactly_k_judges_completes_a_unit_whose_lease_lapsed():
    (slow, _), old = lapsed(k=2, n_judges=2)
    old.refresh_from_db()
    assert (old.slot, old.is_late) == (None, True)

    (again,) = draw(slow, at=LATER)
    hand_in(again, at=LATER)

    assert (again.pk, again.slot, again.is_late) == (old.pk, 2, False)
    assert again.lease_until == LATER + dt.timedelta(minutes=10)
    assert Assignment.objects.filter(VALID).count() == Assignment.objects.count() == 2


def test_late_work_counts_when_its_place_is_still_free():
    _, old = lapsed(k=2, n_judges=2)

    late = hand_in(old, at=LATER)

    late.refresh_from_db()
    assert (late.slot, late.is_late) == (2, False)
    assert Assignment.objects.count() == 2


def test_late_work_is_kept_and_flagged_when_its_place_is_taken():
    (slow, _), old = lapsed(k=1, n_judges=2)

    late = hand_in(old, at=LATER)

    late.refresh_from_db()
    assert (late.slot, late.is_late, late.submitted_at) == (None, True, LATER)
    assert draw(slow, at=LATER) == []
    assert Assignment.objects.filter(VALID).count() == 1


def test_a_judge_who_stopped_and_comes_back_goes_on_where_they_were():
    group = make_study(n_items=1, n_systems=1, k=1)
    judge = JudgeFactory(group=group)
    (place,) = draw(judge, at=NOON)
    stop_judging(judge)
    assert judge_standing(judge, at=NOON).state == "working"

    assert draw(judge, at=NOON) == [place]


def test_late_draws_come_back_one_by_one_as_far_as_asked():
    group = make_study(n_items=3, n_systems=1, k=1)
    judge = JudgeFactory(group=group)
    first, second, _ = draw(judge, at=NOON, n_ahead=2)
    stop_judging(judge)

    assert draw(judge, at=NOON, n_ahead=1) == [first, second]


def test_an_excluded_judge_gets_no_place_for_late_work():
    (slow, _), old = lapsed(k=2, n_judges=2)
    Assignment.objects.filter(pk=old.pk).update(submitted_at=LATER)
    exclude_judge(slow, reason="a check", at=LATER)

    assert not count_late_work(old)
    assert Assignment.objects.filter(judge=None).count() == 1


def test_a_readmitted_judge_gets_back_what_nobody_has_taken():
    group = make_study(n_items=2, n_systems=1, k=1)
    judge, other = JudgeFactory.create_batch(2, group=group)
    for _ in range(2):
        hand_in(*draw(judge, at=NOON), at=NOON)
    exclude_judge(judge, reason="a check", at=NOON)
    reopen_places(judge, at=NOON)
    (taken,) = draw(other, at=NOON)

    readmit_judge(judge, reason="all is well", at=NOON)

    (kept,) = Assignment.objects.filter(VALID)
    assert (kept.judge, kept.slot) == (judge, 1)
    assert kept.unit_id != taken.unit_id


def test_what_others_let_lapse_is_no_work_for_a_judge_who_has_done_it():
    group = make_study(n_items=1, n_systems=1, k=2, lease_minutes=10)
    slow, quick = JudgeFactory.create_batch(2, group=group)
    draw(slow, at=NOON)
    hand_in(*draw(quick, at=NOON), at=NOON)

    assert judge_standing(quick, at=LATER).state == "done"
