"""Parts of the page that are plain tables."""

from datetime import UTC, datetime

import pytest

from metrics_app.reports.building import build_report
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.page.blocks import Cell, PlainTable, bounds, value
from metrics_app.reports.page.page import report_page
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import evaluation_of, grid


def _page(evaluation, **chosen):
    noon = datetime(2026, 5, 4, 12, tzinfo=UTC)
    report = build_report(evaluation, ReportOptions(seed=1, n_resamples=20), generated_at=noon)
    return {block.anchor: block for block in report_page(report.as_json(), **chosen).blocks}


@pytest.fixture(scope="module")
def blocks():
    ratings = grid(3, 10, 2, lambda judge, i, s: 1 + (judge + i + 2 * s) % 5)
    experts = [("e1", "i0", "s0", 1), ("e1", "i1", "s0", 3)]
    return _page(evaluation_of([*ratings, *experts], sides=True), group="crowd")


def test_head_to_head_counts_wins_in_both_directions(blocks):
    (table,) = blocks["head-to-head"].tables

    assert [name for name, _ in table.rows] == list(table.header[1:])
    texts = [[cell.text for cell in cells] for _, cells in table.rows]
    wins = int(texts[0][1].rstrip("*"))
    assert texts[0][0] == texts[1][1] == ""
    assert wins + int(texts[1][0].rstrip("*")) == 100


def test_models_say_what_they_hold_against_what(blocks):
    titles = [table.caption for table in blocks["models"].tables]

    assert titles == [
        "Repeated-measures analysis of variance, systems",
        "Linear mixed model, n = 62 ratings",
        "Ordinal regression (log odds), n = 62 ratings",
    ]
    assert "System s1 against s0" in [name for name, _ in blocks["models"].tables[1].rows]
    assert blocks["models"].finding.startswith("Systems on fluency: F(1, 9) = ")


def test_judges_are_crossed_two_by_two(blocks):
    (table,) = blocks["judge-pairs"].tables

    assert table.header == ("Judge", "w0", "w1", "w2")
    assert [[cell.text for cell in cells] for _, cells in table.rows] == [
        ["", "0", "0"], ["0", "", "0"], ["0", "0", ""],
    ]  # fmt: skip


def test_points_of_experts_are_crossed_with_those_of_the_crowd(blocks):
    (table,) = blocks["confusion"].tables

    # The crowd gave 1, 2, 3 where the expert gave 1, and 2, 3, 4 where the expert gave 3.
    assert dict(table.rows)["1"][0].text == "33"
    assert [cell.text for cell in dict(table.rows)["3"]] == ["0", "33", "33", "33", "0"]
    assert "give the same point 33 times in 100" in blocks["confusion"].finding


def test_facts_show_percentages_by_rule():
    answers = [
        ("w1", "i1", "a", 2, "presence", "f1"), ("w2", "i1", "a", 1, "presence", "f1"),
        ("w1", "i2", "a", 2, "presence", "f1"), ("w2", "i2", "a", 2, "presence", "f1"),
    ]  # fmt: skip

    block = _page(evaluation_of(answers, scale=Scale.named(["Absent", "Present"])))["facts"]

    present = next(table for table in block.tables if table.caption.endswith("Present"))
    name, cells = present.rows[0]
    assert name == "All outputs"
    assert [cell.text for cell in cells[::2]] == ["100.0", "50.0", "50.0", "75.0"]


def test_a_heading_has_the_style_of_what_stands_below_it():
    table = PlainTable("t", ("Name", "Value", "Interval"), (("a", (value(1.0), bounds((0, 2)))),))

    assert table.columns == (("Name", ""), ("Value", "num"), ("Interval", "ci"))
    assert PlainTable("t", ("Name", "Value"), ()).columns == (("Name", ""), ("Value", "num"))


def test_only_dashes_are_explained_below_a_table():
    told = Cell("82*", "num heat", "p = 0.002")
    table = PlainTable("t", ("A", "B", "C"), (("a", (told, value(None, "too_few_systems"))),))

    (reason,) = table.reasons

    assert "p = 0.002" not in reason


def test_head_to_head_says_how_many_pairs_differ_clearly(blocks):
    block = blocks["head-to-head"]
    assert "pairs of systems differ clearly. Best system first." in block.finding
    told = [cell.reason for _, cells in block.tables[0].rows for cell in cells if cell.reason]
    assert told
    assert not any("= <" in reason for reason in told)
