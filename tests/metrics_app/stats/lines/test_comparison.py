"""Every worked case of comparison, answered as a JSON line."""

import json

import pytest

from metrics_app.stats.lines import comparison, models, rank_tests
from metrics_app.stats.results import as_plain
from tests.metrics_app.stats.oracle_cases import assert_answers, cases

HANDLERS = comparison.HANDLERS | models.HANDLERS | rank_tests.HANDLERS
WORKED = [
    "oneway_anova",
    "welch_anova",
    "eta_squared",
    "omega_squared",
    "epsilon_squared",
    "kruskal_wallis",
    "mann_whitney",
    "wilcoxon_signed_rank",
    "sign_test",
    "friedman",
    "repeated_measures_anova",
    "tukey_hsd",
    "t_test",
    "tost",
    "cohen_d",
    "hedges_g",
    "p_adjust",
    "mixed_model",
]


def answer(statistic, options, data):
    return json.loads(json.dumps(as_plain(HANDLERS[statistic](options, data)), allow_nan=False))


@pytest.mark.parametrize("case", cases(*WORKED))
def test_worked_case(case):
    found = answer(case["statistic"], case["options"], case["data"])

    assert_answers(found, case)
    # The cases keep a few facts beside value, se, ci and p.
    form = {"value", "se", "ci", "p", "undefined"}
    beside = {key: part for key, part in case["expected"].items() if key not in form}
    assert {key: found[key] for key in beside} == pytest.approx(beside, rel=case["tolerance"])


@pytest.mark.parametrize(
    ("statistic", "options", "data", "sentence"),
    [
        ("t_test", {"paired": True}, {"x": [1, 2], "y": [1]}, "x has 2 values and y has 1"),
        ("tost", {"bounds": [1, -1]}, {"x": [1, 2], "y": [1, 3]}, "must be below"),
        ("tost", {"bounds": [-1, 1]}, {"summary": {"m1": 1}}, "lacks m2, sd1, sd2, n1"),
        ("cohen_d", {"variant": "d_q"}, {"x": [1, 2], "y": [1, 3]}, "standardizer must be"),
        ("p_adjust", {"method": "none"}, {"p": [0.1]}, "must be holm, BH, bonferroni"),
        ("p_adjust", {}, {"p": [0.1, 1.2]}, "p-value 2 is 1.2"),
        ("mixed_model", {"formula": "y x"}, {"rows": [[1, 2]]}, "must read"),
        ("mixed_model", {"formula": "y ~ x"}, {"rows": [[1, 2]]}, "needs a random factor"),
        ("oneway_anova", {}, {"groups": {"a": [1, "b"]}}, "group 'a' must be a list of numbers"),
        ("mann_whitney", {"method": "magic"}, {"x": [1], "y": [2]}, "method must be"),
        ("sign_test", {"alternative": "up"}, {"d": [1]}, "alternative must be"),
    ],
)
def test_bad_input_is_answered_with_a_sentence(statistic, options, data, sentence):
    with pytest.raises(ValueError, match=sentence):
        answer(statistic, options, data)


def test_groups_may_come_without_names():
    named = {"groups": {"1": [1, 2], "2": [2, 4, 4]}}

    for statistic in ("oneway_anova", "kruskal_wallis", "tukey_hsd", "mann_whitney", "t_test"):
        found = answer(statistic, {}, {"groups": [[1, 2], [2, 4, 4]]})
        assert found == answer(statistic, {}, named)
        assert "p" in found or "2-1" in found["value"]


def test_formula_reads_crossed_factors_and_text_covariates():
    rows = [
        [judge, item, "expert" if judge < "c" else "crowd", (3 * i + 5 * j) % 7 + (judge < "c")]
        for j, judge in enumerate("abcd")
        for i, item in enumerate("pqrst")
    ]
    data = {"columns": ["judge", "item", "group", "score"], "rows": rows}

    found = answer("mixed_model", {"formula": "score ~ group + (1|item) + (1|judge)"}, data)

    means = [sum(r[3] for r in rows if r[2] == group) / 10 for group in ("expert", "crowd")]
    assert found["value"]["group[crowd]"] == found["value"]["slope"]
    assert found["value"]["slope"] == pytest.approx(means[1] - means[0])
    assert {"var_item", "var_judge", "var_residual"} <= set(found["value"])


@pytest.mark.parametrize("words", ["approximate", "1 - 3/(4*df - 1)", "3/(4df-1)"])
def test_the_approximate_bias_factor_has_many_names(words):
    data = {"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]}
    d = answer("cohen_d", {}, data)["value"]

    found = answer("hedges_g", {"correction": words}, data)

    assert found["value"] == pytest.approx(d * (1 - 3 / (4 * 6 - 1)))


def test_bounds_of_equivalence_may_be_given_in_standard_deviations():
    (case,) = cases("tost")
    options, data = case.values[0]["options"], case.values[0]["data"]

    # The case's raw bounds are .43 roots of the mean variance.
    in_deviations = options | {"bounds": [-0.43, 0.43], "bounds_type": "d"}

    assert_answers(answer("tost", in_deviations, data), case.values[0])
    with pytest.raises(ValueError, match="bounds_type must be raw or d, not 'percent'"):
        answer("tost", options | {"bounds_type": "percent"}, data)
