import math

import numpy as np
import pytest

from metrics_app.stats.pairwise import IdenticalPair, cohen_kappa, identical_pairs
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable
from tests.metrics_app.stats.test_agreement import noisy

N = math.nan
FIVE = Scale.points(range(1, 6))


def table_of(cells):
    return RatingTable.from_array(np.array(cells, dtype=float), scale=FIVE, rater_keys=None)


def test_the_mean_is_over_pairs_with_enough_units():
    cells = noisy(n_units=40, n_raters=4)
    cells[5:, 3] = N  # shares five units with each of the others

    estimate = cohen_kappa(table_of(cells), min_shared=10)

    pairs = [cohen_kappa(table_of(cells[:, pair])).value for pair in ([0, 1], [0, 2], [1, 2])]
    assert estimate.value == pytest.approx(np.mean(pairs), abs=1e-12)
    assert estimate.details["minimum"] == pytest.approx(min(pairs), abs=1e-12)
    assert estimate.details["maximum"] == pytest.approx(max(pairs), abs=1e-12)
    assert (estimate.details["n_pairs"], estimate.details["n_pairs_too_few"]) == (3, 3)
    assert [pair["n_units"] for pair in estimate.details["pairs"]] == [40, 40, 40]


def test_a_sparse_crowd_gives_the_same_pairs_as_a_small_table():
    cells = noisy(n_units=40, n_raters=3, share_missing=0.2)
    wide = np.full((40, 30), N)
    wide[:, [4, 11, 25]] = cells
    # One unit with a single rating of each other rater keeps them in the table.
    others = [g for g in range(30) if g not in (4, 11, 25)]
    lone = np.full((len(others), 30), N)
    lone[range(len(others)), others] = 1
    crowd = table_of(np.concatenate([wide, lone]))
    assert crowd.rater_patterns is None

    estimate, expected = cohen_kappa(crowd), cohen_kappa(table_of(cells))

    assert estimate.value == pytest.approx(expected.value, abs=1e-12)
    assert estimate.se == pytest.approx(expected.se, abs=1e-12)


def test_the_error_of_the_mean_is_that_of_resampled_units():
    cells = noisy(n_units=150, n_raters=3)
    rng = np.random.default_rng(1)

    estimate = cohen_kappa(table_of(cells))

    resampled = [
        cohen_kappa(table_of(cells[rng.integers(150, size=150)])).value for _ in range(400)
    ]
    assert estimate.se == pytest.approx(np.std(resampled, ddof=1), rel=0.1)


def test_undefined_pairs_are_left_out_and_counted():
    cells = noisy(n_units=20, n_raters=2)
    same = np.full((20, 2), 4.0)

    estimate = cohen_kappa(table_of(np.concatenate([cells, same], axis=1)))

    # The two constant raters are undefined together, and exactly 0 with anybody else.
    expected = cohen_kappa(table_of(cells)).value / 5
    assert estimate.value == pytest.approx(expected, abs=1e-12)
    assert estimate.n_undefined == 1


def test_no_pair_shares_enough():
    estimate = cohen_kappa(table_of([[1, 2, 3], [2, 2, 3]]))

    assert estimate.undefined == "no_defined_pair"
    assert estimate.details["n_pairs_too_few"] == 3


def test_copies_are_found_where_they_are_long_enough():
    cells = noisy(n_units=25, n_raters=3)
    cells[:, 2] = cells[:, 0]

    assert identical_pairs(table_of(cells)) == [IdenticalPair((0, 2), 25)]
    assert identical_pairs(table_of(cells[:19])) == []
    cells[3, 2] = N
    assert identical_pairs(table_of(cells)) == [IdenticalPair((0, 2), 24)]


def test_two_raters_who_always_say_five_are_no_copies():
    assert identical_pairs(table_of([[5, 5]] * 30)) == []


def test_an_error_of_rounding_is_none():
    # The first rater always says 1, so kappa is 0 whatever the second says: nothing varies.
    cells = np.array([[1, 1]] * 8 + [[1, 2]] * 3)

    estimate = cohen_kappa(RatingTable.from_array(cells, scale=Scale.points([1, 2, 3])))

    assert (estimate.value, estimate.se, estimate.details["se_null"]) == (0, 0, 0)
