"""Analyses: stored, run once, stale when ratings come later, the same as the command's."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command

from annotation.models import Assignment, Judge, Rating, RatingEvent
from annotation.selectors import doors
from jobs.models import JobState
from metrics_app.loaders.analyses import latest_request, latest_result, staleness
from metrics_app.loaders.studies import source_of_study
from metrics_app.models import Analysis
from metrics_app.reports.options import ReportOptions
from metrics_app.services.analyses import cancel_analysis, request_analysis
from metrics_app.tasks import run_analysis_task
from tests.factories import NOON, AssignmentFactory, StudyFactory
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
        "preset": "",
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


def _shown_again(study):
    """Let a crowd judge of the study say the same of one output again; return the judge."""
    work = Assignment.objects.filter(unit__study=study, judge__group__key="crowd").first()
    again = AssignmentFactory(
        unit=work.unit, judge=work.judge, slot=None, repeat_of=work, submitted_at=NOON
    )
    for first in work.ratings.all():
        Rating.objects.create(
            assignment=again, dimension=first.dimension, value=first.value, rated_at=NOON
        )
    return work.judge


def test_what_was_shown_again_serves_agreement_with_oneself_alone():
    study = rated_study()
    before = _done(study).result
    _shown_again(study)

    result = _done(study).result

    found = [row for row in result["self_agreement"] if row["statistic"] == "percent_agreement"]
    assert {(row["group"], row["value"], row["n_units"]) for row in found} == {
        ("crowd", 1.0, 1), ("all", 1.0, 1),
    }  # fmt: skip
    assert result["means"] == before["means"]
    assert result["data_hash"] != before["data_hash"]


def test_repeats_of_an_excluded_judge_are_left_out_unless_asked_for():
    study = rated_study()
    judge = _shown_again(study)
    Judge.objects.filter(pk=judge.pk).update(excluded_at=NOON, excluded_by="failed the checks")

    assert _done(study).result["self_agreement"] == []
    source = source_of_study(doors.study_named(study.slug), with_excluded=True)
    assert len(source.evaluation.repeats) == 2


def test_moments_of_a_study_tell_agreement_over_time():
    study = rated_study(n_items=20)
    works = Assignment.objects.filter(unit__study=study).order_by("pk")
    for place, work in enumerate(works):
        Assignment.objects.filter(pk=work.pk).update(submitted_at=NOON + timedelta(hours=place))

    rows = _done(study).result["agreement_over_time"]

    assert {(row["part"], row["n_parts"]) for row in rows} == {(1, 2), (2, 2)}
    assert rows[0]["first_at"] < rows[0]["last_at"] < rows[-1]["last_at"]


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


def test_numbers_are_there_before_the_files_and_stay_where_these_are_cancelled(monkeypatch):
    analysis = _requested(rated_study())
    seen = []

    def cancel_and_draw(report, _preset):
        stored = Analysis.objects.get()
        seen.append((stored.result == report.as_json(), stored.files.count()))
        cancel_analysis(analysis, at=NOON)
        return {"report.json": b"{}"}

    monkeypatch.setattr("metrics_app.services.analyses._files", cancel_and_draw)
    run_analysis_task(analysis.job_id)

    assert seen == [(True, 0)]
    stored = Analysis.objects.get()
    assert stored.result["means"]
    assert stored.files.count() == 0
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


def test_the_job_names_the_blocks_that_failed(monkeypatch):
    def refuses(*_):
        raise ZeroDivisionError("float division by zero")

    monkeypatch.setattr("metrics_app.reports.building.mean_rows", refuses)

    analysis = _done(rated_study())

    assert (analysis.job.state, analysis.job.result) == (
        JobState.DONE, {"failed_blocks": ["Means"]},
    )  # fmt: skip
    assert analysis.result["findings"][0]["kind"] == "block_failed"
    assert analysis.result["agreement"]
