"""The worked cases, and how an answer is held against one."""

import json
import math
from functools import cache
from pathlib import Path

import pytest

CASES = Path(__file__).resolve().parents[2] / "data" / "oracles.json"


@cache
def all_cases():
    """Return all worked cases, in their order."""
    return json.loads(CASES.read_text(encoding="utf-8"))


def cases(*statistics):
    """Return the cases of the named statistics as pytest parameters, by id."""
    found = [case for case in all_cases() if case["statistic"] in statistics]
    missing = set(statistics) - {case["statistic"] for case in found}
    assert not missing, f"no case for {sorted(missing)}"
    return [pytest.param(case, id=case["id"]) for case in found]


def assert_answers(answer, case):
    """Assert that the answer of a handler has every number that the case states."""
    expected = case["expected"]
    if expected.get("undefined"):
        assert answer.get("undefined"), f"{case['id']} should be undefined, got {answer}"
        return
    assert not answer.get("undefined"), f"{case['id']}: undefined, {answer['undefined']}"
    for key in ("value", "se", "ci", "p"):
        if expected.get(key) is not None:
            tolerance = expected.get(f"{key}_tolerance", case["tolerance"])
            _assert_close(answer.get(key), expected[key], tolerance, f"{case['id']} {key}")


def _assert_close(actual, expected, tolerance, where):
    if isinstance(expected, dict):
        assert isinstance(actual, dict), f"{where}: {actual!r} is no mapping"
        for key, part in expected.items():
            _assert_close(actual.get(key), part, tolerance, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(actual) == len(expected), where
        for index, (a, e) in enumerate(zip(actual, expected, strict=True)):
            _assert_close(a, e, tolerance, f"{where}[{index}]")
    elif isinstance(expected, (bool, str)) or expected is None:
        assert actual == expected, where
    else:
        assert actual is not None, f"{where} is missing"
        assert math.isclose(actual, expected, rel_tol=tolerance, abs_tol=max(tolerance, 1e-12)), (
            f"{where}: {actual} is not {expected}"
        )
