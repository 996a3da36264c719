"""Straight-lining and haste, worked by hand."""

import math

import numpy as np
import pytest

from metrics_app.stats.conduct import (
    Pace,
    Straightness,
    flat_shares,
    flat_shares_of_columns,
    paces,
    straight_lining,
)
from metrics_app.stats.lines.judging import HANDLERS


def test_runs_follow_the_order_of_answers_and_pass_over_missing_ones():
    found = straight_lining({"a": [3, 3, None, 3, 1, 3], "b": [1, 2, 1], "c": [None]})

    assert found["a"] == Straightness(n=5, longest_run=3, modal_value=3, modal_share=0.8)
    assert found["b"] == Straightness(n=3, longest_run=1, modal_value=1, modal_share=2 / 3)
    assert (found["c"].n, found["c"].longest_run) == (0, 0)
    assert math.isnan(found["c"].modal_share)


def test_a_flat_unit_has_one_value_in_every_dimension():
    rows = [
        *[("a", 1, "x", 3), ("a", 1, "y", 3)],
        *[("a", 2, "x", 3), ("a", 2, "y", 4)],
        *[("a", 3, "x", 3), ("a", 3, "y", None)],
        ("b", 1, "x", 3),
    ]
    found = flat_shares(rows)
    assert found["a"] == 0.5
    assert math.isnan(found["b"])


def test_a_dimension_rated_twice_is_named():
    with pytest.raises(ValueError, match="judge 'a' rated 'x' of unit 1 twice"):
        flat_shares([("a", 1, "x", 3), ("a", 1, "x", 4)])


def test_a_hasty_judge_is_found_and_a_usual_one_is_not():
    seconds = {f"j{n}": [20.0 + n, 21 + n, 22 + n] for n in range(6)} | {"fast": [2, 2, None]}
    found = paces(seconds)

    assert [judge for judge, pace in found.items() if pace.is_fast] == ["fast"]
    assert not any(pace.is_slow for pace in found.values())
    # Medians 2, 21 ... 26: log of the median judge is log 23.
    deviations = sorted(abs(math.log(m / 23)) for m in (2, 21, 22, 23, 24, 25, 26))
    expected = math.log(2 / 23) / (1.4826 * deviations[3])
    assert found["fast"].z == pytest.approx(expected)
    assert found["fast"].n == 2


@pytest.mark.parametrize("seconds", [{"a": [1], "b": [9]}, {"a": [5], "b": [5], "c": [60]}, {}])
def test_without_a_spread_nobody_is_an_outlier(seconds):
    assert not any(pace.is_fast or pace.is_slow for pace in paces(seconds).values())


def test_a_judge_without_times_has_no_pace():
    found = paces({"a": [], "b": [1], "c": [2], "d": [4]})["a"]
    assert found.n == 0
    assert math.isnan(found.z)
    assert not found.is_fast


@pytest.mark.parametrize("time", [0, -1, math.inf, math.nan])
def test_impossible_times_are_refused(time):
    with pytest.raises(ValueError, match="judge 'a' has a time that is not above 0"):
        paces({"a": [time]})


def test_lines():
    lined = HANDLERS["straight_lining"]({}, {"answers": {"a": [1, 1]}})["value"]["a"]
    assert lined.longest_run == 2
    paced = HANDLERS["paces"]({}, {"seconds": {"a": [1.0]}})["value"]["a"]
    assert isinstance(paced, Pace)


def test_flat_shares_of_columns_are_those_of_rows():
    rows = [
        (0, 0, "x", 3.0), (0, 0, "y", 3.0), (0, 1, "x", 3.0), (0, 1, "y", 4.0),
        (1, 0, "x", 2.0), (1, 0, "y", None), (2, 1, "x", 5.0), (2, 1, "y", 5.0),
    ]  # fmt: skip
    judge, unit = (np.array([row[place] for row in rows]) for place in (0, 1))
    value = np.array([np.nan if row[3] is None else row[3] for row in rows])

    found = flat_shares_of_columns(judge, unit, value, 3)

    np.testing.assert_equal(found, list(flat_shares(rows).values()))
    np.testing.assert_equal(found, [0.5, np.nan, 1.0])
