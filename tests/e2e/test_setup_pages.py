"""Setting a study up in a browser, from nothing to the first page as a judge sees it."""

import pytest
from django.urls import reverse

from annotation.models import Dimension, Study
from tests.e2e.looks import look
from tests.factories import UserFactory

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


def make(page, live_server):
    page.goto(live_server.url + reverse("annotation:new_study"))
    look(page, "new-study")
    page.get_by_label("Title").fill("Captions")
    page.get_by_label("Short name").fill("captions")
    page.get_by_label("Begin with").select_option("An empty study")
    page.get_by_role("button", name="Make the study").click()
    page.get_by_role("link", name="Set up").click()


def add(page, what, said):
    page.get_by_role("link", name=what).click()
    for label, value in said.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_role("button", name="Save").click()


def add_dimension(page):
    page.get_by_role("link", name="Add a dimension").click()
    page.get_by_label("Name", exact=True).fill("Truth")
    page.get_by_label("Points", exact=True).fill("1 False\n2 Half true\n3 True")
    look(page, "setup-dimension")
    kind = page.get_by_label("How it is answered")
    for answer, needs_step in [("A number in a range", True), ("Points of a scale", False)]:
        kind.select_option(answer)
        assert page.get_by_label("In steps of").is_visible() == needs_step
    page.get_by_role("button", name="Save").click()


def test_a_study_is_set_up_from_nothing_and_seen_as_a_judge(page, live_server, sign_in):
    sign_in(UserFactory())
    make(page, live_server)
    add(page, "Add a phase", {"Title": "Look and rate", "Instructions": "Look **closely**."})
    add_dimension(page)
    add(page, "Add an example", {"Output": "A dog"})
    add(page, "Add a group", {"Name": "Lab"})
    page.get_by_role("link", name="Change how it is shown").click()
    look(page, "setup-layout")
    page.get_by_role("button", name="Save").click()
    look(page, "setup")

    page.get_by_role("link", name="See it as a judge").click()
    assert page.get_by_text("A dog").is_visible()
    look(page, "preview-briefing")
    page.get_by_role("link", name="Begin").click()
    page.get_by_role("radio", name="Half true").check()
    look(page, "preview-page")
    page.get_by_role("button", name="Save and next").click()

    study = Study.objects.get(slug="captions")
    points = Dimension.objects.get().scale.points.all()
    assert [point.label for point in points] == ["False", "Half true", "True"]
    assert study.groups.get().judges_per_unit == 3
    assert not study.judges.exists()
