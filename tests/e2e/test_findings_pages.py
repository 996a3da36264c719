"""Parts of the report that a full study has, and the page of blinding: axe, width, pictures."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.models import Assignment, Judge, Rating, Study
from annotation.selectors import doors
from metrics_app.reports.options import ReportOptions
from metrics_app.services.analyses import request_analysis
from metrics_app.tasks import run_analysis_task
from tests.e2e.looks import look
from tests.factories import NOON, AssignmentFactory, StudyMemberFactory
from tests.metrics_app.factories import rated_study, with_scores

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def full_study():
    """Return an open study with hidden names, scores, repeats, time and an excluded judge."""
    call_command("build_static")
    study = rated_study(n_items=12, systems=["s1", "s2", "s3", "s4", "s5", "s6"])
    with_scores(study, "rouge2_ab", "rouge2_bb", "length")
    works = Assignment.objects.filter(unit__study=study).select_related("judge").order_by("pk")
    for place, work in enumerate(works):
        Assignment.objects.filter(pk=work.pk).update(submitted_at=NOON + timedelta(hours=place))
    work = works.filter(judge__group__key="crowd").first()
    again = AssignmentFactory(
        unit=work.unit, judge=work.judge, slot=None, repeat_of=work, submitted_at=NOON
    )
    for first in work.ratings.all():
        Rating.objects.create(
            assignment=again, dimension=first.dimension, value=first.value, rated_at=NOON
        )
    out = Judge.objects.filter(study=study, group__key="crowd").last()
    Judge.objects.filter(pk=out.pk).update(excluded_at=NOON, excluded_by="failed the checks")
    Study.objects.filter(pk=study.pk).update(hides_systems=True, state="open", opened_at=NOON)
    options = ReportOptions(seed=3, n_resamples=20, takes_time=True)
    analysis = request_analysis(doors.study_named(study.slug), at=NOON, options=options)
    run_analysis_task(analysis.job_id)
    return study


def test_a_full_report_and_the_page_of_blinding(page, live_server, sign_in, full_study):
    sign_in(StudyMemberFactory(study=full_study, role="owner").user)

    page.goto(live_server.url + reverse("metrics_app:report", args=[full_study.slug]))
    for anchor in ("metric-pairs", "prediction", "exclusions", "more", "methods"):
        assert page.locator(f"#{anchor}").count() == 1, anchor
    look(page, "findings-report")

    page.goto(live_server.url + reverse("annotation:blinding", args=[full_study.slug]))
    look(page, "blinding")
    page.get_by_label("Why the names of systems are needed now").fill("a crash")
    page.get_by_role("button", name="Show the names of systems").click()
    assert page.get_by_role("heading", name="Whose outputs these are").count() == 1
    look(page, "blinding-seen")
