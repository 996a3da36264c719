"""t tests, equivalence, effect sizes, Tukey, adjusted p, bias."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from metrics_app.stats.adjustment import adjust_p
from metrics_app.stats.bias import bland_altman, mean_agreement
from metrics_app.stats.mean_effects import cohen_d, hedges_g
from metrics_app.stats.posthoc import tukey_hsd
from metrics_app.stats.t_tests import one_sample_t_test, t_test, tost
from metrics_app.stats.two_samples import TwoSamples

X, Y = [4.0, 3.5, 5.0, 2.0, 4.5], [3.0, 3.5, 2.5, 1.0, 4.0]


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("equal_var", [True, False])
def test_independent_t_equals_scipy(equal_var, alternative):
    result = t_test(TwoSamples.of(X, Y[:4]), equal_var=equal_var, alternative=alternative)

    reference = stats.ttest_ind(X, Y[:4], equal_var=equal_var, alternative=alternative)
    interval = reference.confidence_interval()
    assert result.value == pytest.approx(reference.statistic)
    assert result.df[0] == pytest.approx(reference.df)
    assert result.p == pytest.approx(reference.pvalue)
    assert result.ci == pytest.approx((interval.low, interval.high))


def test_paired_and_one_sample_t_equal_scipy():
    pairs = t_test(TwoSamples.of([*X, 9], [*Y, None], are_paired=True))
    single = one_sample_t_test(X, mean=3)

    assert pairs.p == pytest.approx(stats.ttest_rel(X, Y).pvalue)
    assert pairs.n_missing == 1
    assert single.value == pytest.approx(stats.ttest_1samp(X, 3).statistic)
    assert single.p == pytest.approx(stats.ttest_1samp(X, 3).pvalue)


@pytest.mark.parametrize("are_paired", [True, False])
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [([1], [2], "too_few_units"), ([], [], "too_few_units"), ([2, 2], [2, 2], "no_variance")],
)
def test_undefined(x, y, reason, are_paired):
    samples = TwoSamples.of(x, y, are_paired=are_paired)

    assert t_test(samples).undefined == reason
    assert cohen_d(samples).undefined == reason
    if reason == "too_few_units":
        assert hedges_g(samples).undefined == reason
        assert tost(samples, (-1, 1)).undefined == reason


def test_t_is_infinite_where_only_means_differ():
    result = t_test(TwoSamples.of([0.3, 0.3, 0.3], [0.1, 0.1]))

    assert (result.value, result.p) == (math.inf, 0)
    assert tost(TwoSamples.of([0.3, 0.3], [0.1, 0.1]), (-1, 1)).p == 0


def test_tost_rejects_exactly_where_the_interval_lies_within_the_bounds():
    samples = TwoSamples.of(X, Y)
    low, high = tost(samples, (-9, 9)).ci

    inside = tost(samples, (low - 1e-6, high + 1e-6))
    outside = tost(samples, (low + 1e-6, 9))

    assert inside.p < 0.05 < outside.p
    assert inside.p == pytest.approx(0.05, abs=1e-5)


def test_summary_gives_what_the_samples_give():
    summary = {"m1": np.mean(X), "m2": np.mean(Y), "n1": 5, "n2": 5}
    summary |= {"sd1": np.std(X, ddof=1), "sd2": np.std(Y, ddof=1)}
    pairs = summary | {"r": np.corrcoef(X, Y)[0, 1]}

    assert t_test(TwoSamples.of_summary(summary)).p == pytest.approx(
        stats.ttest_ind(X, Y, equal_var=False).pvalue
    )
    assert t_test(TwoSamples.of_summary(pairs)).p == pytest.approx(stats.ttest_rel(X, Y).pvalue)


def test_standardizers_by_hand():
    # Differences 1, 0, 2.5, 1, .5: mean 1, squares 0 + 1 + 2.25 + 0 + .25, sd sqrt(3.5 / 4).
    samples = TwoSamples.of(X, Y, are_paired=True)
    spreads = [np.std(X, ddof=1), np.std(Y, ddof=1)]

    assert cohen_d(samples, standardizer="d_z").value == pytest.approx(1 / math.sqrt(3.5 / 4))
    assert cohen_d(samples, standardizer="d_av").value == pytest.approx(1 / np.mean(spreads))
    assert cohen_d(samples).value == pytest.approx(1 / math.sqrt(np.mean(np.square(spreads))))
    assert cohen_d(samples, standardizer="average_variance").value == cohen_d(samples).value


def test_interval_of_d_holds_the_noncentral_tails():
    samples = TwoSamples.of(X, Y)
    d = cohen_d(samples)
    scale = math.sqrt(25 / 10)

    tails = [stats.nct.cdf(d.value * scale, 8, bound * scale) for bound in d.ci]

    assert tails == pytest.approx([0.975, 0.025], abs=1e-6)


def test_d_z_needs_pairs():
    with pytest.raises(ValueError, match="needs pairs"):
        cohen_d(TwoSamples.of(X, Y), standardizer="d_z")


def test_hedges_factor_for_eight_degrees_of_freedom():
    # J(8) = G(4) / (2 G(3.5)) = 6 / (2 * 15 sqrt(pi) / 8).
    samples = TwoSamples.of(X, Y)
    factor = 6 / (2 * 15 * math.sqrt(math.pi) / 8)

    assert hedges_g(samples).value == pytest.approx(cohen_d(samples).value * factor)
    assert hedges_g(samples, correction="approximate").value == pytest.approx(
        cohen_d(samples).value * (1 - 3 / 31)
    )


def test_tukey_of_two_groups_is_the_pooled_t_test():
    (result,) = tukey_hsd({"a": Y, "b": X})

    reference = stats.ttest_ind(X, Y)
    assert result.groups == ("a", "b")
    assert result.value == pytest.approx(1.0)
    assert result.p == pytest.approx(reference.pvalue, rel=1e-6)
    assert result.ci == pytest.approx(tuple(reference.confidence_interval()), rel=1e-6)


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        ({"a": [1, 1], "b": [1, 1]}, "no_variance"),
        ({"a": [1], "b": [2]}, "too_few_units"),
        ({"a": [1, 2], "b": [None]}, "too_few_units"),
    ],
)
def test_undefined_tukey(groups, reason):
    assert [result.undefined for result in tukey_hsd(groups)] == [reason]


p_values = st.lists(st.one_of(st.none(), st.floats(0, 1)), max_size=12)


@settings(max_examples=60, deadline=None)
@given(p_values, st.sampled_from(["holm", "BH", "bonferroni", "hochberg", "BY"]))
def test_adjusted_p_keeps_order_nulls_and_bounds(p, method):
    adjusted = adjust_p(p, method=method)

    made = [(raw, new) for raw, new in zip(p, adjusted, strict=True) if raw is not None]
    assert [new is None for new in adjusted] == [raw is None for raw in p]
    assert all(raw <= new <= 1 for raw, new in made)
    ascending = [new for _, new in sorted(made)]
    assert ascending == sorted(ascending)
    assert adjust_p([raw for raw, _ in made], method=method) == [new for _, new in made]
    if made:
        rule = {"BH": "fdr_bh", "BY": "fdr_by", "hochberg": "simes-hochberg"}.get(method, method)
        reference = multipletests([raw for raw, _ in made], method=rule)[1]
        assert [new for _, new in made] == pytest.approx(list(reference))


def test_bland_altman_by_hand():
    result = bland_altman([4, 3, 5, 2], [3, 3, 3, 1])

    # Differences 1, 0, 2, 1: mean 1, sd sqrt(2 / 3); t(3) at .975 is 3.182446.
    sd = math.sqrt(2 / 3)
    reach = 3.182446305284263 * sd * math.sqrt(1 / 4 + 1.959963984540054**2 / 6)
    assert result.value == 1
    assert result.ci == pytest.approx((1 - 1.5912231526 * sd, 1 + 1.5912231526 * sd))
    assert result.details["upper_limit"] == pytest.approx(1 + 1.959963984540054 * sd)
    assert result.details["ci_upper_limit"] == pytest.approx(
        (1 + 1.959963984540054 * sd - reach, 1 + 1.959963984540054 * sd + reach)
    )


def test_bland_altman_of_a_constant_shift_and_of_one_pair():
    shift = bland_altman([1.1, 2.1, 3.1], [1.0, 2.0, 3.0])

    assert shift.details["sd"] == pytest.approx(0, abs=1e-15)
    assert bland_altman([1, None], [2, 3]).undefined == "too_few_units"


def test_mean_agreement_counts_pairs_in_the_same_order():
    found = mean_agreement({"a": 1.0, "b": 2.0, "c": 3.0, "z": 9.0}, {"a": 2.0, "b": 2.0, "c": 5.0})

    assert found["same_order"].value == pytest.approx(2 / 3)
    assert found["kendall_tau_b"].value == pytest.approx(2 / math.sqrt(6))
    assert found["pearson"].n_missing == 1
    assert mean_agreement({"a": 1}, {"a": 2})["same_order"].undefined == "too_few_units"
