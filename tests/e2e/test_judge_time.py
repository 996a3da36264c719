"""Time on an output: UX 38."""

import pytest
from playwright.sync_api import expect

from annotation.models import Visit
from tests.annotation.judging_studies import make_judge, make_study
from tests.e2e.judge_page import JudgePage, values

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def judge(page, live_server):
    _, token = make_judge(make_study())
    page.clock.install()
    return JudgePage(page, live_server, token).open()


def rest(judge, seconds):
    judge.page.clock.run_for(seconds * 1000)


def finish(judge):
    judge.press("3", "4", "2")
    judge.press("Enter")
    judge.page.clock.run_for(200)
    judge.expect_output(2, of=6)
    for _ in range(400):  # the time is sent beside the ratings, not before them
        if Visit.objects.exists():
            break
        judge.page.wait_for_timeout(50)
    return Visit.objects.get()


def test_ux_38_a_break_of_three_minutes_is_wall_time_but_not_active(judge):
    for _ in range(4):
        rest(judge, 10)
        judge.page.mouse.move(10, 10)
        judge.page.mouse.move(20, 20)
    rest(judge, 180)
    judge.press("Shift")
    rest(judge, 5)

    visit = finish(judge)

    assert abs(visit.wall_ms - 225_000) < 2_000
    assert abs(visit.active_ms - 45_000) < 2_000
    assert abs(visit.visible_ms - visit.wall_ms) < 100


def test_ux_38_a_hidden_tab_counts_as_neither_visible_nor_active(judge):
    rest(judge, 5)
    show = "state => { Object.defineProperty(document, 'visibilityState', {value: state,"
    show += " configurable: true}); document.dispatchEvent(new Event('visibilitychange')); }"
    judge.page.evaluate(show, "hidden")
    rest(judge, 30)
    judge.page.evaluate(show, "visible")
    rest(judge, 5)

    visit = finish(judge)

    assert visit.n_hidden == 1
    assert abs(visit.wall_ms - 40_000) < 2_000
    assert abs(visit.visible_ms - 10_000) < 2_000
    assert abs(visit.active_ms - 10_000) < 2_000


def test_ux_38_the_key_that_wakes_the_page_rates_nothing(judge):
    rest(judge, 310)
    expect(judge.page.get_by_role("paragraph").filter(has_text="Paused")).to_be_visible()

    judge.press("4")

    expect(judge.page.get_by_role("paragraph").filter(has_text="Paused")).to_be_hidden()
    assert judge.chosen() == []
    judge.press("3")
    judge.page.clock.run_for(100)
    judge.expect_saved()
    assert values() == [3]
