"""Many fits at once are the single fits; resamples are of whole items."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.stats.preference import Wins, bradley_terry
from metrics_app.stats.preference_bootstrap import bootstrap_strengths, fit_many
from tests.metrics_app.stats.test_preference import GAMES


def single(counts):
    return np.array(list(bradley_terry(Wins.from_matrix(counts)).strengths.values()))


def test_baseball_has_the_strengths_of_the_textbook():
    # Agresti (2002), Categorical Data Analysis, table 10.10, with Baltimore set to 0.
    (found,) = fit_many(np.array([GAMES], dtype=float))

    published = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0]
    assert found - found[-1] == pytest.approx(published, abs=5e-5)


@settings(max_examples=40)
@given(st.integers(2, 5), st.integers(0, 2**31))
def test_many_fits_are_the_single_fits(n_systems, seed):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 4, size=(6, n_systems, n_systems)).astype(float) / 2
    counts[:, range(n_systems), range(n_systems)] = 0

    found = fit_many(counts)

    for one, table in zip(found, counts, strict=True):
        np.testing.assert_allclose(one, single(table), atol=1e-6)


def test_lopsided_wins_are_fitted_too():
    counts = np.array([[[0, 1e6], [1, 0]], [[0, 1], [1e6, 0]]])

    found = fit_many(counts)

    assert found[0] == pytest.approx([np.log(1e6) / 2, -np.log(1e6) / 2])
    assert found[1] == pytest.approx([-np.log(1e6) / 2, np.log(1e6) / 2])


def test_the_same_seed_draws_the_same_resamples():
    by_item = np.random.default_rng(1).integers(1, 3, size=(5, 3, 3)).astype(float)
    by_item[:, range(3), range(3)] = 0

    first, second, other = (
        bootstrap_strengths(by_item, rng=np.random.default_rng(seed), n_resamples=20)
        for seed in (3, 3, 4)
    )

    assert first.shape == (20, 3)
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


def test_what_the_drawn_items_do_not_tell_is_undefined():
    a_wins, b_wins = [[0, 1], [0, 0]], [[0, 0], [1, 0]]

    always = bootstrap_strengths([a_wins, a_wins], rng=np.random.default_rng(0), n_resamples=9)
    either = bootstrap_strengths([a_wins, b_wins], rng=np.random.default_rng(0), n_resamples=99)
    nothing = bootstrap_strengths(np.empty((0, 2, 2)), rng=np.random.default_rng(0), n_resamples=5)

    assert np.isnan(always).all()
    assert np.isnan(nothing).all()
    drawn_both = ~np.isnan(either[:, 0])
    assert 30 < drawn_both.sum() < 70  # one half of the resamples has both items
    assert either[drawn_both] == pytest.approx(0)


def test_tables_that_are_not_square_are_refused():
    with pytest.raises(ValueError, match="square tables"):
        bootstrap_strengths(np.ones((2, 2, 3)), rng=np.random.default_rng(0))
