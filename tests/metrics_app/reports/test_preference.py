"""Comparisons in the report: strengths, wins, ties, and agreement on choices."""

from dataclasses import replace

import numpy as np
import pytest

from metrics_app.loaders.columns import Order, judgements_of
from metrics_app.loaders.comparisons import Comparison
from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.page.page import report_page
from metrics_app.reports.preference import choice_agreement_rows, strength_rows, win_rows
from metrics_app.reports.printed import printed_tables
from metrics_app.reports.provenance import data_hash
from metrics_app.reports.tables import tables
from metrics_app.stats.preference import Wins, bradley_terry
from tests.metrics_app.reports.reports import FEW, built


def compared(rows, *, dimension="preference", group="crowd"):
    """Return comparisons given as (judge, item, systems, choice)."""
    return tuple(
        Comparison(dimension, group, judge, item, "", tuple(systems), choice)
        for judge, item, systems, choice in rows
    )


def evaluation(*comparisons, **given):
    nothing = judgements_of([], Order(dimensions=[], groups=[], systems=[]))
    return Evaluation(
        study="pairs", judgements=nothing, scales={}, comparisons=tuple(comparisons),
        labels={"preference": "Preference", "crowd": "Crowd"}, **given,
    )  # fmt: skip


# x beats y twice, y beats x once, a tie, and one judge who could not tell.
PAIRS = compared(
    [
        ("J1", "i1", "xy", "A>B"),
        ("J2", "i1", "xy", "A>B"),
        ("J1", "i2", "yx", "A>B"),
        ("J2", "i2", "yx", "A=B"),
        ("J1", "i3", "xy", ""),
    ]
)
SETS = compared(
    [("J1", "i1", "xyz", "A>C"), ("J2", "i1", "xyz", "A>B"), ("J1", "i2", "zyx", "A>C")],
    dimension="charm",
)


def test_strengths_are_those_of_the_wins_with_ties_as_halves():
    first, second = strength_rows(evaluation(*PAIRS), FEW)

    fitted = bradley_terry(
        Wins.from_comparisons([("x", "y")] * 2 + [("y", "x")], ties=[("x", "y")])
    )
    assert (first.system, first.rank, second.system, second.rank) == ("x", 1, "y", 2)
    assert first.value == pytest.approx(fitted.strengths["x"])
    assert first.value == pytest.approx(np.log(2.5 / 1.5) / 2)
    assert (first.n_won, first.n_tied, first.n_lost, first.n_comparisons) == (2, 1, 1, 4)
    assert first.share == pytest.approx(2.5 / 4)
    assert first.n_items == 2


def test_best_and_worst_count_as_meetings_of_those_told_apart():
    rows = {row.system: row for row in strength_rows(evaluation(*SETS), FEW)}

    wins = Wins.from_best_worst(
        [("xyz", "x", "z"), ("xyz", "x", "y"), ("zyx", "z", "x")],
    )
    fitted = bradley_terry(wins)
    for system, row in rows.items():
        assert row.value == pytest.approx(fitted.strengths[system])
    assert (rows["x"].n_won, rows["x"].n_lost, rows["x"].n_comparisons) == (4, 2, 3)


def test_wins_are_counted_both_ways_and_ties_apart():
    (row,) = win_rows(evaluation(*PAIRS), FEW)

    assert (row.systems, row.n_first, row.n_second, row.n_tied) == (("x", "y"), 2, 1, 1)
    assert row.share == pytest.approx(2.5 / 4)


def test_agreement_is_nominal_over_pairs_as_they_were_shown():
    rows = {
        (row.scope, row.statistic): row
        for row in choice_agreement_rows(evaluation(*PAIRS, *SETS), FEW)
        if row.dimension == "preference"
    }

    agreed = rows["choice", "percent_agreement"]
    assert agreed.value == pytest.approx(0.5)  # alike on i1, not on i2
    assert (agreed.n_raters, agreed.n_ratings, agreed.n_missing) == (2, 4, 1)
    scopes = {row.scope for row in choice_agreement_rows(evaluation(*SETS), FEW)}
    assert scopes == {"best", "worst"}


def test_a_system_that_always_wins_has_no_strength_and_its_share_is_said():
    always = compared([("J1", f"i{n}", "xy", "A>B") for n in range(3)])

    rows = list(strength_rows(evaluation(*always), FEW))

    assert [(row.system, row.value, row.ci, row.undefined, row.rank) for row in rows] == [
        ("x", None, None, "not_identified", None),
        ("y", None, None, "not_identified", None),
    ]
    assert [row.share for row in rows] == [1.0, 0.0]
    page = report_page(built(evaluation(*always)).as_json())
    assert "strengths cannot be told" in page.blocks[0].finding


def test_each_group_stands_alone_and_people_together_without_models():
    asked = [PAIRS, *(tuple(replace(row, group=g) for row in PAIRS) for g in ("expert", "model"))]
    flat = [row for rows in asked for row in rows]

    rows = list(strength_rows(evaluation(*flat, model_groups=("model",)), FEW))

    n_comparisons = {row.group: row.n_comparisons for row in rows}
    assert n_comparisons == {"crowd": 4, "expert": 4, "model": 4, "all": 8}


def test_only_refusals_to_judge_give_no_strength():
    nobody = compared([("J1", "i1", "xy", "")])

    report = built(evaluation(*nobody))

    assert report.strengths == report.wins == ()
    assert report.overview["n_comparisons"] == 1


def test_a_report_of_comparisons_alone_is_whole():
    report = built(evaluation(*PAIRS, *SETS)).as_json()

    page = report_page(report)

    assert [row["kind"] for row in report["findings"]] == []
    block = page.blocks[0]
    assert block.anchor == "comparisons"
    assert page.words.lede == block.finding
    assert "Preference, crowd: x is preferred most" in block.finding
    assert "1 comparisons were ties" not in block.finding
    assert "1 comparison was a tie" in block.finding
    captions = [table.caption for table in block.tables]
    assert len(captions) == 2 * 3
    matrix = block.tables[1]
    assert [(name, [cell.text for cell in cells]) for name, cells in matrix.rows] == [
        ("x", ["", "62"]),
        ("y", ["38", ""]),
    ]
    assert list(page.figures) == [
        ("Items", "3"),
        ("Systems", "3"),
        ("Outputs", "8"),
        ("Judges comparing", "2"),
        ("Comparisons", "8"),
        ("Left out", "0"),
    ]
    reasons = [reason for table in block.tables for reason in table.reasons]
    assert reasons
    assert all(reason.endswith(".") for reason in reasons)
    named = {table.name for table in printed_tables(report)}
    assert {"comparisons-1", "comparisons-6"} <= named


def test_the_lists_are_tables_to_download():
    names = {table.name for table in tables(built(evaluation(*PAIRS)))}

    assert {"strengths", "wins", "choice_agreement"} <= names


def test_the_same_seed_gives_the_same_numbers_and_other_choices_another_hash():
    one, two = (built(evaluation(*PAIRS)).as_json() for _ in range(2))
    turned = evaluation(*reversed(PAIRS))
    changed = evaluation(replace(PAIRS[0], choice="B>A"), *PAIRS[1:])

    assert one == two
    assert data_hash(turned) == one["data_hash"]
    assert data_hash(changed) != one["data_hash"]


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ((0.2, 1.0), (-1.0, -0.2), "the intervals do not overlap"),
        ((-0.1, 1.0), (-1.0, 0.0), "the intervals overlap, so they do not tell the two apart"),
        (None, (-1.0, 0.0), "without both intervals nothing tells how sure that is"),
    ],
)
def test_the_finding_says_how_sure_it_is_that_the_strongest_is_ahead(first, second, words):
    report = built(evaluation(*PAIRS)).as_json()
    rows = [row for row in report["strengths"] if row["group"] == "crowd"]
    for row, ci in zip(rows, (first, second), strict=True):
        row["ci"] = ci

    finding = report_page(report).blocks[0].finding

    assert "Next is y, −" in finding
    assert words in finding
