"""Analyses of variance: published, properties, undefined."""

import math

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.anova import anova_lm

from metrics_app.stats.anova import oneway_anova, welch_anova
from metrics_app.stats.repeated_measures import repeated_measures_anova
from metrics_app.stats.twoway import twoway_anova

# NIST StRD, one-way analysis of variance, SmLs07 in small: an offset of 10^12 and a spread of .1.
OFFSET = 1_000_000_000_000.0
DIGITS = {"1": [0.4, 0.3, 0.5], "2": [0.3, 0.2, 0.4], "3": [0.5, 0.4, 0.6]}


def test_large_offset_costs_no_digits():
    # 10^12 + .25 is exact in binary, so the shifted data are the same data.
    exact = {name: [0.25 * round(v * 40) for v in values] for name, values in DIGITS.items()}
    shifted = {name: [OFFSET + v for v in values] for name, values in exact.items()}

    assert oneway_anova(shifted).value == oneway_anova(exact).value


groups = st.lists(
    st.lists(st.integers(1, 5).map(float), min_size=2, max_size=8), min_size=2, max_size=5
)


@settings(max_examples=60, deadline=None)
@given(groups)
def test_equals_scipy_and_ignores_shift_and_order(samples):
    named = {str(i): sample for i, sample in enumerate(samples)}
    result = oneway_anova(named)

    if result.undefined:
        assert len({v for sample in samples for v in sample}) == 1
        return
    backwards = oneway_anova({k: [v + 3 for v in named[k][::-1]] for k in reversed(named)})
    if math.isinf(result.value):
        assert (result.p, backwards.value) == (0, math.inf)
        return
    reference = stats.f_oneway(*samples)
    assert result.value == pytest.approx(reference.statistic, rel=1e-9, abs=1e-12)
    assert result.p == pytest.approx(reference.pvalue, rel=1e-9)
    assert backwards.value == pytest.approx(result.value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("analysis", [oneway_anova, welch_anova])
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"a": [1, 1], "b": [1, 1]}, "no_variance"),
        ({"a": [0.1] * 3, "b": [0.1] * 7}, "no_variance"),
        ({"a": [1, 2]}, "too_few_units"),
        ({"a": [1, 2], "b": []}, "too_few_units"),
        ({"a": [1, 2], "b": [None, math.nan]}, "too_few_units"),
        ({"a": [1], "b": [2]}, "too_few_units"),
        ({"a": [None], "b": []}, "all_missing"),
        ({}, "all_missing"),
    ],
)
def test_undefined(analysis, data, reason):
    result = analysis(data)

    assert result.undefined == reason
    assert math.isnan(result.value)
    assert math.isnan(result.p)


def test_f_is_infinite_where_only_means_differ():
    result = oneway_anova({"a": [0.1, 0.1, 0.1], "b": [0.3, 0.3]})

    assert (result.value, result.p, result.undefined) == (math.inf, 0.0, None)
    assert result.effects["eta_squared"] == 1


def test_missing_values_are_left_out_and_counted():
    complete = oneway_anova({"a": [1, 2, 4], "b": [2, 5]})
    result = oneway_anova({"a": [1, None, 2, 4], "b": [2, math.nan, 5]}, unit="rating")

    assert (result.value, result.n, result.n_missing) == (complete.value, 5, 2)
    assert (result.groups, result.unit) == (("a", "b"), "rating")


def test_infinite_score_is_refused_by_group_and_place():
    with pytest.raises(ValueError, match="group 'b' holds an infinite number at position 2"):
        oneway_anova({"a": [1, 2], "b": [1, math.inf]})


def test_group_of_one_counts_in_oneway_but_not_in_welch():
    data = {"a": [1, 2, 4], "b": [3]}

    assert oneway_anova(data).value == pytest.approx(stats.f_oneway([1, 2, 4], [3]).statistic)
    assert welch_anova(data).undefined == "too_few_units"


UNBALANCED = [
    ("g1", "s1", 3.0), ("g1", "s1", 4.5), ("g1", "s2", 1.0), ("g1", "s2", 2.5), ("g1", "s2", 3.0),
    ("g2", "s1", 5.0), ("g2", "s1", 4.0), ("g2", "s1", 3.5), ("g2", "s2", 4.0), ("g2", "s2", 2.0),
    ("g1", "s3", 2.0), ("g2", "s3", 4.5), ("g2", "s3", 5.0), ("g1", "s3", 4.0),
]  # fmt: skip


@pytest.mark.parametrize("kind", ["II", "III"])
def test_unbalanced_twoway_equals_statsmodels(kind):
    table = pd.DataFrame(UNBALANCED, columns=list("abv"))
    model = smf.ols("v ~ C(a, Sum) * C(b, Sum)", table).fit()
    reference = anova_lm(model, typ={"II": 2, "III": 3}[kind])
    names = {"group": "C(a, Sum)", "system": "C(b, Sum)", "interaction": "C(a, Sum):C(b, Sum)"}

    found = twoway_anova(UNBALANCED, sums_of_squares=kind)

    for effect, name in names.items():
        assert found[effect].value == pytest.approx(reference.loc[name, "F"], rel=1e-9)
        assert found[effect].p == pytest.approx(reference.loc[name, "PR(>F)"], rel=1e-9)
        assert f"type {kind}" in found[effect].method
    ss, error = reference.loc[names["group"], "sum_sq"], reference.loc["Residual", "sum_sq"]
    assert found["group"].effects["partial_eta_squared"] == pytest.approx(ss / (ss + error))


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "too_few_units"),
        ([("a", "x", 1.0), ("a", "y", 2.0)], "too_few_units"),
        ([("a", "x", 1.0), ("b", "y", 2.0)], "not_identified"),
        ([(a, b, 1.0) for a in "pq" for b in "xy"], "too_few_units"),
        ([(a, b, 1.0) for a in "pq" for b in "xy"] * 2, "no_variance"),
    ],
)
def test_undefined_twoway(rows, reason):
    assert {result.undefined for result in twoway_anova(rows).values()} == {reason}


def test_unknown_type_of_sums_is_refused():
    with pytest.raises(ValueError, match="must be II or III"):
        twoway_anova(UNBALANCED, sums_of_squares="I")


def test_two_conditions_give_the_squared_paired_t():
    table = np.array([[1.0, 2.5], [2.0, 2.0], [4.0, 5.5], [3.0, 5.0]])

    result = repeated_measures_anova(table)

    t = stats.ttest_rel(table[:, 0], table[:, 1])
    assert result.value == pytest.approx(t.statistic**2, rel=1e-12)
    assert result.p == pytest.approx(t.pvalue, rel=1e-12)
    assert result.details["gg_epsilon"] == pytest.approx(1)


def test_incomplete_units_are_left_out_whole():
    complete = [[1, 2, 4], [2, 2, 3], [1, 3, 3]]

    result = repeated_measures_anova([*complete, [5, None, 1]])

    assert result.value == repeated_measures_anova(complete).value
    assert (result.n, result.n_missing) == (3, 1)


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[1, 2, 3]], "too_few_units"),
        ([[1], [2]], "too_few_units"),
        ([[2, 2], [2, 2]], "no_variance"),
        ([[0.1, 0.1], [0.7, 0.7]], "no_variance"),
    ],
)
def test_undefined_repeated_measures(table, reason):
    assert repeated_measures_anova(table).undefined == reason


def test_repeated_measures_without_error_are_infinite():
    result = repeated_measures_anova([[1, 2, 4], [2, 3, 5]])

    assert (result.value, result.p) == (math.inf, 0.0)
    assert math.isnan(result.details["gg_epsilon"])


@pytest.mark.parametrize("share", [1, 3])
def test_a_factor_without_effect_or_error_is_no_infinite_effect(share):
    # By rounding alone the equal groups had a sum of squares of 1e-32 over an error of 0.
    rows = [(group, system, value / share) for group in "EC" for _ in range(3)
            for system, value in (("a", 1.0), ("b", 3.0), ("c", 2.0))]  # fmt: skip

    found = twoway_anova(rows)

    assert {name: one.undefined for name, one in found.items()} == {
        "group": "no_variance", "system": None, "interaction": "no_variance",
    }  # fmt: skip
    assert (found["system"].value, found["system"].p) == (math.inf, 0)
    assert math.isnan(found["group"].p)
