import math

import numpy as np
import pytest
from scipy import stats

from metrics_app.stats.intervals import bca_interval, jackknife_error, percentile_interval
from metrics_app.stats.resampling import Rows, draw_weights


def test_percentile_interval_leaves_the_undefined_out():
    sampled = np.array([*range(101), math.nan], dtype=float)

    assert percentile_interval(sampled, 0.9) == pytest.approx((5, 95))
    assert percentile_interval(np.array([math.nan]), 0.9) is None


@pytest.mark.parametrize("n", [1, 2, 7, 1000])
def test_percentiles_are_those_of_numpy(n):
    sampled = np.random.default_rng(n).normal(size=n)

    expected = np.quantile(sampled, [0.025, 0.975])

    assert percentile_interval(sampled, 0.95) == pytest.approx(tuple(expected), abs=1e-14)


def test_bca_of_a_mean_equals_scipy():
    rng = np.random.default_rng(7)
    x = rng.exponential(size=40)
    peer = stats.bootstrap(
        (x,), np.mean, method="BCa", n_resamples=2000, confidence_level=0.9, rng=rng
    )

    without_one = (x.sum() - x) / 39
    ci = bca_interval(peer.bootstrap_distribution, x.mean(), without_one, np.ones(40), 0.9)

    expected = (peer.confidence_interval.low, peer.confidence_interval.high)
    assert ci == pytest.approx(expected, abs=0.002)


def test_bca_is_none_where_no_resample_lies_on_one_side():
    assert bca_interval(np.arange(5.0), -1.0, np.arange(5.0), np.ones(5), 0.9) is None
    assert bca_interval(np.full(5, math.nan), 0.5, np.arange(5.0), np.ones(5), 0.9) is None


def test_bca_without_spread_is_the_estimate():
    assert bca_interval(np.ones(9), 1.0, np.ones(4), np.ones(4), 0.9) == (1.0, 1.0)


def test_jackknife_error_of_a_mean_is_its_standard_error():
    x = np.array([1.0, 2.0, 4.0, 4.0, 9.0])
    rows, times = np.unique(x, return_counts=True)

    error = jackknife_error((x.sum() - rows) / 4, times.astype(float))

    assert error == pytest.approx(x.std(ddof=1) / math.sqrt(5))
    assert math.isnan(jackknife_error(np.array([math.nan]), np.array([1.0])))


@pytest.mark.parametrize("times", [np.ones(10), np.array([900.0, 90.0, 10.0])])
def test_a_resample_draws_as_many_units_in_their_proportion(times):
    drawn = np.concatenate(list(draw_weights(times, 500, np.random.default_rng(0))))

    assert drawn.shape == (500, len(times))
    assert (drawn.sum(axis=1) == times.sum()).all()
    # Binomial means, within five standard errors.
    n, share = times.sum(), times / times.sum()
    error = np.sqrt(n * share * (1 - share) / 500)
    assert (np.abs(drawn.mean(axis=0) - times) < 5 * error).all()


def test_blocks_do_not_change_the_draws(monkeypatch):
    rows = Rows(np.arange(6.0)[:, None], np.ones(6))
    whole = np.concatenate(list(rows.resampled(50, np.random.default_rng(3))))

    monkeypatch.setattr("metrics_app.stats.resampling._BLOCK", 30)

    blocks = list(rows.resampled(50, np.random.default_rng(3)))
    assert len(blocks) == 10
    assert np.concatenate(blocks).tolist() == whole.tolist()
    assert np.concatenate(list(rows.without_one())).ravel().tolist() == [15, 14, 13, 12, 11, 10]


def test_clusters_add_the_features_of_their_units():
    rows = Rows(np.array([[1.0], [10.0]]), np.array([2.0, 1.0]))

    clustered = rows.clustered(np.array([0, 1, 1, 2]), np.array([0, 0, 1, -1]), 3)

    assert clustered.features.tolist() == [[1.0], [11.0], [0.0]]
    assert clustered.times.tolist() == [1.0, 1.0, 1.0]
