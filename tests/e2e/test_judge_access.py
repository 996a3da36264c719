"""Everybody can judge, on any screen, in any language: UX 5, 18, 19, 37."""

import datetime as dt

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import expect

from annotation.enums import Layout
from annotation.models import Assignment, Example, Item, OutputVersion, Phase
from annotation.services.places import draw
from annotation.services.protocol import NewDimension, NewPhase
from tests.annotation.comparing_studies import make_study as comparing_study
from tests.annotation.judging_studies import (
    SYSTEM_NAMES,
    fact_dimension,
    make_judge,
    make_study,
    three_dimensions,
)
from tests.e2e.judge_page import JudgePage

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
SIZES = [(1366, 768), (390, 844), (320, 640)]
KINDS = [
    *three_dimensions(allows_no_answer=True)[:2],
    NewDimension("charm", "Charm", kind="range", scale="percent", question="From 0 to 100?"),
    NewDimension("note", "Note", kind="comment", is_required=False, question="Anything?"),
]
FACTS = ["The stairwell is closed.", "The lifts run.", "Bicycles may stay."]


def bench():
    return make_study()


def kinds():
    return make_study(KINDS)


def facts():
    return make_study(phases=[NewPhase("facts", "Which facts?", [fact_dimension()])], facts=FACTS)


def cards():
    return make_study(layout=Layout.PAGE, page_size=4, n_systems=2)


def systems_of_an_item():
    return make_study(layout=Layout.ITEM, n_systems=3)


def pairs():
    return comparing_study(n_systems=2)


def sets():
    return comparing_study(kinds=["best_worst"], n_systems=5, set_size=5)


BENCHES = [bench, kinds, facts, cards, systems_of_an_item, pairs, sets]


def faults(page):
    """Return what axe finds against WCAG A and AA, in short."""
    results = Axe().run(page, options={"runOnly": {"type": "tag", "values": LEVELS}})
    assert len(results.response["passes"]) > 5  # it did look
    return [
        (fault["id"], node["html"][:120], node.get("failureSummary", "")[:200])
        for fault in results.response["violations"]
        for node in fault["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("study", BENCHES)
def test_ux_18_axe_finds_nothing_on_the_bench(judging, study, scheme):
    judge = judging(study())
    judge.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    judge.press("1", "2")
    judge.expect_saved()

    found = []
    for width, height in SIZES:
        judge.page.set_viewport_size({"width": width, "height": height})
        found += faults(judge.page)

    assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ux_18_axe_finds_nothing_in_menus_dialogs_and_plain_pages(page, live_server, scheme):
    group = make_study()
    phase = Phase.objects.get()
    Example.objects.create(phase=phase, position=1, text="Closed", explanation="It says *what*.")
    Example.objects.create(phase=phase, position=2, kind="counter", text="Hi!")
    _, token = make_judge(group)
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = []
    for path in ("instructions/", "pause/", "leave/"):
        page.goto(f"{live_server.url}/j/{token}/{path}")
        found += faults(page)
    judge = JudgePage(page, live_server, token).open()
    page.get_by_role("button", name="Menu").click()
    found += faults(page)
    page.get_by_role("button", name="Text size, theme and more").click()
    found += faults(page)
    judge.press("Escape", "?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    found += faults(page)

    assert found == []


def test_ux_18_the_page_reads_as_a_person_would_say_it(judging):
    judge = judging()
    judge.press("3")

    expect(judge.page.locator("body")).to_match_aria_snapshot("""
      - banner:
        - heading "Output 1 of 6" [level=1]
        - status: Saved
        - button "Menu"
        - progressbar "0 of 6 finished"
      - main:
        - region "E-mail"
        - separator "Width of “E-mail”"
        - form "Subject line":
          - article:
            - group "Informativeness How about its informativeness?":
              - 'button "Definition: Informativeness"'
              - radio "1 Poor"
              - radio "2 Fair"
              - radio "3 Good" [checked]
              - radio "4 Great"
      """)
    expect(judge.page.locator("[data-live]")).to_have_text("Informativeness: 3 Good")


@pytest.mark.parametrize("size", [(320, 640), (683, 384), (342, 192)])  # 200 % and 400 % of 1366
@pytest.mark.parametrize("study", BENCHES)
def test_ux_19_no_sideways_scroll_and_the_focus_is_never_covered(judging, study, size):
    judge = judging(study())
    judge.page.set_viewport_size({"width": size[0], "height": size[1]})
    judge.page.emulate_media(reduced_motion="reduce")
    judge.page.evaluate("document.querySelector('main input').focus()")

    covered = []
    for _ in range(30):
        judge.press("Tab")
        covered += judge.page.evaluate("""() => {
          if (document.activeElement === document.body) return [];
          const box = document.activeElement.getBoundingClientRect();
          const inside = (n, top) => Math.min(Math.max(n, 0), top - 1);
          const x = inside(box.x + box.width / 2, innerWidth);
          const y = inside(box.y + box.height / 2, innerHeight);
          const hit = document.elementFromPoint(x, y);
          const bar = hit?.closest('.judge-bar, .actions, .judged-pane');
          return bar && !bar.contains(document.activeElement)
            ? [document.activeElement.outerHTML.slice(0, 90)] : [];
        }""")
    width = judge.page.evaluate("document.documentElement.scrollWidth")

    assert covered == []
    assert width <= size[0]


@pytest.mark.parametrize("width", [320, 360, 390])
@pytest.mark.parametrize("language", ["en", "de", "ar"])
def test_ux_19_the_menu_stays_on_a_phone_beside_the_longest_words(judging, width, language):
    judge = judging(language=language)
    judge.page.set_viewport_size({"width": width, "height": 844})

    box = judge.page.evaluate("""() => {
      document.querySelector("[data-heading]").textContent = "Outputs 2,781 to 2,790 of 2,800";
      document.querySelector("[data-time-left]").textContent = "about 250 min left";
      document.querySelector("[data-save-state]").textContent = "Offline – 12 waiting";
      const bar = document.querySelector(".judge-bar");
      const inside = (one) => {
        const { left, right } = one.getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      };
      const shown = [...bar.querySelectorAll("h1, [data-save-state], [popovertarget=menu]")];
      return [shown.length, shown.every(inside), bar.scrollWidth <= innerWidth];
    }""")

    assert box == [3, True, True]


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_the_points_of_a_card_have_the_whole_width(judging, width):
    group = make_study(three_dimensions(allows_no_answer=True), layout=Layout.PAGE, page_size=2)
    judge = judging(group)
    judge.page.set_viewport_size({"width": width, "height": 844})

    shares = judge.page.locator(".verdicts .scale").evaluate_all(
        "all => all.map((one) => one.querySelector('.points').clientWidth / one.clientWidth)"
    )

    assert len(shares) == 6
    assert min(shares) > 0.9


@pytest.mark.parametrize("language", ["en", "ar"])
def test_what_is_asked_on_a_page_of_cards_opens_in_full_width(judging, language):
    judge = judging(make_study(layout=Layout.PAGE, page_size=2), language=language)

    judge.page.locator("[popovertarget=definitions]").click()
    box = judge.page.locator("#definitions").bounding_box()

    assert box["width"] > 250
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1366


@pytest.mark.browser_context_args(timezone_id="Asia/Tokyo")
@pytest.mark.parametrize(("language", "time"), [("en", "9:30"), ("de", "09:30")])
def test_when_to_come_back_is_told_in_the_judges_own_time(page, live_server, language, time):
    group = make_study(n_items=1, k=1)
    draw(make_judge(group)[0], at=timezone.now())
    Assignment.objects.update(lease_until=dt.datetime(2100, 1, 2, 0, 30, tzinfo=dt.UTC))
    _, token = make_judge(group, language=language)

    page.goto(f"{live_server.url}/j/{token}/")

    told = page.locator("time")
    expect(told).not_to_contain_text("UTC")
    expect(told).to_contain_text(time)
    expect(told).to_contain_text("2100")


def test_on_the_smallest_phone_the_source_opens_beside_the_button_that_goes_on(judging):
    judge = judging()
    judge.page.set_viewport_size({"width": 320, "height": 640})

    tops = [
        judge.page.get_by_role("button", name=name).bounding_box()["y"]
        for name in ("E-mail", "Save and next")
    ]

    assert tops[0] == tops[1]


def test_targets_are_large_enough_for_a_thumb(judging):
    judge = judging()
    judge.page.set_viewport_size({"width": 390, "height": 844})

    heights = judge.page.locator(".point, .actions .button:visible").evaluate_all(
        "all => all.map(x => x.getBoundingClientRect().height)"
    )

    assert min(heights) >= 44


def test_ux_37_each_paragraph_finds_its_own_direction_and_the_interface_its_own(judging):
    group = make_study(n_items=1, source="שלום לכולם\nHello all,\n大家好")
    Item.objects.update(language="he")
    OutputVersion.objects.update(text="מדרגות סגורות")
    judge = judging(group, language="ar")

    read = judge.page.locator("[data-findable] p").evaluate_all(
        "all => all.map(p => [getComputedStyle(p).direction, p.closest('[lang]').lang])"
    )
    root = judge.page.locator("html").evaluate("x => [x.lang, x.dir]")

    assert read == [["rtl", "he"], ["ltr", "he"], ["ltr", "he"]]
    assert root == ["ar", "rtl"]


def test_ux_5_no_system_reaches_the_browser(judging):
    group = make_study(n_items=2, n_systems=3)
    seen = []
    judge = judging(group, auto_next=True)

    def read(response):
        seen.append(f"{response.url} {response.headers}")
        if response.status == 200:
            seen.append(response.text())

    judge.page.on("response", read)
    judge.page.reload()
    for number in range(1, 7):
        judge.expect_output(number, of=6)
        judge.press("1", "2", "3")
    expect(judge.page.get_by_role("heading", name="All done")).to_be_visible()

    assert len(seen) > 30
    assert [text for text in seen for name in SYSTEM_NAMES if name in text] == []
