"""Kinds of dimensions, facts, find and divider, each by keys alone."""

import pytest
from playwright.sync_api import expect

from annotation.models import OutputVersion, Rating
from annotation.services.protocol import NewDimension, NewPhase
from tests.annotation.judging_studies import (
    fact_dimension,
    make_study,
    three_dimensions,
)
from tests.e2e.judge_page import values

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]
FACTS = ["The stairwell is closed.", "The lifts run.", "Bicycles may stay."]
SUMMARY = "From Monday the stairwell stays closed.\nThe closing of the stairwell ends on Friday."


def facts_study(**settings):
    phases = [NewPhase("facts", "Which facts are in?", [fact_dimension()])]
    group = make_study(phases=phases, facts=FACTS, **settings)
    OutputVersion.objects.update(text=SUMMARY)
    return group


@pytest.mark.parametrize(("auto_next", "n_keys"), [(True, 3), (False, 4)])
def test_ux_34_k_facts_take_k_keys(judging, auto_next, n_keys):
    judge = judging(facts_study(), auto_next=auto_next)

    judge.press(*["1", "2", "2", "Enter"][:n_keys])
    judge.expect_output(2, of=6)
    judge.expect_saved()

    assert values() == [1, 0, 0]  # the first point is Present, and its value 1


def test_a_fact_is_also_answered_by_the_first_letter_of_a_label(judging):
    judge = judging(facts_study())

    judge.press("a", "p", "a")
    judge.expect_saved()

    assert values() == [0, 1, 0]


def test_a_click_answers_a_fact_that_opens_out_under_it(judging):
    judge = judging(facts_study())

    for fact, label in ((2, "Absent"), (1, "Present"), (3, "Absent")):
        group = judge.page.get_by_role("group", name=f"Coverage: {FACTS[fact - 1]}")
        group.get_by_role("radio", name=label).click()
        expect(group).to_have_attribute("aria-current", "true")
    judge.expect_saved()

    assert values() == [1, 0, 0]


def test_the_words_of_the_current_fact_are_marked_and_counted(judging):
    judge = judging(facts_study())

    marked = judge.page.locator("mark").all_inner_texts()

    assert marked == ["stairwell", "closed", "closing", "stairwell"]
    expect(judge.page.get_by_text("Marked 4 times in the text.")).to_be_visible()
    judge.press("n", "n")
    expect(judge.page.locator("mark[data-current]")).to_have_text("closed")
    judge.press("Shift+N")
    expect(judge.page.locator("mark[data-current]")).to_have_text("stairwell")
    judge.press("1")
    expect(judge.page.get_by_text("None of its words stand in the text.")).to_be_visible()
    expect(judge.page.locator("mark")).to_have_count(0)


def test_slash_finds_in_the_source_and_typing_there_rates_nothing(judging):
    judge = judging()

    judge.press("/")
    judge.page.keyboard.type("the")

    expect(judge.page.locator("[data-find-count]")).to_have_text("1 of 4")
    judge.press("Enter")
    expect(judge.page.locator("[data-find-count]")).to_have_text("2 of 4")
    judge.page.keyboard.type("3")
    expect(judge.page.locator("[data-find-count]")).to_have_text("Not found")
    judge.press("Escape")
    expect(judge.page.locator("mark")).to_have_count(0)
    assert values() == []


def test_zero_asks_for_a_reason_which_is_stored_and_no_number(judging):
    judge = judging(make_study(three_dimensions(allows_no_answer=True)))
    judge.press("3", "Shift+Tab", "Shift+Tab", "Shift+Tab")  # back over help and reason

    judge.press("0")
    judge.page.keyboard.press("ArrowDown")
    judge.press("Enter")
    judge.expect_saved()

    assert Rating.objects.values_list("value", "missing_reason").get() == (
        None,
        "not understandable",
    )
    assert judge.chosen() == []
    assert judge.focused() == "Fluency"


def test_a_point_takes_the_reason_away(judging):
    judge = judging(make_study(three_dimensions(allows_no_answer=True)))
    judge.page.get_by_label("Can’t judge").first.select_option("other")
    judge.expect_saved()

    judge.press("Shift+Tab", "2")
    judge.expect_saved()

    assert Rating.objects.values_list("value", "missing_reason").get() == (2.0, None)


@pytest.mark.parametrize("way", ["field", "buttons", "slider"])
def test_a_range_is_answered_in_three_ways(judging, way):
    group = make_study([NewDimension("charm", "Charm", kind="range", scale="percent")])
    judge = judging(group)
    field = judge.page.get_by_role("spinbutton", name="Charm")

    if way == "field":
        judge.page.keyboard.type("42")
        judge.press("Enter")
        judge.expect_output(2, of=6)
    elif way == "buttons":
        field.fill("41")
        judge.page.get_by_role("button", name="More").click()
    else:
        judge.page.get_by_role("slider", name="Charm").focus()
        judge.press("ArrowLeft")
    judge.expect_saved()

    assert values() == [{"field": 42, "buttons": 42, "slider": 49}[way]]


def test_a_press_on_the_middle_of_a_blank_slider_is_an_answer(judging):
    group = make_study([NewDimension("charm", "Charm", kind="range", scale="percent")])
    judge = judging(group)

    judge.page.get_by_role("slider", name="Charm").click()
    judge.expect_saved()

    assert values() == [50]


def test_a_number_outside_the_range_is_refused_and_stays_on_the_screen(judging):
    group = make_study([NewDimension("charm", "Charm", kind="range", scale="percent")])
    judge = judging(group)

    judge.page.keyboard.type("142")
    judge.press("Tab")

    expect(judge.page.get_by_text("142 is outside the range of Charm: 0 to 100.")).to_be_visible()
    expect(judge.page.get_by_role("spinbutton", name="Charm")).to_have_value("142")
    judge.expect_state("Not saved")
    assert values() == []
    # The notice takes from the panes, not from the foot, and goes when it was read.
    expect(judge.page.get_by_role("button", name="Save and next")).to_be_in_viewport(ratio=1)
    judge.page.get_by_role("button", name="Dismiss").click()
    expect(judge.page.locator("[data-notices] > *")).to_have_count(0)


def test_the_divider_moves_by_arrows_and_is_remembered(judging):
    judge = judging()
    divider = judge.page.get_by_role("separator")
    divider.focus()

    with judge.page.expect_response("**/preferences/"):
        judge.press("ArrowRight", "ArrowRight")
    judge.page.reload()

    expect(divider).to_have_attribute("aria-valuenow", "49")


@pytest.mark.parametrize("back", ["Escape", "button"])
def test_instructions_are_one_key_away_and_lead_back(judging, back):
    group = make_study()
    group.study.phases.update(suggestions="Read it *twice*.")
    judge = judging(group)
    judge.press("3", "4", "2", "Enter")
    judge.expect_output(2, of=6)
    judge.expect_saved()

    judge.press("i")
    expect(judge.page.get_by_text("Read it twice.")).to_be_visible()
    button = judge.page.get_by_role("button", name="Go on")
    expect(button.locator("kbd")).to_be_visible()
    if back == "Escape":
        judge.press("Escape")
    else:
        button.click()

    judge.expect_output(2, of=6)


def test_theme_and_text_size_hold_at_once_and_on_the_next_visit(judging):
    judge = judging()
    judge.page.get_by_role("button", name="Menu").click()
    judge.page.get_by_role("button", name="Text size, theme and more").click()
    for label, value in (("Theme", "sepia"), ("Text size", "larger")):
        with judge.page.expect_response("**/preferences/"):
            judge.page.get_by_label(label, exact=True).select_option(value)

    root = judge.page.locator("html")
    expect(root).to_have_attribute("data-theme", "sepia")
    judge.page.reload()
    expect(root).to_have_attribute("data-theme", "sepia")
    expect(root).to_have_attribute("data-text", "larger")


def test_a_long_output_is_read_from_its_top_and_its_question_comes_with_the_first_key(judging):
    group = make_study()
    OutputVersion.objects.update(text="\n".join(f"Line {n} of a long text." for n in range(80)))
    judge = judging(group)
    first_line = judge.page.get_by_text("Line 0 of a long text.")

    expect(first_line).to_be_in_viewport()
    judge.press("3")
    expect(judge.page.get_by_role("group", name="Fluency")).to_be_in_viewport()
    judge.press("2", "3", "Enter")
    judge.expect_output(2, of=6)

    expect(first_line).to_be_in_viewport()
