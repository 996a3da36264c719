"""What holds for every comparison, correlation and ranking, run over the registry."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.registry import FAMILIES, statistic
from metrics_app.stats.scores import ScoreMatrix
from metrics_app.stats.two_samples import TwoSamples

relaxed = settings(max_examples=15, deadline=None)


def taking(family, *shapes):
    entries = [entry for entry in FAMILIES[family] if entry.takes in shapes]
    return pytest.mark.parametrize("entry", entries, ids=lambda entry: entry.name)


ON_GROUPS = taking("comparison", "groups")
ON_TWO = taking("comparison", "groups", "two samples", "TwoSamples")
ON_BLOCKS = taking("comparison", "blocks")
ON_PAIRS = taking("correlation", "pairs")
ON_DIFFERENCES = taking("comparison", "differences")
ON_SCORES = taking("correlation", "scores")
SHAPES = ("groups", "two samples", "TwoSamples", "blocks", "differences")
COVERED = {
    *(entry.name for entry in FAMILIES["comparison"] if entry.takes in SHAPES),
    *(entry.name for entry in FAMILIES["correlation"] if entry.takes in ("pairs", "scores")),
    "p_adjust",
}
# The arguments that a statistic cannot do without.
NEEDED = {
    "tost": {"bounds": (-1e6, 1e6)},
    "grouped_correlation": {"group_by": "item"},
}


def call(entry, *data):
    """Compute a statistic on two or more samples, whatever shape it takes them in."""
    needed = NEEDED.get(entry.name, {})
    if entry.takes == "groups":
        return entry({f"g{n}": sample for n, sample in enumerate(data)}, **needed)
    if entry.takes == "TwoSamples":
        return entry(TwoSamples.of(*data), **needed)
    if entry.takes == "blocks":
        return entry(np.column_stack(data), **needed)
    return entry(*data, **needed)


def numbers(result):
    """Return what a result states: value, p and effects, in a flat list."""
    if isinstance(result, list):
        return [number for part in result for number in numbers(part)]
    p = [result.p] if hasattr(result, "p") else []
    return [result.value, *p, *getattr(result, "effects", {}).values()]


def assert_same(first, second, **tolerance):
    tolerance = tolerance or {"rel": 1e-7, "abs": 1e-9}
    assert numbers(second) == pytest.approx(numbers(first), nan_ok=True, **tolerance)


def samples(seed, k=3, n=9):
    rng = np.random.default_rng(seed)
    return [rng.integers(1, 6, size=n).astype(float) for _ in range(k)]


@ON_GROUPS
@relaxed
@given(st.integers(0, 10**6), st.sampled_from([0.5, 2, 8]), st.integers(-20, 20))
def test_shift_and_scale_do_not_matter_to_a_comparison(entry, seed, scale, shift):
    data = samples(seed)
    plain, moved = call(entry, *data), call(entry, *(shift + scale * one for one in data))
    if entry.name == "tukey_hsd":  # differences are in the unit of the scores
        plain = [dataclasses.replace(part, value=part.value * scale) for part in plain]
    assert_same(plain, moved)


@ON_BLOCKS
@relaxed
@given(st.integers(0, 10**6), st.sampled_from([0.5, 2, 8]), st.integers(-20, 20))
def test_shift_scale_and_order_of_blocks_do_not_matter(entry, seed, scale, shift):
    data = samples(seed)
    order = np.random.default_rng(seed).permutation(9)
    assert_same(call(entry, *data), call(entry, *(shift + scale * one[order] for one in data)))


@ON_TWO
@relaxed
@given(st.integers(0, 10**6), st.permutations(range(9)))
def test_order_within_a_group_does_not_matter(entry, seed, order):
    first, second = samples(seed, k=2)
    assert_same(call(entry, first, second), call(entry, first[order], second))


@ON_GROUPS
@pytest.mark.filterwarnings("error")
def test_groups_without_any_variance_are_undefined(entry):
    found = call(entry, [2.0, 2, 2], [2.0, 2, 2])
    for part in found if isinstance(found, list) else [found]:
        assert part.undefined
        assert np.isnan(part.value) or entry.name == "tukey_hsd"
        assert np.isnan(part.p)


@ON_TWO
def test_a_group_of_nobody_is_undefined(entry):
    found = call(entry, [1.0, 2, 3], [])
    for part in found if isinstance(found, list) else [found]:
        assert part.undefined


@ON_TWO
@pytest.mark.parametrize("bad", [np.inf, -np.inf])
def test_an_infinite_score_is_an_error(entry, bad):
    with pytest.raises(ValueError, match="infinite"):
        call(entry, [1.0, bad, 3], [1.0, 2, 4])


@ON_TWO
@relaxed
@given(st.integers(0, 10**6))
def test_a_missing_score_is_left_out(entry, seed):
    first, second = samples(seed, k=2)
    assert_same(call(entry, first, second), call(entry, [*first, np.nan], second))


@ON_DIFFERENCES
@relaxed
@given(st.lists(st.integers(-4, 4).filter(bool), min_size=2, max_size=12), st.integers(1, 9))
def test_scale_and_sign_of_differences_do_not_matter_to_p(entry, differences, scale):
    plain = entry(np.array(differences, float))
    assert entry(scale * np.array(differences, float)).p == pytest.approx(plain.p)
    assert entry(-np.array(differences, float)).p == pytest.approx(plain.p)


@ON_DIFFERENCES
def test_differences_that_are_all_zero_are_no_test(entry):
    found = entry([0.0, 0, 0])
    assert found.undefined == "no_difference"
    assert np.isnan(found.p)


@ON_PAIRS
@relaxed
@given(st.integers(0, 10**6), st.sampled_from([0.5, 2, 8]), st.integers(-20, 20))
def test_a_correlation_ignores_shift_scale_order_and_direction(entry, seed, scale, shift):
    x, y = samples(seed, k=2, n=12)
    order = np.random.default_rng(seed).permutation(12)
    plain = entry(x, y)
    assert_same(plain, entry(shift + scale * x[order], y[order]))
    assert_same(plain, entry(y, x))
    assert entry(-x, y).value == pytest.approx(-plain.value, nan_ok=True)


@ON_PAIRS
def test_a_series_correlates_with_itself_as_one(entry):
    assert entry([1, 2, 3, 5], [1, 2, 3, 5]).value == pytest.approx(1)


@ON_PAIRS
def test_a_constant_series_has_no_correlation(entry):
    found = entry([0.3, 0.3, 0.3, 0.3], [1, 2, 3, 4])
    if entry.name == "kendall_tau_a":
        # Its denominator counts all pairs, tied or not.
        assert found.value == 0
    else:
        assert found.undefined
        assert np.isnan(found.value)


@ON_SCORES
@relaxed
@given(st.integers(0, 10**6), st.sampled_from(["pearson", "spearman", "kendall_tau_b"]))
def test_names_and_order_of_systems_and_items_do_not_matter(entry, seed, coefficient):
    rng = np.random.default_rng(seed)
    metric, human = rng.normal(size=(5, 6)), rng.integers(1, 6, size=(5, 6)).astype(float)
    rows, columns = rng.permutation(5), rng.permutation(6)
    needed = NEEDED.get(entry.name, {})
    plain = entry(ScoreMatrix.from_arrays(metric, human), coefficient, **needed)
    turned = ScoreMatrix.from_arrays(metric[rows][:, columns], human[rows][:, columns])
    assert_same(plain, entry(turned, coefficient, **needed))


def test_adjusted_p_values_ignore_the_order_of_tests():
    p = [0.01, 0.04, None, 0.03, 0.2]
    for method in ("holm", "BH", "bonferroni"):
        plain = statistic("p_adjust")(p, method=method)
        assert statistic("p_adjust")(p[::-1], method=method) == plain[::-1]
