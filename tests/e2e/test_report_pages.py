"""The report and its neighbours by hand: figures answer the pointer, axe finds nothing."""

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Study
from annotation.selectors import doors
from metrics_app.reports.charts.words import FIGURES
from metrics_app.reports.options import ReportOptions
from metrics_app.services.analyses import request_analysis
from metrics_app.tasks import run_analysis_task
from tests.e2e.looks import SIZES, faults, look
from tests.factories import NOON, StudyMemberFactory
from tests.metrics_app.factories import rated_study

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]
WITH_ZOOM = [*SIZES, (320, 640)]
STRICT = {"script-src": "'self'", "style-src": "'self'", "default-src": "'none'"}


@pytest.fixture(scope="session", autouse=True)
def _built_static():
    call_command("build_static")


@pytest.fixture
def complaints(page):
    """What the browser's console says against the page."""
    found = []
    page.on("console", lambda said: found.append(said.text) if said.type == "error" else None)
    return found


def analyse(slug, name=""):
    study = doors.study_named(slug)
    options = ReportOptions(seed=3, n_resamples=20)
    analysis = request_analysis(study, at=NOON, options=options, name=name)
    run_analysis_task(analysis.job_id)
    return analysis


def test_figures_come_alive_under_the_strict_policy(page, live_server, sign_in, complaints):
    study = rated_study(n_items=6)
    analyse(study.slug)
    sign_in(StudyMemberFactory(study=study, role="owner").user)

    answer = page.goto(live_server.url + reverse("metrics_app:report", args=[study.slug]))
    policy = answer.headers["content-security-policy"]
    figures = page.locator("figure.drawn")
    drawn = set(FIGURES) - {"correlations", "strengths"}
    assert figures.count() == len(drawn)
    for place in range(figures.count()):
        figures.nth(place).scroll_into_view_if_needed()
        expect(figures.nth(place).locator(".live svg")).to_be_visible()
        expect(figures.nth(place).locator("picture")).to_be_hidden()

    means = page.locator("#figure-means")
    means.scroll_into_view_if_needed()
    means.locator(".live .mark-symbol path").first.hover()
    tip = page.locator("#vg-tooltip-element")
    expect(tip).to_contain_text("Alpha")
    assert "value" in tip.inner_text()

    assert complaints == []
    for directive, source in STRICT.items():
        assert f"{directive} {source}" in policy
    assert "unsafe" not in policy


def test_rows_behind_a_figure_are_a_table_and_print_takes_the_drawing(page, live_server, sign_in):
    study = rated_study(n_items=6)
    analyse(study.slug)
    sign_in(StudyMemberFactory(study=study, role="owner").user)
    page.goto(live_server.url + reverse("metrics_app:report", args=[study.slug]))
    means = page.locator("#figure-means")

    means.get_by_text("Data behind this").click()
    expect(means.get_by_role("table")).to_be_visible()
    assert means.locator("tbody tr").count() == 8
    assert faults(page) == []

    expect(means.locator(".live svg")).to_be_visible()
    page.emulate_media(media="print")
    expect(means.locator("picture")).to_have_css("display", "inline")
    expect(means.locator(".live")).to_be_hidden()
    assert means.locator("img").evaluate("image => image.complete && image.naturalWidth > 0")

    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 390, "height": 844})
    assert means.locator(".paper").bounding_box()["width"] < 390


def test_without_the_script_the_drawing_of_the_server_stays(page, live_server, sign_in):
    study = rated_study(n_items=6)
    analyse(study.slug)
    sign_in(StudyMemberFactory(study=study, role="owner").user)
    page.route("**/generated/vega*.js", lambda route: route.abort())
    page.goto(live_server.url + reverse("metrics_app:report", args=[study.slug]))

    picture = page.locator("#figure-means img")
    picture.scroll_into_view_if_needed()
    expect(picture).to_be_visible()
    page.wait_for_function("document.querySelector('#figure-means img').naturalWidth > 100")


def test_report_reports_and_datasheet_of_the_demo(page, live_server, sign_in, complaints):
    call_command("make_demo_study")
    call_command("run_metrics", "demo", metrics="length,compression")
    study = doors.study_named("demo")
    first = analyse("demo")
    second = analyse("demo", name="Again")
    sign_in(StudyMemberFactory(study=Study.objects.get(), role="owner").user)

    def visit(name, query=""):
        page.goto(live_server.url + reverse(f"metrics_app:{name}", args=[study.slug]) + query)

    visit("report")
    look(page, "report", sizes=WITH_ZOOM)
    visit("runs")
    look(page, "runs", sizes=WITH_ZOOM)
    visit("runs", f"?first={first.pk}&second={second.pk}")
    look(page, "runs-compared", sizes=WITH_ZOOM)
    visit("datasheet")
    look(page, "datasheet", sizes=WITH_ZOOM)
    assert complaints == []
