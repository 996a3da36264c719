"""Profiles of judges, worked by hand."""

import numpy as np
import pytest
from scipy import stats

from metrics_app.stats.judges import judge_profiles
from metrics_app.stats.lines.judging import HANDLERS
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

NA = np.nan
# Units by judges a, b, c. The last unit has c alone.
RATINGS = [[1, 2, 2], [2, 4, 3], [3, 4, NA], [NA, NA, 4]]
SCALE = Scale.points(range(1, 6))


def profiles(ratings=RATINGS):
    table = RatingTable.from_array(ratings, scale=SCALE, rater_keys=["a", "b", "c"])
    return {found.judge: found for found in judge_profiles(table)}


def test_severity_is_the_distance_to_the_others_on_shared_units():
    a = profiles()["a"]
    gaps = [2 - 1, 3.5 - 2, 4 - 3]
    expected = stats.ttest_1samp(gaps, 0).confidence_interval()

    assert a.severity.value == pytest.approx(np.mean(gaps))
    assert a.severity.ci == pytest.approx((expected.low, expected.high))
    assert (a.n_ratings, a.n_shared) == (3, 3)


def test_agreement_with_the_rest():
    found = profiles()
    # b's value was given by: one of the other two, none of two, none of one.
    assert found["b"].exact_agreement == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert found["b"].mean_distance == pytest.approx((0.5 + 1.5 + 1) / 3)
    expected = stats.pearsonr([2, 4, 4], [1.5, 2.5, 3]).statistic
    assert found["b"].correlation.value == pytest.approx(expected)


def test_spread_and_modal_share():
    found = profiles()
    assert found["c"].spread == pytest.approx(np.std([2, 3, 4], ddof=1))
    assert found["b"].modal_share == pytest.approx(2 / 3)
    assert found["c"].n_shared == 2


def test_a_judge_alone_on_the_units_has_no_severity():
    found = profiles([[1, NA, NA], [NA, 2, NA], [NA, NA, 3]])["a"]
    assert found.severity.undefined == "no_pairs"
    assert found.correlation.undefined
    assert np.isnan(found.exact_agreement)
    assert found.mean == 1
    assert np.isnan(found.spread)


def test_a_shift_of_one_judge_is_the_shift_of_severity():
    rng = np.random.default_rng(1)
    ratings = rng.integers(2, 5, size=(30, 3)).astype(float)
    stricter = ratings - [1, 0, 0]
    before, after = profiles(ratings), profiles(stricter)

    assert after["a"].severity.value == pytest.approx(before["a"].severity.value + 1)
    assert after["b"].severity.value == pytest.approx(before["b"].severity.value - 1 / 2)
    assert after["a"].correlation.value == pytest.approx(before["a"].correlation.value)


def test_lines():
    rows = [[None if np.isnan(v) else v for v in row] for row in RATINGS]
    answer = HANDLERS["judge_profiles"]({"categories": [1, 2, 3, 4, 5]}, {"ratings": rows})
    assert answer["value"]["0"]["severity"] == pytest.approx(3.5 / 3)
    assert HANDLERS["judge_profiles"]({}, {"ratings": [[None]]}) == {"undefined": "all_missing"}
    with pytest.raises(TypeError, match="which judge"):
        HANDLERS["judge_profiles"]({}, {"counts": [[1, 2]]})


def test_a_table_without_ratings_has_no_judges():
    empty = RatingTable.from_rows([], Scale.points(range(1, 6)))

    assert judge_profiles(empty) == ()
