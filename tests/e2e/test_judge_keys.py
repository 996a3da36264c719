"""Keys and focus: UX 1, 15, 16, 17, 34, 35."""

import pytest

from annotation.enums import Layout
from annotation.models import RatingEvent
from annotation.services.protocol import NewDimension
from tests.annotation.judging_studies import make_study, three_dimensions
from tests.e2e.judge_page import n_events, stored, values

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def test_ux_1_digits_and_enter_store_and_show_the_next(judging):
    judge = judging()

    judge.press("3", "4", "2", "Enter")
    judge.expect_output(2, of=6)
    judge.expect_saved()

    assert stored() == [(1, "informativeness", 3), (1, "fluency", 4), (1, "overall", 2)]
    assert judge.focused() == "Informativeness"


def test_enter_on_an_incomplete_page_leads_to_the_first_blank(judging):
    judge = judging()

    judge.press("3", "Enter")

    judge.expect_output(1, of=6)
    assert judge.focused() == "Fluency"
    assert "Fluency, Overall" in judge.page.locator("[data-live]").inner_text()


def test_ux_15_a_held_key_rates_once(judging):
    judge = judging()

    judge.page.keyboard.down("3")
    for _ in range(10):
        judge.page.keyboard.down("3")  # down without up is how a held key repeats
    judge.page.keyboard.up("3")
    judge.expect_saved()

    assert stored() == [(1, "informativeness", 3)]


@pytest.mark.parametrize("modifier", ["ctrlKey", "altKey", "metaKey"])
def test_ux_15_a_digit_with_a_modifier_rates_nothing(judging, modifier):
    judge = judging()

    judge.dispatch(key="2", code="Digit2", **{modifier: True})
    judge.expect_saved()

    assert values() == []


def test_ux_15_input_methods_and_comments_rate_nothing(judging):
    comment = NewDimension("note", "Note", kind="comment", is_required=False)
    judge = judging(make_study([*three_dimensions(), comment]))

    judge.dispatch(key="2", code="Digit2", isComposing=True)
    judge.press("c")
    judge.page.keyboard.type("3 of 4 words u 2")
    judge.press("Escape")
    judge.expect_saved()

    assert stored() == [(1, "note", None)]
    assert judge.chosen() == []


@pytest.mark.parametrize("language", ["en", "ar"])
def test_ux_16_arrows_stay_in_their_group_and_never_go_on(judging, language):
    judge = judging(auto_next=True, language=language)
    judge.press("3", "3")  # the third question is the last blank

    judge.press("ArrowDown", "ArrowDown", "ArrowRight", "ArrowLeft")
    judge.page.wait_for_timeout(300)

    assert judge.focused() == "Overall"
    assert judge.chosen()[:2] == ["3", "3"]
    assert judge.page.locator("main").get_attribute("data-page") == "1.1"


def test_ux_17_without_shortcuts_the_whole_task_works_by_tab_arrows_space_enter(judging):
    judge = judging(shortcuts="off")

    judge.press("3")
    assert judge.chosen() == []
    judge.press("Space", "Tab", "Tab", "Space", "ArrowDown", "Tab", "Tab", "Space", "Enter")
    judge.expect_output(2, of=6)
    judge.expect_saved()

    assert values() == [1, 2, 1]


def test_ux_17_keys_can_be_moved_to_alt(judging):
    judge = judging(shortcuts="alt")

    judge.press("3", "Alt+2")
    judge.expect_saved()

    assert stored() == [(1, "informativeness", 2)]


def test_ux_17_shortcuts_are_switched_in_the_menu_and_remembered(judging):
    judge = judging()
    judge.page.get_by_role("button", name="Menu").click()
    judge.page.get_by_role("button", name="Text size, theme and more").click()
    with judge.page.expect_response("**/preferences/"):
        judge.page.get_by_label("Single keys").select_option("off")

    judge.page.reload()
    judge.expect_state("Saved")
    judge.press("3")

    assert judge.page.locator("[data-judging]").get_attribute("data-shortcuts") == "off"
    assert judge.chosen() == []


def test_ux_34_three_dimensions_take_three_keys(judging):
    judge = judging(auto_next=True)

    judge.press("3", "4", "2")
    judge.expect_output(2, of=6)
    judge.expect_saved()

    assert values() == [3, 4, 2]


def test_ux_34_one_dimension_takes_one_key(judging):
    group = make_study([NewDimension("fluency", "Fluency", scale="fluency6")])
    judge = judging(group, auto_next=True)

    judge.press("6")
    judge.expect_output(2, of=6)
    judge.press("5")
    judge.expect_output(3, of=6)
    judge.expect_saved()

    assert stored() == [(1, "fluency", 6), (2, "fluency", 5)]


@pytest.mark.parametrize(("auto_next", "n_keys"), [(True, 40), (False, 41)])
def test_ux_34_ten_outputs_of_four_dimensions_take_forty_keys(judging, auto_next, n_keys):
    dimensions = [NewDimension(f"d{n}", f"D{n}", scale="quality") for n in range(4)]
    group = make_study(dimensions, n_items=20, layout=Layout.PAGE, page_size=10)
    judge = judging(group, auto_next=auto_next)
    keys = [str(1 + n % 4) for n in range(40)] + ["Enter"]

    judge.press(*keys[:n_keys])
    judge.page.get_by_role("heading", name="Outputs 11 to 20 of 20").wait_for()
    judge.expect_saved()

    assert values() == [1, 2, 3, 4] * 10


def test_ux_34_u_takes_the_last_answer_back_after_the_page_moved_on(judging):
    judge = judging(auto_next=True)
    judge.press("3", "4", "2")
    judge.expect_output(2, of=6)

    judge.press("u")
    judge.expect_output(1, of=6)
    judge.expect_saved()

    assert stored() == [(1, "informativeness", 3), (1, "fluency", 4)]
    assert judge.focused() == "Overall"
    judge.press("1")
    judge.expect_output(2, of=6)
    judge.expect_saved()
    assert values() == [3, 4, 1]


def test_one_click_rates_and_with_auto_next_the_last_one_goes_on(judging):
    judge = judging(auto_next=True)

    for name in ("Informativeness", "Fluency", "Overall"):
        judge.page.get_by_role("group", name=name).get_by_role("radio", name="3 Good").click()
    judge.expect_output(2, of=6)
    judge.expect_saved()

    assert values() == [3, 3, 3]
    assert set(RatingEvent.objects.values_list("source", flat=True)) == {"click"}


def test_undo_brings_back_the_answer_before(judging):
    judge = judging()
    judge.press("3", "Shift+Tab", "Shift+Tab", "4")

    judge.press("u")
    judge.expect_saved()

    assert judge.chosen() == ["3"]
    assert (values(), n_events()) == ([3], 3)


@pytest.mark.parametrize(
    "event",
    [
        {"key": '"', "code": "Digit3"},  # the digit row of AZERTY
        {"key": "3", "code": "Digit3", "shiftKey": True},  # and with Shift
        {"key": "3", "code": "Numpad3"},
        {"key": "٣", "code": "Digit3"},  # Arabic-Indic
        {"key": "۳", "code": ""},  # Persian
    ],
)
def test_ux_35_other_keyboards_rate_the_same(judging, event):
    judge = judging()

    judge.dispatch(**event)
    judge.expect_saved()

    assert stored() == [(1, "informativeness", 3)]


def test_a_sign_with_shift_on_the_digit_row_rates_nothing(judging):
    judge = judging()

    judge.dispatch(key="#", code="Digit3", shiftKey=True)

    assert judge.chosen() == []
