"""Outputs on which judges differ most."""

import pytest

from metrics_app.reports.disputes import MOST_LISTED, dispute_rows
from metrics_app.reports.options import ReportOptions
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import evaluation_of, grid

ASKED = ReportOptions(seed=1)
RATINGS = [
    ("w1", "i1", "a", 4), ("w2", "i1", "a", 4), ("w3", "i1", "a", 4),
    ("w1", "i2", "a", 1), ("w2", "i2", "a", 2), ("w3", "i2", "a", 3),
    ("w1", "i2", "b", 1), ("w2", "i2", "b", 5), ("w3", "i2", "b", 5),
]  # fmt: skip


def test_the_most_disputed_output_comes_first_and_the_undisputed_does_not_come():
    rows = list(dispute_rows(evaluation_of(RATINGS), ASKED))

    assert [(row.place, row.item, row.system) for row in rows] == [(1, "i2", "b"), (2, "i2", "a")]
    assert [row.disagreement for row in rows] == [pytest.approx((16 / 3) ** 0.5), 1.0]
    assert rows[0].ratings == {"w1": 1.0, "w2": 5.0, "w3": 5.0}
    assert (rows[0].n_disputed, rows[0].n_outputs, rows[0].n_ratings) == (2, 3, 3)


def test_labels_are_disputed_by_unequal_pairs_of_judges():
    rows = list(dispute_rows(evaluation_of(RATINGS, scale=Scale.named("vwxyz")), ASKED))

    assert [(row.system, row.disagreement) for row in rows] == [
        ("a", 1.0),
        ("b", pytest.approx(2 / 3)),
    ]
    assert {(row.measure, row.mean) for row in rows} == {("unequal_pairs", None)}


def test_a_long_list_is_cut_and_counted():
    many = grid(2, 80, 1, lambda judge, *_: 1 + judge)

    rows = list(dispute_rows(evaluation_of(many), ASKED))

    assert len(rows) == MOST_LISTED
    assert {row.n_disputed for row in rows} == {80}


def test_equal_ratings_that_round_are_no_dispute():
    alike = grid(3, 4, 1, lambda *_: 0.1)

    assert list(dispute_rows(evaluation_of(alike, scale=Scale.range(0, 1)), ASKED)) == []
