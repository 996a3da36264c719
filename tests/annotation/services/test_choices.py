import uuid

import pytest
from django.core.exceptions import ValidationError

from annotation.enums import RatingSource
from annotation.models import Choice, Dimension, Rating, RatingEvent
from annotation.services.answers import Answer
from annotation.services.hand_in import hand_in
from annotation.services.places import draw
from annotation.services.ratings import Change, submit_rating, withdraw_rating
from annotation.services.withdrawal import withdraw_judge
from tests.annotation.comparing_studies import make_study
from tests.factories import NOON, DimensionFactory, JudgeFactory

pytestmark = pytest.mark.django_db


def change(version=0):
    return Change(client_uuid=uuid.uuid4(), source=RatingSource.KEY, version=version)


def drawn(**given):
    group = make_study(k=1, n_items=1, **given)
    place = draw(JudgeFactory(group=group), at=NOON)[0]
    return place, Dimension.objects.exclude(kind="points").get()


def choose(place, dimension, code, version=0):
    answer = Answer(text=code)
    return submit_rating(place, dimension=dimension, answer=answer, change=change(version), at=NOON)


def ranks(place):
    return list(place.choices.order_by("member__position").values_list("rank", flat=True))


def test_a_choice_is_stored_as_said_and_as_a_rank_of_each_member():
    place, dimension = drawn()

    rating = choose(place, dimension, "B>A")

    assert (rating.text, rating.value, rating.version) == ("B>A", None, 1)
    assert ranks(place) == [2, 1]
    assert set(place.choices.values_list("member", flat=True)) == set(
        place.unit.unit_members.values_list("pk", flat=True)
    )


def test_a_changed_choice_replaces_its_ranks_and_is_remembered():
    place, dimension = drawn(kinds=["best_worst"], n_systems=4)
    choose(place, dimension, "A>D")

    choose(place, dimension, "D>B", version=1)

    assert ranks(place) == [2, 3, 2, 1]
    events = RatingEvent.objects.order_by("pk").values_list("old", "new")
    assert list(events) == [(None, {"text": "A>D"}), ({"text": "A>D"}, {"text": "D>B"})]


def test_a_tie_gives_equal_ranks_where_the_dimension_allows_it():
    place, dimension = drawn()
    choose(place, dimension, "A=B")
    assert ranks(place) == [1, 1]

    dimension.allows_tie = False
    with pytest.raises(ValidationError, match="does not allow a tie"):
        choose(place, dimension, "A=B", version=1)


def test_no_answer_and_a_choice_taken_back_leave_no_rank():
    place, dimension = drawn()
    choose(place, dimension, "A>B")
    submit_rating(
        place, dimension=dimension, answer=Answer(missing_reason="broken text"),
        change=change(1), at=NOON,
    )  # fmt: skip
    assert ranks(place) == []

    choose(place, dimension, "A>B", version=2)
    withdraw_rating(place, dimension=dimension, change=change(3), at=NOON)

    assert not Rating.objects.exists()
    assert not Choice.objects.exists()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (Answer(text="A>C"), "“A>C” is no choice here"),
        (Answer(text="A>A"), "“A>A” is no choice here. Choose two different outputs from A to B"),
        (Answer(value=1.0), "“” is no choice here"),
        (Answer(text=""), "as in A>B"),
    ],
)
def test_what_is_no_choice_of_this_pair_is_refused_and_not_stored(answer, told):
    place, dimension = drawn()

    with pytest.raises(ValidationError, match=told):
        submit_rating(place, dimension=dimension, answer=answer, change=change(), at=NOON)

    assert not Rating.objects.exists()
    assert not Choice.objects.exists()


def test_a_dimension_is_asked_only_of_its_own_kind_of_unit():
    place, _ = drawn()
    points = DimensionFactory(phase__study=place.unit.study)

    with pytest.raises(ValidationError, match="is asked of one output only"):
        submit_rating(place, dimension=points, answer=Answer(value=1.0), change=change(), at=NOON)


def test_a_comparison_is_handed_in_by_what_is_asked_of_it():
    group = make_study(kinds=["points", "pairwise"], k=1, n_items=1, n_systems=2)
    place = draw(JudgeFactory(group=group), at=NOON, n_ahead=2)[-1]
    dimension = Dimension.objects.get(kind="pairwise")
    with pytest.raises(ValidationError, match="Pairwise is not answered yet"):
        hand_in(place, at=NOON)

    choose(place, dimension, "A>B")

    assert hand_in(place, at=NOON).submitted_at == NOON


def test_who_withdraws_takes_their_choices_along():
    place, dimension = drawn()
    choose(place, dimension, "A>B")

    withdraw_judge(place.judge, at=NOON)

    assert not Choice.objects.exists()
