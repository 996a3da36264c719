"""Agreement over time: equal parts in the order of completion."""

import dataclasses

import numpy as np
import pytest

from metrics_app.reports.over_time import completion, over_time_rows
from metrics_app.stats.agreement import krippendorff_alpha
from tests.metrics_app.reports.evaluations import evaluation_of, grid
from tests.metrics_app.reports.reports import FEW

DAY = 86_400


def timed(n_items, value, at):
    """Return two judges' ratings of one system, handed in when a function of the row says.

    Rows are counted as `grid` gives them: all of the first judge, then all of the second.
    """
    evaluation = evaluation_of(grid(2, n_items, 1, value))
    rated = evaluation.judgements
    who = zip(rated.judge.names(), rated.item.names(), strict=True)
    rows = [int(judge[1:]) * n_items + int(item[1:]) for judge, item in who]
    moments = np.array([at(row) for row in rows], dtype=np.float64)
    return dataclasses.replace(evaluation, judgements=dataclasses.replace(rated, at=moments))


def _drifting(judge, item, _system):
    """Agree on the first forty items, and never later."""
    return 1 + (item + (judge if item >= 40 else 0)) % 5


def test_a_unit_is_complete_with_its_last_rating():
    evaluation = timed(3, lambda *_: 3, lambda row: [10, 20, 30, 35, 15, 12][row])

    found = completion(evaluation.judgements, evaluation.rating_table("fluency"))

    assert found.tolist() == [35, 20, 30]


def test_alpha_falls_where_judges_drift_apart():
    evaluation = timed(80, _drifting, lambda row: (row % 80) * DAY)

    rows = [row for row in over_time_rows(evaluation, FEW) if row.statistic == "krippendorff_alpha"]

    assert [(row.part, row.n_parts, row.n_units) for row in rows] == [
        (1, 4, 20), (2, 4, 20), (3, 4, 20), (4, 4, 20),
    ]  # fmt: skip
    assert [row.value for row in rows[:2]] == [1, 1]
    table = evaluation.rating_table("fluency")
    last = table.select_units(np.array([int(item[1:]) >= 60 for item in table.item]))
    assert rows[3].value == krippendorff_alpha(last, measurement="ordinal").value < 0.9
    assert rows[3].first_at == "1970-03-02T00:00:00+00:00"
    assert rows[1].last_at == "1970-02-09T00:00:00+00:00"


def test_exact_agreement_stands_beside_alpha():
    rows = list(over_time_rows(timed(80, _drifting, lambda row: (row % 80) * DAY), FEW))

    exact = [row.value for row in rows if row.statistic == "percent_agreement"]
    assert exact == [1, 1, 0, 0]


def test_the_same_seed_gives_the_same_intervals():
    evaluation = timed(80, _drifting, lambda row: (row % 80) * DAY)

    assert list(over_time_rows(evaluation, FEW)) == list(over_time_rows(evaluation, FEW))


def test_too_few_units_for_two_parts_are_one_undefined_row():
    (row,) = over_time_rows(timed(39, _drifting, lambda row: row), FEW)

    assert (row.undefined, row.value, row.n_units, row.n_parts) == ("too_few_units", None, 39, 1)


@pytest.mark.parametrize("moment", [np.nan, 7.0])
def test_moments_that_are_unknown_or_all_the_same_have_no_rows(moment):
    assert list(over_time_rows(timed(80, _drifting, lambda _: moment), FEW)) == []
