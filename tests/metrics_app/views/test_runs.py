"""All reports of a study, and what exclusion changes."""

import pytest
from django.urls import reverse

from annotation.models import Judge
from annotation.selectors import doors
from metrics_app.models import Analysis
from metrics_app.reports.options import ReportOptions
from metrics_app.services.analyses import request_analysis
from metrics_app.tasks import run_analysis_task
from tests.factories import NOON, StudyMemberFactory, UserFactory
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_files(monkeypatch):
    # Drawing takes seconds, and these pages show no chart.
    monkeypatch.setattr("metrics_app.services.analyses.WRITERS", ())


def _run(study, *, name="", **options):
    analysis = request_analysis(
        doors.study_named(study.slug),
        at=NOON,
        name=name,
        options=ReportOptions(seed=3, n_resamples=20, **options),
    )
    run_analysis_task(analysis.job_id)
    return Analysis.objects.get(pk=analysis.pk)


@pytest.fixture
def reader(client):
    def sign_in(study, role="researcher"):
        client.force_login(StudyMemberFactory(study=study, role=role).user)
        return client

    return sign_in


def _with_one_excluded():
    study = rated_study(n_items=1)
    judge = Judge.objects.filter(group__key="crowd").last()
    judge.excluded_at, judge.excluded_by = NOON, "failed the checks"
    judge.save()
    return study


def test_with_and_without_exclusion_stand_beside_each_other(reader):
    study = _with_one_excluded()
    without, with_excluded = _run(study), _run(study, name="With excluded", with_excluded=True)

    url = reverse("metrics_app:runs", args=[study.slug])
    page = reader(study).get(url, {"first": without.pk, "second": with_excluded.pk})

    assert without.result["overview"]["n_judges"] == {"expert": 2, "crowd": 2}
    assert with_excluded.result["overview"]["n_judges"] == {"expert": 2, "crowd": 3}
    assert page.context["compared"].provenance[0][0] == "data_hash"
    assert "Means" in {line.list_name for line in page.context["lines"]}
    assert "numbers differ" in page.content.decode()


def test_a_judge_who_withdrew_stays_out():
    study = rated_study(n_items=4)
    Judge.objects.filter(group__key="crowd").update(withdrawn_at=NOON)

    assert _run(study, with_excluded=True).result["overview"]["n_judges"] == {"expert": 2}


def test_a_named_analysis_does_not_take_the_place_of_the_report(reader):
    study = _with_one_excluded()
    plain = _run(study)
    _run(study, name="With excluded", with_excluded=True)

    page = reader(study).get(reverse("metrics_app:report", args=[study.slug]))

    assert page.context["analysis"] == plain


def test_excluded_judges_are_counted_when_the_button_says_so(
    reader, django_capture_on_commit_callbacks
):
    study = _with_one_excluded()
    url = reverse("metrics_app:request_report", args=[study.slug])

    with django_capture_on_commit_callbacks(execute=True):
        reader(study).post(url, {"with_excluded": "on"})

    analysis = Analysis.objects.get()
    assert (analysis.name, analysis.parameters["with_excluded"]) == ("With excluded judges", True)
    assert analysis.result["overview"]["n_judges"] == {"expert": 2, "crowd": 3}


def test_a_report_is_not_compared_with_itself(reader):
    study = rated_study(n_items=1)
    first, _ = _run(study), _run(study)

    url = reverse("metrics_app:runs", args=[study.slug])
    page = reader(study).get(url, {"first": first.pk, "second": first.pk}).content.decode()

    assert "Choose two different reports." in page


def test_a_report_of_another_study_cannot_be_chosen(reader):
    study, other = rated_study(n_items=1), rated_study(n_items=1)
    first, _, foreign = _run(study), _run(study), _run(other)

    url = reverse("metrics_app:runs", args=[study.slug])
    page = reader(study).get(url, {"first": first.pk, "second": foreign.pk})

    assert "compared" not in page.context


def test_monitors_and_strangers_find_no_reports(client):
    study = rated_study(n_items=1)
    url = reverse("metrics_app:runs", args=[study.slug])

    for user in (StudyMemberFactory(study=study, role="monitor").user, UserFactory()):
        client.force_login(user)
        assert client.get(url).status_code == 404
    client.logout()
    assert client.get(url).status_code == 302


@pytest.mark.parametrize("n_runs", [1, 3])
def test_list_needs_the_same_queries_for_any_number(reader, django_assert_num_queries, n_runs):
    study = rated_study(n_items=1)
    for _ in range(n_runs):
        _run(study)
    client = reader(study)

    with django_assert_num_queries(6):  # session, user, study, role; blinding; reports
        client.get(reverse("metrics_app:runs", args=[study.slug]))
