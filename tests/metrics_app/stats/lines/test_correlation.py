"""Every worked case of correlation, answered as a JSON line."""

import json

import pytest

from metrics_app.stats.lines import correlation, significance
from metrics_app.stats.results import as_plain
from tests.metrics_app.stats.oracle_cases import assert_answers, cases

HANDLERS = correlation.HANDLERS | significance.HANDLERS
WORKED = [
    "pearson",
    "spearman",
    "kendall_tau_a",
    "kendall_tau_b",
    "kendall_tau_c",
    "system_level_correlation",
    "summary_level_correlation",
    "global_level_correlation",
    "grouped_correlation",
    "williams_test",
    "steiger_z",
    "meng_z",
    "acc_eq",
    "acc_eq_calibrated",
    "soft_pairwise_accuracy",
    "permutation_test_correlation_difference",
    "bootstrap_ci_correlation",
]


def answer(statistic, options, data):
    return json.loads(json.dumps(as_plain(HANDLERS[statistic](options, data)), allow_nan=False))


@pytest.mark.parametrize("case", cases(*WORKED))
def test_worked_case(case):
    found = answer(case["statistic"], case["options"], case["data"])

    assert_answers(found, case)
    if "p_greater" in case["expected"]:
        assert found["p_greater"] == case["expected"]["p_greater"]


def test_swapping_rows_then_columns_has_its_own_exact_p():
    # STATISTICS of the field: cells .1343, rows and then columns .1250 on this table.
    (case,) = cases("permutation_test_correlation_difference")
    for words in ("rows then columns", "rows and columns"):
        options = case.values[0]["options"] | {"swap": words}
        assert answer(case.values[0]["statistic"], options, case.values[0]["data"])["p"] == 0.125


@pytest.mark.parametrize("statistic", ["pearson", "spearman"])
@pytest.mark.parametrize("scale", [1.0, 1e200, 1e-200, 0.1])
def test_a_straight_line_correlates_exactly(statistic, scale):
    found = answer(statistic, {}, {"x": [1, 2, 3], "y": [-scale, -2 * scale, -3 * scale]})

    assert (found["value"], found["p"]) == (-1.0, 0.0)


@pytest.mark.parametrize(
    ("statistic", "options", "data", "sentence"),
    [
        ("pearson", {}, {"x": [1, 2], "y": [1]}, "x has 2 values and y has 1"),
        ("spearman", {"p_method": "exact"}, {"x": [1], "y": [1]}, "p_method of spearman is"),
        (
            "system_level_correlation",
            {"coefficient": "tau"},
            {"metric": [[1]], "human": [[1]]},
            "there is no coefficient 'tau'",
        ),
        (
            "grouped_correlation",
            {"coefficient": "pearson", "group_by": "judge"},
            {"metric": [[1]], "human": [[1]]},
            "group_by must be none, item or system",
        ),
        (
            "summary_level_correlation",
            {"coefficient": "pearson"},
            {"metric": [[1, 2]], "human": [[1]]},
            "metric is 1 x 2 and human is 1 x 1",
        ),
        ("williams_test", {}, {"r12": 1.2, "r13": 0, "r23": 0, "n": 9}, "r12 is 1.2"),
        ("meng_z", {}, {"r12": 0.9, "r13": -0.9, "r23": 0.9, "n": 9}, "no three series"),
        ("steiger_z", {"variant": "odd"}, {"r12": 0, "r13": 0, "r23": 0, "n": 9}, "variant must"),
        ("acc_eq", {"epsilon": -1}, {"human": [[1, 2]], "metric": [[1, 2]]}, "not be negative"),
        (
            "bootstrap_ci_correlation",
            {"method": "BOOT"},
            {"metric": [[1]], "human": [[1]]},
            "method must be one of",
        ),
    ],
)
def test_bad_input_is_answered_with_a_sentence(statistic, options, data, sentence):
    with pytest.raises(ValueError, match=sentence):
        answer(statistic, options, data)
