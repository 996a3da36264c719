"""What must hold of every coefficient, whatever the ratings."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from metrics_app.stats.agreement import fleiss_kappa
from metrics_app.stats.coefficients import coefficients_for
from metrics_app.stats.pairwise import cohen_kappa
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.weights import weight_matrix

FOUR = Scale.points(range(1, 5), measurement="ratio")
CELL = st.sampled_from([1.0, 2.0, 3.0, 4.0, math.nan])
CELLS = hnp.arrays(np.float64, st.tuples(st.integers(1, 8), st.integers(2, 4)), elements=CELL)
MODEST = settings(max_examples=25, deadline=None)


def _values(cells, scale=FOUR):
    table = RatingTable.from_array(cells, scale=scale)
    return {(c.statistic, *c.options.values()): c.estimate(table) for c in coefficients_for(table)}


def _assert_same(first, second):
    assert first.keys() == second.keys()
    for key, estimate in first.items():
        assert estimate.undefined == second[key].undefined, key
        assert estimate.value == pytest.approx(second[key].value, abs=1e-9, nan_ok=True), key
        assert estimate.se == pytest.approx(second[key].se, abs=1e-7, nan_ok=True), key


@MODEST
@given(CELLS, st.randoms(use_true_random=False))
def test_the_order_of_raters_does_not_matter(cells, random):
    order = random.sample(range(cells.shape[1]), cells.shape[1])

    _assert_same(_values(cells), _values(cells[:, order]))


@MODEST
@given(CELLS, st.randoms(use_true_random=False))
def test_the_order_of_units_does_not_matter(cells, random):
    order = random.sample(range(cells.shape[0]), cells.shape[0])

    _assert_same(_values(cells), _values(cells[order]))


@MODEST
@given(CELLS)
def test_units_without_a_rating_do_not_matter(cells):
    nothing = np.full((2, cells.shape[1]), math.nan)

    _assert_same(_values(cells), _values(np.concatenate([cells, nothing])))


@MODEST
@given(CELLS)
def test_a_value_is_undefined_with_a_reason_or_a_number_with_none(cells):
    for key, estimate in _values(cells).items():
        assert math.isnan(estimate.value) == (estimate.undefined is not None), key
        if not math.isnan(estimate.value) and key[0] != "icc":
            assert estimate.value <= 1 + 1e-12, key


@MODEST
@given(CELLS)
def test_shifting_and_stretching_an_interval_scale_does_not_matter(cells):
    stretched = Scale.points([13, 23, 33, 43], measurement="ratio")
    first, second = _values(cells), _values(10 * cells + 3, stretched)
    for key in [("krippendorff_alpha", "ratio")]:
        del first[key], second[key]

    _assert_same(first, second)


@MODEST
@given(st.lists(st.integers(1, 4), min_size=2, max_size=8), st.integers(2, 4))
def test_perfect_agreement_is_one_or_undefined(units, n_raters):
    found = _values(np.repeat(np.array(units, dtype=float)[:, None], n_raters, axis=1))

    for key, estimate in found.items():
        if estimate.undefined:
            assert len(set(units)) == 1 or key[0] == "cohen_kappa", key
        else:
            assert estimate.value == pytest.approx(1.0, abs=1e-12), key


@MODEST
@given(CELLS, st.floats(0.01, 1.0))
def test_kappas_and_their_errors_ignore_a_rescaling_of_the_weights(cells, factor):
    table = RatingTable.from_array(cells, scale=FOUR)
    linear = weight_matrix("linear", FOUR)
    rescaled = 1 - factor * (1 - linear)

    for statistic in (fleiss_kappa, cohen_kappa):
        first, second = statistic(table, weights=linear), statistic(table, weights=rescaled)
        assert first.value == pytest.approx(second.value, abs=1e-9, nan_ok=True)
        assert first.se == pytest.approx(second.se, abs=1e-7, nan_ok=True)


@MODEST
@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 8), st.just(2)), elements=CELL))
def test_alpha_of_two_raters_is_pi_with_its_small_sample_term(cells):
    found = _values(cells[~np.isnan(cells).any(axis=1)])
    alpha = found[("krippendorff_alpha", "nominal")]
    pi = found.get(("scott_pi", "unweighted"))

    if pi and not alpha.undefined:
        expected = pi.value + (1 - pi.value) / alpha.n_ratings
        assert alpha.value == pytest.approx(expected, abs=1e-12)
