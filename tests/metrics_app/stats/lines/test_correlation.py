"""Every worked case of correlation, answered as a JSON line."""

import json

import pytest

from metrics_app.stats.lines.correlation import HANDLERS
from metrics_app.stats.results import as_plain
from tests.metrics_app.stats.oracle_cases import assert_answers, cases

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
]


@pytest.mark.parametrize("case", cases(*WORKED))
def test_worked_case(case):
    answer = HANDLERS[case["statistic"]](case["options"], case["data"])

    assert_answers(json.loads(json.dumps(as_plain(answer))), case)
