"""Saving: UX 2, 3, 4, 14."""

import datetime as dt
import time
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import expect

from annotation.models import Assignment, Rating, RatingEvent
from annotation.selectors.judge_links import judge_token
from annotation.services.places import draw
from tests.annotation.judging_studies import make_judge, make_study
from tests.e2e.judge_page import JudgePage, n_events, stored, values

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def test_ux_2_saved_is_shown_only_after_the_server_has_the_rating(judging):
    judge = judging()
    held = []

    def hold(route):
        held.append(route)

    judge.page.route("**/ratings/**", hold)

    judge.press("3")
    judge.expect_state("Saving")
    judge.page.wait_for_timeout(500)
    assert values() == []
    held.pop().continue_()
    judge.expect_saved()

    assert values() == [3]


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_when_it_wants_to_be(judging, status):
    judge = judging()
    tries = []

    def answer(route):
        tries.append(time.monotonic())
        if len(tries) > 1:
            route.continue_()
        else:
            route.fulfill(status=status, headers={"Retry-After": "3"}, body="{}")

    judge.page.route("**/ratings/**", answer)

    judge.press("3")
    judge.expect_state("Server busy – 1 waiting")
    judge.expect_saved()

    assert tries[1] - tries[0] >= 3
    assert values() == [3]


def test_ux_2_killing_the_browser_loses_only_what_is_not_marked_saved(judging):
    judge = judging()
    judge.press("3")
    judge.expect_saved()
    judge.page.route("**/ratings/**", lambda _: None)
    judge.press("4")
    judge.expect_state("Saving")

    judge.page.close(run_before_unload=False)

    assert values() == [3]


def test_what_a_closed_tab_could_not_send_is_sent_by_the_next(judging, context):
    judge = judging()
    judge.page.route("**/ratings/**", lambda route: route.abort())
    judge.press("3", "4")
    judge.expect_state("Offline – 2 waiting")
    judge.page.close()

    page = context.new_page()
    page.goto(judge.url)
    expect(page.locator("main input:checked")).to_have_count(2)
    expect(page.locator("[data-save-state]")).to_have_text("Saved", timeout=30_000)

    assert stored() == [(1, "informativeness", 3), (1, "fluency", 4)]


def test_ux_3_five_outputs_rated_offline_arrive_once_and_in_order(judging, context):
    judge = judging(auto_next=True)
    with judge.page.expect_response("**/next/**"):
        judge.page.reload()
    judge.page.wait_for_timeout(200)
    context.set_offline(True)

    for keys in (
        ["1", "2", "3"],
        ["2", "3", "4"],
        ["3", "4", "1"],
        ["4", "1", "2"],
        ["1", "1", "4"],
    ):
        judge.press(*keys)
    judge.expect_state("Offline – 20 waiting")  # fifteen ratings and five outputs handed in
    assert values() == []
    context.set_offline(False)
    judge.expect_output(6, of=6)
    judge.expect_state("Saved")

    assert values() == [1, 2, 3, 2, 3, 4, 3, 4, 1, 4, 1, 2, 1, 1, 4]
    assert n_events() == 15
    moments = list(Rating.objects.order_by("assignment__position", "pk").values_list("rated_at"))
    assert moments == sorted(moments)


def test_ux_4_a_rating_after_25_hours_is_kept_as_late_and_the_judge_is_told(judging):
    group = make_study(n_items=1, k=1)
    judge = judging(group)
    lease = Assignment.objects.get(judge__isnull=False)
    lease.lease_until -= dt.timedelta(hours=25)
    lease.save()
    Session.objects.all().delete()
    judge.page.context.clear_cookies()
    other, _ = make_judge(group)
    assert len(draw(other, at=dt.datetime.now(dt.UTC))) == 1

    judge.press("3", "4", "2")
    judge.expect_saved()

    assert values() == [3, 4, 2]
    assert list(Assignment.objects.filter(judge=lease.judge).values_list("is_late", "slot")) == [
        (True, None)
    ]
    expect(judge.page.get_by_text("another judge has it now")).to_be_visible()


def test_ux_14_reload_keeps_the_ratings(judging):
    judge = judging()
    judge.press("3", "4", "2", "Enter")
    judge.expect_output(2, of=6)
    judge.press("1")
    judge.expect_saved()

    judge.page.reload()

    judge.expect_output(2, of=6)
    assert judge.chosen() == ["1"]


def test_ux_14_back_and_forward_show_the_right_output(judging):
    judge = judging(auto_next=True)
    judge.press("3", "4", "2")
    judge.expect_output(2, of=6)
    judge.press("1")

    judge.page.go_back()
    judge.expect_output(1, of=6)
    assert judge.chosen() == ["3", "4", "2"]
    judge.page.go_forward()
    judge.expect_output(2, of=6)
    assert judge.chosen() == ["1"]


def test_ux_14_previous_and_next_after_a_reload(judging):
    judge = judging(auto_next=True)
    judge.press("3", "4", "2")
    judge.expect_output(2, of=6)
    judge.expect_saved()
    judge.page.reload()
    judge.expect_output(2, of=6)

    judge.page.get_by_role("link", name="Previous").click()
    judge.expect_output(1, of=6)
    assert judge.chosen() == ["3", "4", "2"]
    judge.press("Enter")

    judge.expect_output(2, of=6)


def test_ux_14_a_second_tab_never_makes_a_second_row(judging, context, live_server):
    first = judging()
    first.press("3")
    first.expect_saved()

    page = context.new_page()
    second = JudgePage(page, live_server, "")
    second.url = first.url
    second.open()
    expect(first.page.get_by_text("You went on in another tab")).to_be_visible()
    first.press("1")
    second.press("4", "Shift+Tab", "Shift+Tab", "2")
    second.expect_saved()

    assert stored() == [(1, "informativeness", 3), (1, "fluency", 2)]
    first.page.get_by_role("button", name="Continue here").click()
    expect(first.page.locator("main input:checked")).to_have_count(2)
    assert first.chosen() == ["3", "2"]


def test_a_refused_answer_is_kept_on_the_screen_and_explained(judging):
    judge = judging()
    Assignment.objects.filter(judge__isnull=False).update(
        lease_until=dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    )
    study = Assignment.objects.first().unit.study
    study.state = "closed"
    study.save()

    judge.press("3")

    expect(
        judge.page.get_by_text("This study is closed; your earlier answers are kept.")
    ).to_be_visible()
    judge.expect_state("Not saved")
    assert judge.chosen() == ["3"]


def test_a_revoked_link_keeps_the_answers_for_the_next_link(judging):
    judge = judging()
    holder = Assignment.objects.filter(judge__isnull=False).first().judge
    holder.link_version += 1
    holder.save()

    judge.press("3")

    expect(judge.page.get_by_text("This link no longer works")).to_be_visible()
    judge.expect_state("Not saved")
    assert values() == []
    judge.url = f"{judge.url.partition('/j/')[0]}/j/{judge_token(holder)}/"
    judge.page.goto(judge.url)  # the new link of the same judge
    judge.expect_saved()
    assert judge.chosen() == ["3"]
    assert values() == [3]


def test_the_last_output_leads_to_thanks(judging):
    judge = judging(make_study(n_items=1), auto_next=True)

    judge.press("3", "4", "2")

    expect(judge.page.get_by_role("heading", name="All done – thank you")).to_be_visible()
    assert values() == [3, 4, 2]
    assert Assignment.objects.get(judge__isnull=False).submitted_at is not None


def test_at_the_end_of_what_is_in_hand_the_judge_may_still_change_their_mind(judging, context):
    judge = judging(make_study(n_items=1))
    context.set_offline(True)
    judge.press("3", "4", "2", "Enter")
    expect(judge.page.get_by_text("as soon as the connection is back")).to_be_visible()

    judge.press("u", "4")
    assert judge.chosen() == ["3", "4", "4"]
    context.set_offline(False)
    judge.expect_saved()
    judge.press("Enter")

    expect(judge.page.get_by_role("heading", name="All done – thank you")).to_be_visible()
    assert values() == [3, 4, 4]


def test_over_plain_http_in_a_local_network_ratings_are_stored(page, live_server, settings):
    settings.ALLOWED_HOSTS = ["concord.lan"]
    _, token = make_judge(make_study())
    server = SimpleNamespace(url=f"http://concord.lan:{urlsplit(live_server.url).port}")
    judging = JudgePage(page, server, token).open()

    judging.press("3", "4", "2", "Enter")
    judging.expect_output(2, of=6)
    judging.expect_saved()

    assert page.evaluate("window.isSecureContext") is False
    assert values() == [3.0, 4.0, 2.0]
    assert {event.client_uuid.version for event in RatingEvent.objects.all()} == {4}
