"""Comparisons shown to a judge again: agreement with oneself, and what the methods text says."""

import dataclasses

import pytest

from metrics_app.loaders.comparison_files import read_comparisons
from metrics_app.loaders.comparisons import Comparison, with_repeats
from metrics_app.reports.page.page import report_page
from metrics_app.reports.provenance import data_hash
from metrics_app.reports.self_agreement import self_agreement_rows
from tests.metrics_app.reports.evaluations import evaluation_of, grid
from tests.metrics_app.reports.reports import FEW, built
from tests.metrics_app.reports.test_preference import PAIRS, SETS, compared, evaluation

AGAIN = compared([("J1", "i1", "xy", "B>A"), ("J1", "i2", "yx", "A>B"), ("J2", "i2", "yx", "A=B")])


def exact(*comparisons, group="crowd"):
    rows = self_agreement_rows(evaluation(*comparisons), FEW)
    return {
        row.judge: row
        for row in rows
        if row.statistic == "percent_agreement" and row.group == group
    }


def test_first_and_second_choices_agree_as_counted_by_hand():
    rows = exact(*with_repeats(PAIRS, AGAIN))

    assert {judge: row.value for judge, row in rows.items()} == {
        "": pytest.approx(2 / 3), "J1": 0.5, "J2": 1.0,
    }  # fmt: skip
    assert (rows[""].n_units, rows[""].n_judges) == (3, 2)


def test_a_set_is_chosen_alike_only_where_best_and_worst_are():
    again = compared([("J1", "i1", "xyz", "A>B"), ("J2", "i1", "xyz", "A>B")], dimension="charm")

    rows = exact(*with_repeats(SETS, again))

    assert {judge: row.value for judge, row in rows.items()} == {"": 0.5, "J1": 0.0, "J2": 1.0}


def test_an_answer_that_is_missing_once_is_no_disagreement():
    again = compared([("J1", "i3", "xy", "A>B"), ("J1", "i1", "xy", "A>B")])

    rows = exact(*with_repeats(PAIRS, again))

    assert rows["J1"].value == 1.0


def test_only_the_first_repeat_of_a_first_answer_counts():
    again = compared(
        [("J1", "i1", "xy", "B>A"), ("J1", "i1", "xy", "A>B"), ("J9", "i1", "xy", "A>B")]
    )

    told = [row.again for row in with_repeats(PAIRS, again)]

    assert told == ["B>A", None, None, None, None]


def test_nothing_shown_again_gives_no_rows_and_the_hash_tells_what_was():
    assert exact(*PAIRS) == {}
    assert data_hash(evaluation(*PAIRS)) != data_hash(evaluation(*with_repeats(PAIRS, AGAIN)))


def test_a_file_tells_repeats_by_their_columns(tmp_path):
    path = tmp_path / "choices.csv"
    path.write_text(
        "dimension,item_id,judge,system_a,system_b,choice,valid,repeat_of,submitted_at,excluded_by\n"
        "d,i1,J1,x,y,A>B,true,,2026-01-01T00:00:00Z,\n"
        "d,i1,J1,x,y,B>A,false,1,2026-01-02T00:00:00Z,\n"
        "d,i2,J1,x,y,A>B,true,,2026-01-01T00:00:00Z,\n"
        "d,i2,J1,x,y,B>A,false,2,,\n",
        encoding="utf-8",
    )

    rows, n_not_valid = read_comparisons(path, ungrouped="judges")

    assert n_not_valid == 2
    assert rows == (
        Comparison("d", "judges", "J1", "i1", "", ("x", "y"), "A>B", "B>A"),
        Comparison("d", "judges", "J1", "i2", "", ("x", "y"), "A>B"),
    )


def test_the_methods_text_of_comparisons_alone_says_how_they_were_made_and_analysed():
    text = report_page(built(evaluation(*PAIRS, *SETS)).as_json()).methods_text

    assert text.startswith("We evaluated 3 systems on ")
    assert (
        "2 judges compared outputs of an item with each other, 8 times in all: pairs of outputs "
        "(preference) and sets of outputs, for the best and the worst (charm). "
    ) in text
    assert "in the model of Bradley and Terry by maximum likelihood" in text
    assert "Choices agreed with α = " in text
    assert "Each output was rated" not in text


def test_beside_ratings_the_methods_text_says_both_and_nothing_of_comparisons_without_any():
    rated = evaluation_of(grid(2, 6, 2, lambda judge, i, s: 1 + (judge + i + 2 * s) % 5))

    alone = report_page(built(rated).as_json()).methods_text
    both = report_page(built(dataclasses.replace(rated, comparisons=PAIRS)).as_json()).methods_text

    assert "Bradley" not in alone
    assert "2 judges also compared outputs" in both
    assert "Each output was rated by " in both
