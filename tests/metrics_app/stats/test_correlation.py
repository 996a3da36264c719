"""Coefficients: against scipy, properties, undefined; and the same in columns."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics_app.stats.columns import correlate_columns, rank_columns
from metrics_app.stats.correlation import COEFFICIENTS, kendall_tau_a, kendall_tau_b, pearson

SCIPY = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall_tau_b": stats.kendalltau,
    "kendall_tau_c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}
pairs = st.integers(2, 12).flatmap(
    lambda n: st.tuples(
        *[st.lists(st.integers(1, 6).map(float), min_size=n, max_size=n) for _ in range(2)]
    )
)


@settings(max_examples=60, deadline=None)
@given(pairs, st.sampled_from(sorted(SCIPY)))
def test_equals_scipy(series, name):
    x, y = series
    result = COEFFICIENTS[name](x, y)

    if len(set(x)) == 1 or len(set(y)) == 1:
        assert result.undefined == "constant_input"
        return
    reference = SCIPY[name](x, y)
    assert result.value == pytest.approx(reference.statistic, abs=1e-12)
    if len(x) > 2:
        # On a perfect line ours is 0, while scipy's t tail is what rounding left of 1 - r.
        allowed = 1e-6 if abs(result.value) > 1 - 1e-12 else 1e-12
        assert result.p == pytest.approx(reference.pvalue, rel=1e-9, abs=allowed)


@settings(max_examples=60, deadline=None)
@given(pairs)
def test_tau_a_counts_pairs(series):
    x, y = map(np.array, series)
    i, k = np.triu_indices(x.size, 1)
    surplus = (np.sign(x[i] - x[k]) * np.sign(y[i] - y[k])).sum()

    assert kendall_tau_a(x, y).value == pytest.approx(surplus / i.size, abs=1e-15)


@settings(max_examples=60, deadline=None)
@given(pairs, st.sampled_from(sorted(COEFFICIENTS)))
def test_symmetry_order_sign_and_bounds(series, name):
    x, y = map(np.array, series)
    value = COEFFICIENTS[name](x, y).value
    if math.isnan(value):
        return
    others = [
        COEFFICIENTS[name](y, x).value,
        COEFFICIENTS[name](x[::-1], y[::-1]).value,
        COEFFICIENTS[name](3 * x + 7, y).value,
        -COEFFICIENTS[name](x, -y).value,
    ]
    assert others == pytest.approx([value] * 4, abs=1e-12)
    assert abs(value) <= 1


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
@pytest.mark.parametrize("n", [5, 40])
def test_interval_is_fishers(name, n):
    rng = np.random.default_rng(n)
    x = rng.normal(size=n)
    y = x + rng.normal(size=n)
    result = COEFFICIENTS[name](x, y, confidence=0.9)
    r = result.value
    variance = {"pearson": 1 / (n - 3), "spearman": (1 + r**2 / 2) / (n - 3)}
    reach = 1.6448536269514722 * math.sqrt(variance.get(name, 0.437 / (n - 4)))

    bounds = (math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach))
    assert result.ci == pytest.approx(bounds)


def test_interval_needs_more_than_three_or_four_pairs():
    x, y = [1, 2, 3, 4], [2, 1, 4, 3]

    assert pearson(x[:3], y[:3]).ci is None
    assert pearson(x, y).ci is not None
    assert kendall_tau_b(x, y).ci is None


def test_two_pairs_tell_nothing():
    result = pearson([1, 2], [2, 1])

    assert (result.value, result.p, result.details) == (-1, 1, {"uninformative": True})


@pytest.mark.parametrize("name", sorted(COEFFICIENTS))
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([], [], "too_few_units"),
        ([1, None], [2, 3], "too_few_units"),
        ([2, 2, 2], [1, 2, 3], "constant_input"),
        ([1, 2, 3], [0, 0, 0], "constant_input"),
    ],
)
def test_undefined(name, x, y, reason):
    result = COEFFICIENTS[name](x, y)

    if name == "kendall_tau_a" and reason == "constant_input":
        assert (result.value, result.undefined) == (0, None)
        return
    assert result.undefined == reason
    assert math.isnan(result.value)
    assert math.isnan(result.p)


def test_rounding_noise_is_constant_for_pearson_but_tiny_scores_are_not():
    noisy = [0.1 + 0.2, 0.3, 0.3]
    tiny = [1e-15, 2e-15, 4e-15]

    assert pearson(noisy, [1, 2, 3]).undefined == "constant_input"
    assert pearson(tiny, [1, 2, 4]).value == pytest.approx(1)
    assert kendall_tau_b(noisy, [1, 2, 3]).value == pytest.approx(-2 / math.sqrt(6))


def test_huge_scores_do_not_overflow():
    x = np.array([[1e308], [-1e308], [0.0]])

    assert correlate_columns(x, np.array([[3.0], [1.0], [2.0]]), "kendall_tau_b").tolist() == [1]


def test_missing_pairs_are_left_out_and_counted():
    result = pearson([1, None, 3, 4, 9], [2, 5, 4, 9, math.nan])

    assert result.value == pearson([1, 3, 4], [2, 4, 9]).value
    assert (result.n_units, result.n_missing) == (3, 2)


def test_infinite_and_textual_scores_are_refused():
    with pytest.raises(ValueError, match="y holds an infinite number at position 2"):
        pearson([1, 2], [1, math.inf])
    with pytest.raises(ValueError, match="x must be a list of numbers"):
        pearson(["good", 2], [1, 2])
    with pytest.raises(ValueError, match="confidence must lie"):
        pearson([1, 2], [1, 3], confidence=95)


cells = st.one_of(st.integers(1, 4).map(float), st.just(math.nan))


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(st.integers(1, 6), st.integers(1, 4)).flatmap(
        lambda shape: st.tuples(
            *[
                st.lists(
                    st.lists(cells, min_size=shape[1], max_size=shape[1]),
                    min_size=shape[0],
                    max_size=shape[0],
                )
                for _ in range(2)
            ]
        )
    ),
    st.sampled_from(sorted(COEFFICIENTS)),
)
def test_columns_equal_one_by_one(tables, name):
    x, y = map(np.array, tables)

    together = correlate_columns(x, y, name)

    alone = [COEFFICIENTS[name](a, b).value for a, b in zip(x.T, y.T, strict=True)]
    assert together == pytest.approx(np.array(alone), abs=1e-12, nan_ok=True)


def test_many_rows_take_the_other_road_to_the_same_tau():
    rng = np.random.default_rng(5)
    x, y = rng.integers(9, size=(2, 1_200, 2)).astype(float)

    found = correlate_columns(x, y, "kendall_tau_b")

    expected = [stats.kendalltau(x[:, i], y[:, i]).statistic for i in range(2)]
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 5, 32, 33])
def test_ranks_of_columns_are_average_ranks_of_what_is_there(n):
    values = np.random.default_rng(n).integers(1, 4, size=(n, 6)).astype(float)
    values[0, 0] = np.nan

    expected = stats.rankdata(values, axis=0, nan_policy="omit")

    assert np.array_equal(rank_columns(values), expected, equal_nan=True)
