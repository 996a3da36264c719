"""Rank tests against scipy, against plain enumeration, and where they are undefined."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics_app.stats.rank_tests import friedman, kruskal_wallis, mann_whitney
from metrics_app.stats.signed_rank import sign_test, wilcoxon_signed_rank

scores = st.lists(st.integers(1, 5).map(float), min_size=2, max_size=6)
sides = st.sampled_from(["two-sided", "greater", "less"])


@settings(max_examples=50, deadline=None)
@given(scores, scores, sides)
def test_exact_mann_whitney_counts_every_allocation(x, y, alternative):
    ranks = stats.rankdata(x + y)
    sums = [sum(chosen) for chosen in combinations(ranks, len(x))]
    observed = ranks[: len(x)].sum()
    below, above = np.mean(np.array(sums) <= observed), np.mean(np.array(sums) >= observed)
    by_hand = {"greater": above, "less": below, "two-sided": min(1, 2 * min(below, above))}

    result = mann_whitney(x, y, alternative=alternative, method="exact")

    assert result.p == pytest.approx(by_hand[alternative], rel=1e-12)


@settings(max_examples=50, deadline=None)
@given(scores, scores, sides, st.booleans())
def test_normal_mann_whitney_equals_scipy(x, y, alternative, continuity):
    result = mann_whitney(
        x, y, alternative=alternative, method="normal approximation", continuity=continuity
    )
    if len({*x, *y}) == 1:
        assert (result.value, result.p) == (len(x) * len(y) / 2, 1.0)
        return
    reference = stats.mannwhitneyu(
        x, y, alternative=alternative, method="asymptotic", use_continuity=continuity
    )
    assert result.value == reference.statistic
    assert result.p == pytest.approx(reference.pvalue, rel=1e-12)
    turned = mann_whitney(y, x)
    assert turned.value == len(x) * len(y) - result.value
    assert turned.effects["rank_biserial"] == pytest.approx(-result.effects["rank_biserial"])


differences = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=8)


@settings(max_examples=60, deadline=None)
@given(differences, sides, st.sampled_from(["wilcox", "pratt", "zsplit"]))
def test_exact_signed_rank_enumerates_every_sign(d, alternative, zero_method):
    result = wilcoxon_signed_rank(
        d, zero_method=zero_method, alternative=alternative, method="exact"
    )
    if not any(d):
        assert result.undefined == "no_difference"
        return
    kept = np.array([v for v in d if v or zero_method != "wilcox"])
    ranks = stats.rankdata(np.abs(kept))[kept != 0]
    observed = stats.rankdata(np.abs(kept))[kept > 0].sum()
    sums = np.array([np.dot(signs, ranks) for signs in product([0, 1], repeat=ranks.size)])
    below, above = np.mean(sums <= observed), np.mean(sums >= observed)
    by_hand = {"greater": above, "less": below, "two-sided": min(1, 2 * min(below, above))}
    assert result.p == pytest.approx(by_hand[alternative], rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(differences, sides, st.sampled_from(["wilcox", "pratt", "zsplit"]), st.booleans())
def test_normal_signed_rank_equals_scipy(d, alternative, zero_method, continuity):
    if not any(d):
        return
    options = {"zero_method": zero_method, "alternative": alternative}

    result = wilcoxon_signed_rank(
        d, **options, method="normal approximation", continuity=continuity
    )

    reference = stats.wilcoxon(d, **options, method="asymptotic", correction=continuity)
    assert result.p == pytest.approx(reference.pvalue, rel=1e-10)


def test_mirrored_differences_have_the_same_exact_p():
    # scipy/scipy#19872: ties made the exact p depend on the direction.
    d = [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0]

    up, down = (wilcoxon_signed_rank(sign * np.array(d), method="exact") for sign in (1, -1))

    assert (up.p, down.p) == (0.0078125, 0.0078125)


@settings(max_examples=50, deadline=None)
@given(st.lists(scores, min_size=2, max_size=4))
def test_kruskal_wallis_equals_scipy(samples):
    result = kruskal_wallis({str(i): sample for i, sample in enumerate(samples)})

    if len({v for sample in samples for v in sample}) == 1:
        assert result.undefined == "no_variance"
        return
    reference = stats.kruskal(*samples)
    assert result.value == pytest.approx(reference.statistic, rel=1e-9, abs=1e-10)
    assert result.p == pytest.approx(reference.pvalue, rel=1e-9)


def test_uncorrected_kruskal_wallis_is_the_smaller():
    data = {"a": [1, 1, 2], "b": [2, 3, 3]}
    # Ranks 1.5 1.5 3.5 | 3.5 5.5 5.5: H = 12 / 42 (3 (6.5/3 - 3.5)^2 + 3 (14.5/3 - 3.5)^2).
    by_hand = 12 / 42 * 2 * 3 * (14.5 / 3 - 3.5) ** 2

    assert kruskal_wallis(data, correct_ties=False).value == pytest.approx(by_hand)
    assert kruskal_wallis(data).value == pytest.approx(by_hand / (1 - 18 / 210))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(3, 5).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(1, 4).map(float), min_size=k, max_size=k), min_size=2, max_size=6
        )
    )
)
def test_friedman_equals_scipy(table):
    result = friedman(table)

    if all(len(set(row)) == 1 for row in table):
        assert result.undefined == "no_variance"
        return
    reference = stats.friedmanchisquare(*np.array(table).T)
    assert result.value == pytest.approx(reference.statistic, rel=1e-9, abs=1e-10)
    assert 0 <= result.effects["kendall_w"] <= 1 + 1e-12


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (mann_whitney([], [1]), "too_few_units"),
        (kruskal_wallis({"a": [1], "b": [None]}), "too_few_units"),
        (friedman([[1], [2]]), "too_few_units"),
        (friedman([[1, None]]), "too_few_units"),
        (sign_test([0, 0]), "no_difference"),
        (sign_test([]), "too_few_units"),
        (wilcoxon_signed_rank([1, 2], [1, 2]), "no_difference"),
        (wilcoxon_signed_rank([None]), "too_few_units"),
    ],
)
def test_undefined(result, reason):
    assert result.undefined == reason
    assert result.as_json()["value"] is None


def test_sign_test_leaves_zeros_and_missing_pairs_out():
    result = sign_test([3, 2, 5, 1, 1, 4], [1, 2, 1, 2, None, 1], alternative="greater")

    # Three of four signs are plus: (4 + 1) / 16.
    assert (result.value, result.p, result.n_missing) == (3, 5 / 16, 1)
    assert result.details == {"n": 4, "n_zero": 1}
