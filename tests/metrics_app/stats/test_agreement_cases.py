"""Every worked case of agreement, value, error, interval and p."""

import pytest

from metrics_app.stats.lines.agreement import HANDLERS
from tests.metrics_app.stats.oracle_cases import assert_answers, cases


@pytest.mark.parametrize("case", cases(*HANDLERS))
def test_worked_case(case):
    answer = HANDLERS[case["statistic"]](case["options"], case["data"])

    assert_answers(answer, case)
    for fact in ("pa", "pe", "se_null", "z", "z_null"):
        if fact in case["expected"]:
            assert answer[fact] == pytest.approx(
                case["expected"][fact], rel=case["tolerance"], abs=case["tolerance"]
            )
