"""The report page: who sees it, what it says, and that it follows the work behind it."""

import csv
import html
import io
import json
import re

import pytest
from django.urls import reverse

from annotation.models import Rating, RatingEvent
from annotation.selectors import doors
from jobs.models import Job, JobState
from metrics_app.models import Analysis
from metrics_app.reports.charts.words import FIGURES
from metrics_app.reports.options import ReportOptions
from metrics_app.services.analyses import request_analysis
from metrics_app.tasks import run_analysis_task
from tests.factories import NOON, StudyFactory, StudyMemberFactory, UserFactory
from tests.metrics_app.factories import rated_study, with_scores

pytestmark = pytest.mark.django_db
FEW = ReportOptions(seed=3, n_resamples=20)


def _run(study):
    analysis = request_analysis(doors.study_named(study.slug), at=NOON, options=FEW)
    run_analysis_task(analysis.job_id)
    return Analysis.objects.get(pk=analysis.pk)


@pytest.fixture
def reader(client):
    """Return a function that signs in a member of a study."""

    def sign_in(study, role="researcher"):
        client.force_login(StudyMemberFactory(study=study, role=role).user)
        return client

    return sign_in


def _url(name, study, *args):
    return reverse(f"metrics_app:{name}", args=[study.slug, *args])


def test_page_says_which_system_is_best(reader):
    study = rated_study(n_items=12)
    _run(study)

    page = reader(study).get(_url("report", study)).content.decode()

    assert "On overall, as the expert see it, Alpha is the best of 2 systems" in page
    assert "its mean is 3.50" in page
    assert "and every other system is clearly behind." in page


def test_dimension_and_group_are_chosen_by_the_address(reader):
    study = rated_study(n_items=12)
    _run(study)

    page = reader(study).get(_url("report", study), {"dimension": "fluency", "group": "crowd"})

    assert "On fluency, as the crowd see it, Alpha" in page.content.decode()


def test_page_without_a_report_says_how_to_get_one(reader):
    study = rated_study(n_items=1)

    page = reader(study).get(_url("report", study)).content.decode()

    assert "No report yet" in page
    assert f'action="{_url("request_report", study)}"' in page


def test_a_request_is_queued_run_and_shown(reader, django_capture_on_commit_callbacks):
    study = rated_study(n_items=1)
    client = reader(study)

    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(_url("request_report", study))

    assert response.url == _url("report", study)
    assert Job.objects.get().state == JobState.DONE
    assert "Overview" in client.get(response.url).content.decode()


def test_metrics_to_predict_from_are_asked_for_on_the_page(reader):
    study = rated_study(n_items=2)
    with_scores(study, "bleu", "length")
    analysis = _run(study)
    client = reader(study)

    page = client.get(_url("report", study)).content.decode()
    client.post(_url("request_report", study), {"predictors": ["length", "bleu"]})

    assert '<input type="checkbox" name="predictors" value="bleu"' in page
    asked = Analysis.objects.exclude(pk=analysis.pk).get()
    assert asked.parameters["predictors"] == ["length", "bleu"]
    run_analysis_task(asked.job_id)
    page = client.get(_url("report", study))
    assert page.context["chosen"]["predictors"] == ["length", "bleu"]
    assert 'value="bleu" checked' in page.content.decode()
    assert "People predicted from metrics" in page.content.decode()


def test_a_metric_that_the_study_has_not_is_refused_by_name(reader):
    study = rated_study(n_items=1)
    client = reader(study)

    response = client.post(_url("request_report", study), {"predictors": ["bleu"]}, follow=True)

    assert "This study has no metric bleu." in response.content.decode()
    assert not Analysis.objects.exists()


def test_a_waiting_report_shows_its_progress_and_can_be_cancelled(reader):
    study = rated_study(n_items=1)
    analysis = request_analysis(doors.study_named(study.slug), at=NOON, options=FEW)
    client = reader(study)

    page = client.get(_url("report", study)).content.decode()
    client.post(_url("cancel_report", study, analysis.pk))
    partial = client.get(_url("progress", study, analysis.pk))

    assert f'hx-get="{_url("progress", study, analysis.pk)}?waits=1"' in page
    assert Job.objects.get().state == JobState.CANCELLED
    assert partial["HX-Refresh"] == "true"


def test_the_page_shows_the_numbers_while_files_are_drawn(reader, monkeypatch):
    study = rated_study(n_items=1)
    analysis = request_analysis(doors.study_named(study.slug), at=NOON, options=FEW)
    client, shown = reader(study), {}
    address = _url("progress", study, analysis.pk)
    waiting = client.get(_url("report", study)).content.decode()

    def look_and_draw(_report, _preset):
        shown["page"] = client.get(_url("report", study)).content.decode()
        shown["stored"] = client.get(_url("stored_report", study, analysis.pk)).content.decode()
        shown["partial"] = client.get(address)
        shown["waited"] = client.get(f"{address}?waits=1")
        return {}

    monkeypatch.setattr("metrics_app.services.analyses._files", look_and_draw)
    run_analysis_task(analysis.job_id)

    assert f'hx-get="{address}?waits=1"' in waiting
    for page in (shown["page"], shown["stored"]):
        assert "Overview" in page
        assert f'hx-get="{address}"' in page  # it waits for the end only, not for the numbers
    assert "HX-Refresh" not in shown["partial"]
    assert shown["waited"]["HX-Refresh"] == "true"


def test_a_named_report_does_not_load_the_page_of_the_newest_anew(reader):
    study = rated_study(n_items=1)
    row = doors.study_named(study.slug)
    analysis = request_analysis(row, at=NOON, name="With excluded judges", options=FEW)

    page = reader(study).get(_url("report", study)).content.decode()

    assert f'hx-get="{_url("progress", study, analysis.pk)}"' in page


def test_a_report_that_nobody_computes_says_that_no_worker_runs(reader, monkeypatch):
    study = rated_study(n_items=1)
    analysis = request_analysis(doors.study_named(study.slug), at=NOON, options=FEW)
    Job.objects.update(created_at=NOON)
    monkeypatch.setattr("jobs.selectors.worker_is_alive", lambda: False)

    page = reader(study).get(_url("progress", study, analysis.pk)).content.decode()

    assert "No worker is running" in page


def test_a_failed_report_says_why(reader):
    study = rated_study(n_items=1)
    request_analysis(doors.study_named(study.slug), at=NOON, options=FEW)
    Job.objects.update(state=JobState.FAILED, error="The disk is full.", finished_at=NOON)

    assert "The disk is full." in reader(study).get(_url("report", study)).content.decode()


def test_figures_stand_on_the_page_with_words_downloads_and_rows(reader):
    study = rated_study(n_items=3)
    analysis = _run(study)
    client = reader(study)

    page = client.get(_url("report", study)).content.decode()

    drawn = [name for name in FIGURES if name not in ("correlations", "strengths")]
    assert re.findall(r'<figure class="drawn" id="figure-(\w+)"', page) == drawn
    for name in drawn:
        assert f'aria-label="{html.escape(FIGURES[name].alt_text)}"' in page
        for suffix in ("svg", "pdf", "png", "vl.json"):
            for path in (f"charts/{name}.{suffix}", f"charts/{name}-column.{suffix}"):
                address = _url("report_file", study, analysis.pk, path)
                assert f'href="{address}"' in page
                assert client.get(address).status_code == 200
    assert "generated/vega.js" in page
    rows = client.get(_url("figure_rows", study, analysis.pk, "means")).content.decode()
    assert rows.count("<tr>") == 1 + 2 * 2 * 2
    assert re.search(r"<td ?>Alpha</td>", rows)


@pytest.mark.parametrize("name", ["correlations", "nothing"])
def test_rows_of_a_figure_that_is_not_there_are_not_found(reader, name):
    study = rated_study(n_items=1)
    analysis = _run(study)

    assert reader(study).get(_url("figure_rows", study, analysis.pk, name)).status_code == 404


def test_later_ratings_are_counted_on_the_page(reader):
    study = rated_study(n_items=1)
    _run(study)
    rating = Rating.objects.first()
    for _ in range(2):
        RatingEvent.objects.create(
            study=study, assignment=rating.assignment, dimension=rating.dimension,
            source="key", old=None, new=3, at=NOON,
        )  # fmt: skip

    page = reader(study).get(_url("report", study)).content.decode()

    assert "<strong>2 ratings</strong> were given or changed since this report." in page


def test_page_json_and_file_hold_the_same_numbers(reader):
    study = rated_study(n_items=6)
    analysis = _run(study)
    client = reader(study)

    page = client.get(_url("report", study)).content.decode()
    report = json.loads(client.get(_url("report_json", study, analysis.pk)).content)
    table = client.get(_url("report_file", study, analysis.pk, "tables/means.csv"))

    rows = list(csv.DictReader(io.StringIO(table.content.decode())))
    assert report == analysis.result
    assert [float(row["mean"]) for row in rows] == [row["mean"] for row in report["means"]]
    for row in report["means"]:
        if (row["dimension"], row["group"]) == ("overall", "expert"):
            assert f">{row['mean']:.2f}</td>" in page


def test_tables_can_be_copied_as_latex(reader):
    study = rated_study(n_items=2)
    _run(study)

    latex = reader(study).get(_url("report", study)).context["page"].latex

    assert set(latex) == {"ranking", "means", "agreement", "sides"}
    assert all(r"\begin{longtable}" in text for text in latex.values())
    assert "as judged by expert" in latex["ranking"]


def test_tidy_ratings_are_streamed(reader):
    study = rated_study(n_items=1)

    response = reader(study).get(_url("ratings", study))

    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))
    assert len(rows) == Rating.objects.count()
    assert {row["judge_group"] for row in rows} == {"expert", "crowd"}


def test_charts_are_downloads(reader):
    study = rated_study(n_items=1)
    analysis = _run(study)

    response = reader(study).get(_url("report_file", study, analysis.pk, "charts/means.svg"))

    assert response["Content-Disposition"] == 'attachment; filename="means.svg"'
    assert response.content.startswith(b"<svg")


PAGES = ["report", "ratings"]


@pytest.mark.parametrize("page", PAGES)
def test_a_monitor_and_a_stranger_find_no_report(client, page):
    study = rated_study(n_items=1)
    _run(study)

    for user in (StudyMemberFactory(study=study, role="monitor").user, UserFactory()):
        client.force_login(user)
        assert client.get(_url(page, study)).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_without_signing_in_there_is_no_report(client, page):
    study = StudyFactory()

    response = client.get(_url(page, study))

    assert response.status_code == 302
    assert response.url.startswith("/sign-in/")


def test_a_report_of_another_study_is_not_found(reader):
    study, other = rated_study(n_items=1), rated_study(n_items=1)
    analysis = _run(other)
    client = reader(study)

    for name in ("stored_report", "report_json", "progress"):
        assert client.get(_url(name, study, analysis.pk)).status_code == 404
    assert client.get(_url("figure_rows", study, analysis.pk, "means")).status_code == 404


@pytest.mark.parametrize("n_systems", [1, 3])
def test_page_needs_the_same_queries_for_any_number(reader, django_assert_num_queries, n_systems):
    study = rated_study(n_items=2, systems=[f"s{i}" for i in range(n_systems)])
    _run(study)
    client = reader(study)

    # session, user, study, role, blinding; newest request, newest result; names of systems, texts;
    # two of staleness; files
    with django_assert_num_queries(12):
        client.get(_url("report", study))


def test_report_of_a_study_without_ratings_is_whole(reader):
    study = StudyFactory()
    _run(study)

    page = reader(study).get(_url("report", study)).content.decode()

    assert "There is no valid rating yet" in page
    assert "Downloads" in page
