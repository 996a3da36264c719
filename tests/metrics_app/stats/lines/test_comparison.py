"""Every worked case of comparison, answered as a JSON line."""

import json

import pytest

from metrics_app.stats.lines.comparison import HANDLERS
from metrics_app.stats.results import as_plain
from tests.metrics_app.stats.oracle_cases import assert_answers, cases

WORKED = ["oneway_anova", "welch_anova", "eta_squared", "omega_squared", "epsilon_squared"]


@pytest.mark.parametrize("case", cases(*WORKED))
def test_worked_case(case):
    answer = json.loads(
        json.dumps(as_plain(HANDLERS[case["statistic"]](case["options"], case["data"])))
    )

    assert_answers(answer, case)
    # The cases keep a few facts beside value, se, ci and p.
    beside = {k: v for k, v in case["expected"].items() if k not in {*FORM, "undefined"}}
    assert {k: answer[k] for k in beside} == pytest.approx(beside, rel=case["tolerance"])


FORM = {"value", "se", "ci", "p"}
