"""Exclusion rules, and the report of comparisons, as they are seen."""

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Rating, Study
from tests.e2e.looks import look
from tests.factories import NOON, StudyMemberFactory
from tests.metrics_app.factories import rated_study
from tests.metrics_app.views.test_comparison_reports import judged
from tests.metrics_app.views.test_reports import _run

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


@pytest.fixture(scope="module", autouse=True)
def _built_static():
    call_command("build_static")


@pytest.fixture
def open_page(page, live_server, sign_in):
    """Return a function that opens a page of a study in the browser as its owner."""

    def open_as_owner(name, study):
        sign_in(StudyMemberFactory(study=study, role="owner").user)
        page.goto(live_server.url + reverse(name, args=[study.slug]))
        return page

    return open_as_owner


def test_the_rules_and_whom_they_catch_are_readable(open_page):
    study = rated_study(n_items=6)
    first = study.judges.order_by("pk").first()
    Rating.objects.filter(assignment__judge=first).update(value=2)
    rules = [
        {"kind": "fast", "threshold": 5.0, "n_outputs": 4},
        {"kind": "same_answer", "threshold": 90.0, "n_outputs": 8},
        {"kind": "disagreeing", "threshold": 0.1, "n_outputs": 10},
    ]
    Study.objects.filter(pk=study.pk).update(exclusion_rules=rules, opened_at=NOON)

    page = open_page("annotation:exclusion_rules", study)
    page.get_by_text("Change the rules").click()

    assert page.get_by_label("Same answer: from how many outputs on").input_value() == "8"
    look(page, "exclusion-rules")


def test_the_report_of_comparisons_shows_strengths_with_their_intervals(open_page):
    study, keys = judged(["pairwise"])
    _run(study)

    page = open_page("metrics_app:report", study)

    figure = page.locator("#figure-strengths")
    figure.scroll_into_view_if_needed()
    assert "average system is 0" in figure.get_by_role("img").get_attribute("aria-label")
    figure.get_by_text("Data behind this").click()
    for key in keys:
        figure.get_by_role("cell", name=key).or_(
            figure.get_by_role("rowheader", name=key)
        ).first.wait_for()
    look(page, "comparisons")
