"""Bootstrap intervals of all differences of systems at once."""

import numpy as np

from metrics_app.stats.system_differences import bootstrap_differences


def test_the_interval_is_that_of_resampled_items():
    rng = np.random.default_rng(3)
    outputs = rng.normal(size=(3, 60)) + np.array([[0.0], [0.3], [0.9]])

    found = bootstrap_differences(outputs, rng=np.random.default_rng(5), n_resamples=2000)

    gaps = outputs[2] - outputs[0]
    draws = np.random.default_rng(6).choice(gaps, size=(2000, 60)).mean(axis=1)
    np.testing.assert_allclose(found[2, 0], np.quantile(draws, [0.025, 0.975]), atol=0.06)
    np.testing.assert_allclose(found[0, 2], -found[2, 0][::-1])


def test_systems_are_compared_on_the_items_that_both_have():
    outputs = np.array([[1.0, 2.0, np.nan, 9.0], [1.5, 2.5, 7.0, np.nan]])

    found = bootstrap_differences(outputs, rng=np.random.default_rng(5), n_resamples=500)

    # Resamples without a shared item have no difference, so neither has the interval.
    assert np.isnan(found).all()
    twice = np.tile(outputs, 20)
    again = bootstrap_differences(twice, rng=np.random.default_rng(5), n_resamples=20)
    np.testing.assert_allclose(again[0, 1], [-0.5, -0.5])


def test_nothing_to_compare_has_no_interval():
    for outputs in (np.empty((2, 0)), np.ones((1, 3))):
        found = bootstrap_differences(outputs, rng=np.random.default_rng(5), n_resamples=5)
        assert np.isnan(found).all()
