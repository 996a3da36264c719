"""Judging with a finger: all that keys do has a button, and each is as large as a thumb."""

import pytest
from playwright.sync_api import expect

from annotation.enums import Layout
from annotation.models import RatingEvent, ScalePoint
from annotation.services.protocol import NewDimension
from tests.annotation.comparing_studies import make_study as comparing_study
from tests.annotation.judging_studies import make_study, three_dimensions
from tests.e2e.judge_page import stored, values
from tests.e2e.test_judge_access import facts

PHONE = {"width": 320, "height": 640}
pytestmark = [
    pytest.mark.e2e,
    pytest.mark.django_db(transaction=True),
    pytest.mark.browser_context_args(viewport=PHONE, has_touch=True, is_mobile=True),
]
LANGUAGES = ["en", "de", "fr", "es", "pt", "zh-hans", "ja", "ar"]
WORDS = ["Unreadable", "Disfluent", "Middling", "Fairly fluent", "Fluent", "Perfectly fluent"]


def page():
    return make_study(layout=Layout.PAGE, page_size=2)


def pairs():
    return comparing_study(n_items=2)


def tap(judge, name, points):
    for group, point in zip(("Informativeness", "Fluency", "Overall"), points, strict=False):
        judge.page.get_by_role("group", name=group).get_by_role("radio", name=point).tap()
    judge.page.get_by_role("button", name=name).tap()


def test_undo_takes_back_answers_one_by_one_and_says_when_none_is_left(judging):
    judge = judging()
    undo = judge.page.get_by_role("button", name="Undo")
    expect(undo).to_be_disabled()
    group = judge.page.get_by_role("group", name="Fluency")

    group.get_by_role("radio", name="3 Good").tap()
    group.get_by_role("radio", name="2 Fair").tap()
    judge.expect_saved()
    undo.tap()
    judge.expect_saved()
    assert stored() == [(1, "fluency", 3)]
    undo.tap()
    judge.expect_saved()

    assert values() == []
    expect(undo).to_be_disabled()
    expect(judge.page.locator("[data-live]")).to_have_text("Undone. Fluency: no answer")
    sources = list(RatingEvent.objects.order_by("pk").values_list("source", flat=True))
    assert sources == ["touch", "touch", "undo", "undo"]


def test_ux_34_undo_leads_back_after_the_page_moved_on(judging):
    judge = judging(auto_next=True)
    for name in ("Informativeness", "Fluency", "Overall"):
        judge.page.get_by_role("group", name=name).get_by_role("radio", name="3 Good").tap()
    judge.expect_output(2, of=6)

    judge.page.get_by_role("button", name="Undo").tap()
    judge.expect_output(1, of=6)
    judge.expect_saved()

    assert stored() == [(1, "informativeness", 3), (1, "fluency", 3)]


def test_previous_leads_back_and_forth(judging):
    judge = judging()
    tap(judge, "Save and next", ["3 Good", "2 Fair", "1 Poor"])
    judge.expect_output(2, of=6)

    judge.page.get_by_role("link", name="Previous").tap()
    judge.expect_output(1, of=6)
    assert judge.chosen() == ["3", "2", "1"]
    expect(judge.page.get_by_role("link", name="Previous")).to_have_count(0)
    judge.page.get_by_role("button", name="Save and next").tap()

    judge.expect_output(2, of=6)


@pytest.mark.parametrize("study", [make_study, page, facts, pairs])
@pytest.mark.parametrize("width", [320, 390, 820])
def test_every_bench_has_undo_and_previous_in_a_thumbs_size_and_in_view(judging, study, width):
    judge = judging(study())
    judge.page.set_viewport_size({"width": width, "height": 640})
    for group in judge.page.locator("main fieldset").all():
        group.locator(".point").first.tap()
    judge.page.locator(".actions .button-primary").tap()
    previous = judge.page.get_by_role("link", name="Previous")
    expect(previous).to_be_visible()

    boxes = [
        one.bounding_box()
        for one in (
            previous,
            judge.page.get_by_role("button", name="Undo"),
            judge.page.locator(".actions .button-primary"),
        )
    ]

    assert all(box["height"] >= 44 and box["width"] >= 44 for box in boxes)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    assert all(box["y"] + box["height"] <= 640 for box in boxes)
    assert judge.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_foot_holds_its_words_in_every_language(judging, language):
    judge = judging(language=language)
    judge.press("3", "3", "3", "Enter")
    expect(judge.page.locator("[data-back]")).to_be_visible()

    cut = judge.page.locator(".actions .button:visible").evaluate_all(
        "all => all.filter((x) => x.scrollWidth > x.clientWidth || x.offsetHeight > 60).length"
    )
    foot = judge.page.locator(".actions").bounding_box()

    assert judge.page.locator(".actions .button:visible").count() == 4
    assert cut == 0
    assert foot["height"] <= 180


def test_an_incomplete_page_shows_what_is_missing_until_it_is_answered(judging):
    judge = judging()

    tap(judge, "Save and next", ["3 Good"])
    named = judge.page.get_by_role("group", name="Not answered yet")
    expect(named).to_have_count(2)
    judge.page.get_by_role("group", name="Fluency").get_by_role("radio", name="2 Fair").tap()

    expect(named).to_have_count(1)
    expect(judge.page.get_by_role("group", name="Overall")).to_contain_text("How about its overall")


def test_small_controls_are_as_large_as_a_thumb(judging):
    judge = judging(make_study(three_dimensions(allows_no_answer=True)))

    heights = judge.page.locator("[popovertarget=menu], [data-reason]").evaluate_all(
        "all => all.map((x) => x.offsetHeight)"
    )
    help_box = judge.page.evaluate("""() => {
      const { x, y, width, height } = document.querySelector(".help").getBoundingClientRect();
      const at = (dx, dy) => document.elementFromPoint(x + width / 2 + dx, y + height / 2 + dy);
      return [at(0, -20), at(-20, 0)].map((one) => one?.className);
    }""")

    assert min(heights) >= 44
    assert help_box == ["help", "help"]


def test_points_whose_words_do_not_fit_share_several_lines(judging):
    group = make_study([NewDimension("fluency", "Fluency", scale="fluency6")])
    for value, word in enumerate(WORDS, start=1):
        ScalePoint.objects.filter(scale__key="fluency6", value=value).update(label=word)
    judge = judging(group)

    def measure():
        return judge.page.evaluate("""() => {
          const points = [...document.querySelectorAll(".point")];
          const label = (one) => one.querySelector(".point-label").getBoundingClientRect();
          return [
            new Set(points.map((one) => Math.round(one.getBoundingClientRect().y))).size,
            points.every((one) => label(one).width <= one.clientWidth),
          ];
        }""")

    assert measure() == [3, True]
    judge.page.set_viewport_size({"width": 1024, "height": 768})
    expect(judge.page.locator("[data-wraps]")).to_have_count(0)
    assert measure() == [1, True]
