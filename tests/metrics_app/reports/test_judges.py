"""Single judges, pairs of judges, and agreement without each of them."""

import math

import pytest

from metrics_app.reports.judges import judge_pair_rows, judge_rows, left_out_rows
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.page.judges import judges_table
from metrics_app.reports.page.reading import Reading
from metrics_app.stats.agreement import krippendorff_alpha
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import evaluation_of

ASKED = ReportOptions(seed=1)
# w1 and w2 agree on both outputs; w3 is a point stricter.
THREE = [
    ("w1", "i1", "a", 4), ("w2", "i1", "a", 4), ("w3", "i1", "a", 3),
    ("w1", "i2", "a", 2), ("w2", "i2", "a", 2), ("w3", "i2", "a", 1),
]  # fmt: skip


def test_a_strict_judge_has_a_severity_above_zero():
    rows = list(judge_rows(evaluation_of(THREE), ASKED))

    assert [(row.judge, row.severity) for row in rows] == [("w1", -0.5), ("w2", -0.5), ("w3", 1.0)]
    assert [(row.n_ratings, row.n_shared) for row in rows] == [(2, 2)] * 3
    assert [row.exact_agreement for row in rows] == [0.5, 0.5, 0.0]
    assert [row.flat_share for row in rows] == [None] * 3  # one dimension tells nothing


def test_answers_alike_on_every_dimension_are_flat():
    both = [(*row, dimension) for row in THREE for dimension in ("fluency", "grammar")]
    both[3] = (*both[3][:3], 5, "grammar")

    rows = list(judge_rows(evaluation_of(both), ASKED))

    assert {row.judge: row.flat_share for row in rows} == {"w1": 1.0, "w2": 0.5, "w3": 1.0}


def test_labels_without_order_have_no_severity_and_say_why():
    rows = list(judge_rows(evaluation_of(THREE, scale=Scale.named("vwxyz")), ASKED))

    assert {row.undefined for row in rows} == {"not_on_this_scale"}
    assert [row.severity for row in rows] == [None] * 3
    assert [row.exact_agreement for row in rows] == [0.5, 0.5, 0.0]


def test_pairs_are_compared_on_the_units_that_both_rated():
    more = [*THREE, ("w1", "i3", "a", 5), ("w2", "i3", "a", 3)]

    rows = {row.judges: row for row in judge_pair_rows(evaluation_of(more), ASKED)}

    assert set(rows) == {("w1", "w2"), ("w1", "w3"), ("w2", "w3")}
    assert rows["w1", "w2"].n_shared == 3
    assert rows["w1", "w2"].exact_agreement == pytest.approx(2 / 3)
    assert rows["w1", "w2"].difference == pytest.approx(2 / 3)
    assert rows["w1", "w3"].difference == 1.0
    # Two points apart in the mean square where chance would have it (1 + 2) / 2 = 3 / 2.
    assert rows["w1", "w3"].kappa == pytest.approx(1 - 1 / 3)


def test_alpha_without_each_judge_is_that_of_the_others():
    evaluation = evaluation_of(THREE)
    table = evaluation.rating_table("fluency")

    rows = list(left_out_rows(evaluation, ASKED))

    for row in rows:
        expected = krippendorff_alpha(table.without_rater(row.judge)).value
        assert row.value == pytest.approx(expected, abs=1e-12)
        change = expected - krippendorff_alpha(table).value
        assert row.change == pytest.approx(change, abs=1e-12)
    assert [(row.n_units, row.n_raters, row.n_ratings) for row in rows] == [(2, 2, 4)] * 3


@pytest.mark.parametrize("scale", [Scale.points(range(1, 6)), Scale.range(0, 10)])
def test_one_of_two_judges_cannot_be_left_out(scale):
    rows = list(left_out_rows(evaluation_of(THREE[:2] + THREE[3:5], scale=scale), ASKED))

    assert [(row.value, row.undefined) for row in rows] == [(None, "too_few_raters")] * 2


def test_a_single_judge_is_described_without_the_others():
    alone = [row for row in THREE if row[0] == "w1"] + [("w1", "i3", "a", math.nan)]
    evaluation = evaluation_of(alone)

    (row,) = judge_rows(evaluation, ASKED)

    assert (row.n_ratings, row.n_shared, row.mean) == (2, 0, 3.0)
    assert (row.severity, row.undefined, row.exact_agreement) == (None, "no_pairs", None)
    assert list(judge_pair_rows(evaluation, ASKED)) == []
    (left,) = left_out_rows(evaluation, ASKED)
    assert (left.value, left.undefined) == (None, "too_few_raters")


def test_the_page_shows_each_judge_once():
    rows = {
        "judges": [
            {
                "dimension": "fluency", "group": group, "judge": judge, "n_ratings": 2, "mean": 3.0,
                "sd": 1.0, "severity": 0.5, "ci": None, "undefined": None, "correlation": None,
                "exact_agreement": 0.5, "modal_share": 0.5,
            }
            for judge, own in (("w1", "crowd"), ("e1", "expert"))
            for group in (own, "all")
        ],
        "overview": {
            "dimensions": ["fluency"], "n_judges": {"expert": 1, "crowd": 1}, "labels": {},
            "sides": {"expert": "expert", "crowd": "crowd"},
            "scales": {"fluency": {"measurement": "ordinal"}},
        },
    }  # fmt: skip

    shown = {
        group: [(line.judge, line.group) for line in judges_table(Reading(rows, "", group)).lines]
        for group in ("expert", "all")
    }

    assert sorted(shown["expert"]) == [("e1", "Expert"), ("w1", "Crowd")]
    assert sorted(shown["all"]) == [("e1", "All judges"), ("w1", "All judges")]
