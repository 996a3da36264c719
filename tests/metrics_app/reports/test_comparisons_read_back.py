"""Comparisons out of one study and into another: the report says the same."""

import pytest

from annotation.models import Assignment, Rating
from annotation.services.exports import write_export
from annotation.services.loading import Source, load_file
from metrics_app.loaders.studies import source_of_study
from metrics_app.reports.building import build_report
from metrics_app.reports.options import ReportOptions
from tests.annotation.comparing_studies import choose, empty_copy, make_study
from tests.factories import NOON, JudgeFactory

pytestmark = pytest.mark.django_db
CHAPTERS = ("strengths", "wins", "choice_agreement", "self_agreement")


def report_of(study):
    source = source_of_study(_row(study))
    report = build_report(
        source.evaluation, ReportOptions(seed=3, n_resamples=50), generated_at=NOON
    )
    return report.as_json()


def _row(study):
    from annotation.selectors import doors

    return doors.study_named(study.slug)


def show_again(place, choice):
    again = Assignment.objects.create(
        unit=place.unit, group=place.group, judge=place.judge, repeat_of=place, position=99,
        submitted_at=NOON,
    )  # fmt: skip
    dimension = place.ratings.get().dimension
    Rating.objects.create(assignment=again, dimension=dimension, text=choice, rated_at=NOON)


def test_comparisons_read_back_give_the_same_strengths_wins_and_agreement(tmp_path):
    group = make_study(n_items=4, n_systems=3, k=3)
    judges = [JudgeFactory(study=group.study, group=group) for _ in range(3)]
    answers = ["A>B", "A>B", "B>A", "A=B", "A>B", "", "B>A", "A>B", "B>A"]
    for at, judge in enumerate(judges):
        first, *_ = choose(judge, *answers[at:], *answers[:at])
        show_again(first, "A=B" if at else "A>B")
    copy = empty_copy(group.study)
    path = tmp_path / "comparisons.csv"

    write_export(group.study, "comparisons", path)
    load_file(copy, Source(path, "comparisons"), at=NOON)

    before, after = report_of(group.study), report_of(copy)
    assert before["strengths"]
    assert before["wins"]
    assert before["choice_agreement"]
    exact = [r for r in before["self_agreement"] if r["statistic"] == "percent_agreement"]
    assert next((row["judge"], row["n_units"]) for row in exact) == ("", 3)
    assert {name: after[name] for name in CHAPTERS} == {name: before[name] for name in CHAPTERS}
