"""Pairs and sets: judged by keys alone, by letters, by pointer; undone, and read by everybody."""

from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.enums import RatingSource
from annotation.models import Assignment, Dimension, Rating
from annotation.services.answers import Answer
from annotation.services.ratings import Change, submit_rating
from tests.annotation.comparing_studies import make_study

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def texts():
    ratings = Rating.objects.order_by("assignment__position")
    return [rating.text or rating.missing_reason for rating in ratings]


def expect_comparison(judge, number, *, of):
    heading = judge.page.get_by_role("heading", level=1)
    expect(heading).to_have_text(f"Comparison {number} of {of}")


@pytest.mark.parametrize("keys", ["123", "ab="])
def test_ux_34_a_pair_takes_one_key_and_enter(judging, keys):
    judge = judging(make_study(n_items=1, n_systems=3))

    for number, key in enumerate(keys, start=1):
        expect_comparison(judge, number, of=3)
        judge.press(key, "Enter")
    judge.page.wait_for_url(judge.url)
    expect(judge.page.get_by_text("All done")).to_be_visible()

    assert texts() == ["A>B", "B>A", "A=B"]


def test_a_set_takes_two_keys_best_before_worst(judging):
    judge = judging(make_study(kinds=["best_worst"], n_systems=5, set_size=5))

    judge.press("2", "5", "Enter")
    expect_comparison(judge, 2, of=2)
    judge.press("4", "4")  # the same as worst: then it is not the best any more
    judge.press("1")
    judge.expect_saved()

    assert texts() == ["B>E", "A>D"]


def test_the_better_one_is_chosen_by_a_press_and_taken_back_by_a_key(judging):
    judge = judging(make_study(), auto_next=False)

    judge.page.get_by_role("radio", name="B is better").check()
    judge.expect_saved()
    assert texts() == ["B>A"]
    judge.press("u")
    judge.expect_saved()

    assert texts() == []
    assert judge.chosen() == []


def test_who_cannot_judge_a_pair_gives_a_reason_by_keys(judging):
    judge = judging(make_study())
    judge.press("1")

    judge.press("0", "ArrowDown", "Enter")
    judge.expect_saved()

    assert texts() == ["not understandable"]
    assert judge.chosen() == []


def test_a_set_is_judged_without_shortcuts(judging):
    judge = judging(make_study(kinds=["best_worst"], n_systems=4), shortcuts="off")

    judge.press("Space", "Tab", "ArrowDown", "ArrowDown")
    judge.expect_saved()

    assert texts() == ["A>C"]


def test_a_newer_answer_of_another_window_is_shown(judging):
    judge = judging(make_study(kinds=["best_worst"], n_systems=4))
    place = Assignment.objects.get(position=1)
    submit_rating(
        place,
        dimension=Dimension.objects.get(),
        answer=Answer(text="C>A"),
        change=Change(uuid4(), RatingSource.KEY),
        at=timezone.now(),
    )

    judge.press("1", "2")

    expect(judge.page.get_by_text("changed in another window")).to_be_visible()
    assert texts() == ["C>A"]
    assert judge.chosen() == ["C", "A"]


def test_a_phone_stacks_the_outputs_and_a_wide_screen_sets_them_side_by_side(judging):
    judge = judging(make_study(n_systems=2))
    rivals = judge.page.locator(".rival")

    def tops():
        return [round(box["y"]) for box in (rivals.nth(n).bounding_box() for n in range(2))]

    judge.page.set_viewport_size({"width": 1366, "height": 768})
    assert len(set(tops())) == 1
    judge.page.set_viewport_size({"width": 390, "height": 844})
    assert len(set(tops())) == 2
