"""Agreement of judges with themselves, and what the page and the datasheet say of it."""

import dataclasses

import pytest

from metrics_app.loaders.columns import Rated, repeats_of
from metrics_app.reports.page.page import report_page
from metrics_app.reports.self_agreement import self_agreement_rows
from metrics_app.stats.agreement import percent_agreement
from metrics_app.stats.repeats import intra_rater_agreement
from tests.metrics_app.reports.evaluations import FIVE, evaluation_of, grid
from tests.metrics_app.reports.reports import FEW, built


def _rated(judge, item, value):
    return Rated("fluency", "crowd", judge, item, "s0", "", "", float(value))


def repeated():
    """Return a study in which w0 says 3 of 4 again as before and w1 both."""
    evaluation = evaluation_of(grid(2, 4, 1, lambda judge, item, _: 1 + (judge + item) % 4))
    firsts = [_rated(f"w{j}", f"i{i}", 1 + (j + i) % 4) for j in range(2) for i in range(4)]
    again = [_rated("w0", f"i{i}", value) for i, value in enumerate((1, 2, 3, 5))]
    again += [_rated("w1", "i0", 2), _rated("w1", "i1", 3)]
    return dataclasses.replace(evaluation, repeats=repeats_of(firsts, again))


def test_rows_are_those_of_the_statistic_together_and_by_judge():
    evaluation = repeated()
    rows = {
        row.judge: row
        for row in self_agreement_rows(evaluation, FEW)
        if row.statistic == "percent_agreement"
    }
    pairs = [(r.judge, r.item, r.first, r.again) for r in evaluation.repeats]

    pooled, each = intra_rater_agreement(pairs, scale=FIVE, coefficient=percent_agreement)

    assert (rows[""].value, rows["w0"].value, rows["w1"].value) == (
        pytest.approx(pooled.value), each["w0"].value, each["w1"].value,
    )  # fmt: skip
    assert (rows["w0"].value, rows["w1"].value) == (0.75, 1)
    assert (rows[""].n_units, rows[""].n_judges) == (6, 2)
    assert rows[""].ci is not None


def test_a_repeat_without_a_first_rating_is_left_out_and_only_the_first_repeat_counts():
    firsts = [_rated("w0", "i0", 2)]
    again = [_rated("w0", "i0", 3), _rated("w0", "i0", 4), _rated("w0", "i1", 5)]

    assert [(r.first, r.again) for r in repeats_of(firsts, again)] == [(2, 3)]


def test_nothing_shown_again_gives_no_rows():
    assert list(self_agreement_rows(evaluation_of(grid(2, 4, 1, lambda *_: 3)), FEW)) == []


def test_the_page_shows_judges_with_themselves_in_the_agreement_part():
    (table,) = report_page(built(repeated()).as_json()).more_agreement

    name, cells = table.rows[0]
    assert name == "Fluency, crowd"
    assert [cells[0].text, cells[4].text, cells[5].text] == ["0.83", "6", "2"]
