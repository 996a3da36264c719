"""Analyses: stored, run once, stale when ratings come later, the same as the command's."""

import json

import pytest
from django.core.management import call_command

from annotation.models import Judge, Rating, RatingEvent
from annotation.selectors import doors
from jobs.models import JobState
from metrics_app.loaders.analyses import latest_request, latest_result, staleness
from metrics_app.models import Analysis
from metrics_app.reports.options import ReportOptions
from metrics_app.services.analyses import cancel_analysis, request_analysis
from metrics_app.tasks import run_analysis_task
from tests.factories import NOON, StudyFactory
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db
FEW = ReportOptions(seed=3, n_resamples=20)


def _requested(study):
    return request_analysis(doors.study_named(study.slug), at=NOON, options=FEW)


def _done(study):
    analysis = _requested(study)
    run_analysis_task(analysis.job_id)
    return Analysis.objects.select_related("job").get(pk=analysis.pk)


def test_a_request_waits_with_its_parameters():
    analysis = _requested(rated_study())

    assert (analysis.job.state, analysis.result) == (JobState.QUEUED, None)
    assert analysis.parameters == {
        "seed": 3,
        "n_resamples": 20,
        "takes_time": False,
        "with_excluded": False,
        "predictors": (),
    }
    assert latest_request(analysis.study_id) == analysis
    assert latest_result(analysis.study_id) is None


def test_a_run_stores_the_report_with_where_it_comes_from():
    analysis = _done(rated_study())

    assert analysis.job.state == JobState.DONE
    assert analysis.result["data_hash"] == analysis.data_hash
    assert analysis.result["code_version"] == analysis.code_version
    assert {row["system"] for row in analysis.result["means"]} == {"Alpha", "Beta"}
    assert "charts/means.svg" in analysis.files.values_list("path", flat=True)


def test_analysis_and_command_give_the_same_numbers(tmp_path):
    study = rated_study()
    stored = _done(study).result

    call_command(
        "report", f"--study={study.slug}", f"--out={tmp_path}", "--seed=3", "--resamples=20"
    )
    written = json.loads((tmp_path / "report.json").read_text())

    assert {**written, "generated_at": stored["generated_at"]} == stored


def test_tidy_ratings_of_a_study_read_as_a_file_give_the_same_lists(tmp_path):
    study = rated_study()
    stored = _done(study).result
    call_command("report", f"--study={study.slug}", f"--out={tmp_path / 'one'}")
    call_command(
        "report",
        f"--ratings={tmp_path / 'one' / 'ratings.csv'}",
        f"--out={tmp_path / 'two'}",
        "--scale=1-4",
        "--seed=3",
        "--resamples=20",
    )
    written = json.loads((tmp_path / "two" / "report.json").read_text())

    for name in ("means", "agreement", "comparison", "bias", "ranking", "contrasts"):
        assert written[name] == stored[name]


def test_a_second_run_replaces_nothing_twice():
    analysis = _done(rated_study())
    n_files = analysis.files.count()

    run_analysis_task(analysis.job_id)

    assert analysis.files.count() == n_files
    assert analysis.job.attempt == 1


def test_ratings_that_come_later_make_it_stale():
    study = rated_study()
    analysis = _done(study)
    assert not staleness(analysis).is_stale
    rating = Rating.objects.first()

    for _ in range(3):
        RatingEvent.objects.create(
            study=study, assignment=rating.assignment, dimension=rating.dimension,
            source="key", old=None, new=3, at=NOON,
        )  # fmt: skip

    assert staleness(analysis).n_ratings == 3


def test_ratings_of_an_excluded_judge_are_left_out_and_counted():
    study = rated_study()
    Judge.objects.filter(group__key="crowd").first().delete()
    judge = Judge.objects.filter(group__key="crowd").first()
    judge.excluded_at, judge.excluded_by = NOON, "failed the checks"
    judge.save()

    result = _done(study).result

    assert result["overview"]["n_judges"] == {"expert": 2, "crowd": 1}
    assert [row["text"] for row in result["findings"] if row["kind"] == "left_out"] == [
        "16 ratings are left out: the judge is out (failed the checks)."
    ]


def test_a_study_without_ratings_gets_a_report_that_says_so():
    result = _done(StudyFactory()).result

    assert [row["kind"] for row in result["findings"]] == ["no_ratings"]
    assert result["means"] == []


def test_a_cancelled_request_is_never_run():
    analysis = _requested(rated_study())

    assert cancel_analysis(analysis, at=NOON)
    run_analysis_task(analysis.job_id)

    assert Analysis.objects.get().result is None
    assert latest_request(analysis.study_id).job.state == JobState.CANCELLED


def test_a_run_that_is_cancelled_meanwhile_stores_nothing(monkeypatch):
    analysis = _requested(rated_study())

    def cancel_and_read(study_id):
        cancel_analysis(analysis, at=NOON)
        return doors.watermark(study_id)

    monkeypatch.setattr("metrics_app.services.analyses.watermark", cancel_and_read)
    run_analysis_task(analysis.job_id)

    stored = Analysis.objects.get()
    assert (stored.result, stored.files.count()) == (None, 0)
    assert latest_request(analysis.study_id).job.state == JobState.CANCELLED
