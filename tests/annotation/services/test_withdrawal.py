import pytest
from django.core.exceptions import ValidationError

from annotation.models import Assignment, Judge, Rating, RatingEvent, StudyEvent, Visit
from annotation.selectors.judge_links import judge_of_token, judge_token
from annotation.services.hand_in import VisitTimes, hand_in
from annotation.services.places import draw
from annotation.services.withdrawal import stop_judging, withdraw_judge
from tests.annotation.services.test_places import make_study
from tests.annotation.services.test_ratings import rate
from tests.factories import NOON, DimensionFactory, JudgeFactory

pytestmark = pytest.mark.django_db


def judge_with_work():
    group = make_study(n_items=2, n_systems=1, k=1)
    dimension = DimensionFactory(phase__study=group.study)
    judge = JudgeFactory(group=group, note="Ada Example", import_key="ab" * 32)
    (done,) = draw(judge, at=NOON)
    rate(done, dimension, 3.0)
    hand_in(done, at=NOON, visits=[VisitTimes(phase=dimension.phase, opened_at=NOON)])
    draw(judge, at=NOON)
    return judge


def test_withdrawing_leaves_a_row_without_identity_and_reopens_the_places():
    judge = judge_with_work()
    token, pseudonym = judge_token(judge), judge.pseudonym

    withdraw_judge(judge, at=NOON)

    judge.refresh_from_db()
    for said in (Rating, RatingEvent, Visit):
        assert not said.objects.exists()
    assert (judge.note, judge.import_key, judge.withdrawn_at) == ("", "", NOON)
    assert judge.pseudonym.startswith("left-")
    assert pseudonym not in str(list(StudyEvent.objects.values())) + str(Judge.objects.values())
    assert judge_of_token(token) is None
    places = Assignment.objects.all()
    assert list(places.values_list("judge", "slot")) == [(None, 1), (None, 1)]
    assert draw(judge, at=NOON) == []


def test_withdrawing_twice_is_withdrawing_once():
    judge = judge_with_work()
    first = withdraw_judge(judge, at=NOON)

    assert withdraw_judge(judge, at=NOON).pseudonym == first.pseudonym
    assert Assignment.objects.count() == 2


def test_frozen_data_cannot_be_withdrawn():
    judge = judge_with_work()
    judge.study.state = "frozen"
    judge.study.save()

    with pytest.raises(ValidationError, match="frozen"):
        withdraw_judge(judge, at=NOON)

    assert Rating.objects.count() == 1


def test_stopping_keeps_what_is_handed_in_and_frees_the_rest():
    judge = judge_with_work()

    assert stop_judging(judge) == 1

    assert Rating.objects.count() == 1
    assert Assignment.objects.filter(judge=None).count() == 1
    assert Assignment.objects.filter(judge=judge, slot=1, submitted_at=NOON).count() == 1
