"""The grid of experts' against the crowd's answers."""

from metrics_app.reports.confusion import confusion_rows
from metrics_app.reports.options import ReportOptions
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import evaluation_of

ASKED = ReportOptions(seed=1)
RATINGS = [
    ("e1", "i1", "a", 1), ("w1", "i1", "a", 1), ("w2", "i1", "a", 2),
    ("e1", "i2", "a", 2), ("w1", "i2", "a", 2), ("w2", "i2", "a", 2),
    ("e1", "i3", "a", 2),
]  # fmt: skip
TWO = Scale.points([1, 2])


def test_every_output_weighs_one_however_many_judges_it_has():
    rows = list(confusion_rows(evaluation_of(RATINGS, scale=TWO, sides=True), ASKED))

    assert {row.points: row.share for row in rows} == {
        (1, 1): 0.25, (1, 2): 0.25, (2, 1): 0.0, (2, 2): 0.5,
    }  # fmt: skip
    assert {row.points: row.share_of_first for row in rows} == {
        (1, 1): 0.5, (1, 2): 0.5, (2, 1): 0.0, (2, 2): 1.0,
    }  # fmt: skip
    assert {(row.groups, row.n_outputs) for row in rows} == {(("expert", "crowd"), 2)}


def test_without_both_sides_or_shared_outputs_there_is_no_grid():
    alone = [row for row in RATINGS if row[0] == "e1"] + [("w1", "i9", "a", 1)]

    assert list(confusion_rows(evaluation_of(RATINGS, scale=TWO), ASKED)) == []
    assert list(confusion_rows(evaluation_of(alone, scale=TWO, sides=True), ASKED)) == []


def test_a_range_has_no_points_to_cross():
    evaluation = evaluation_of(RATINGS, scale=Scale.range(0, 10), sides=True)

    assert list(confusion_rows(evaluation, ASKED)) == []
