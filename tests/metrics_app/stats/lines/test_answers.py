"""One request in, one answer out; the worked cases are asked as an R user would ask them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from metrics_app.stats.lines import answers
from tests.metrics_app.stats.oracle_cases import all_cases, assert_answers

ROOT = Path(__file__).resolve().parents[4]
TEXT_METRICS = ("rouge", "bleu", "corpus_", "sentence_", "meteor")
CASES = [case for case in all_cases() if not case["statistic"].startswith(TEXT_METRICS)]


def run(*arguments, text=""):
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "metrics_app.stats", *arguments],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )


@pytest.fixture(scope="module")
def answered():
    """Ask all worked cases in one process; id to answer."""
    parts = ("id", "statistic", "options", "data")
    requests = [json.dumps({part: case[part] for part in parts}) for case in CASES]
    finished = run(text="\n".join(requests))
    assert finished.stderr == ""
    return {line["id"]: line for line in map(json.loads, finished.stdout.splitlines())}


def test_every_case_is_answered(answered):
    assert len(CASES) == 326
    assert list(answered) == [case["id"] for case in CASES]


def test_no_case_is_unsupported(answered):
    assert [case["id"] for case in CASES if "unsupported" in answered[case["id"]]] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case, answered):
    answer = answered[case["id"]]
    assert "error" not in answer, answer
    assert_answers(answer, case)


@pytest.fixture
def stand_in(monkeypatch):
    """Replace the handlers by one that returns or raises what the test gives."""

    def install(handler):
        monkeypatch.setattr(answers, "handlers", lambda: {"probe": handler})

    return install


def ask(**parts):
    return answers.answer({"id": 7, "statistic": "probe", "data": {}} | parts)


def test_what_exists_is_given_and_nothing_else(stand_in):
    stand_in(lambda _o, _d: {"value": 0.5, "se": float("nan"), "ci": None, "p": 0.25})
    assert ask() == {"id": 7, "value": 0.5, "p": 0.25}


def test_an_undefined_answer_keeps_what_is_known(stand_in):
    stand_in(lambda _o, _d: {"value": None, "undefined": "one_category", "pa": 1.0})
    assert ask() == {"id": 7, "undefined": "one_category", "pa": 1.0}


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (ValueError("unit 'u1' was rated twice"), "unit 'u1' was rated twice"),
        (KeyError("ratings"), "'ratings' is missing"),
        (TypeError("no list"), "the data do not have the right shape: no list"),
    ],
)
def test_a_fault_becomes_a_sentence(stand_in, fault, sentence):
    def fail(_options, _data):
        raise fault

    stand_in(fail)
    assert ask() == {"id": 7, "error": sentence}


def test_numbers_beyond_double_precision_are_an_error_not_a_warning():
    data = {"ratings": [[1, 1e308], [2, 2]]}
    reply = answers.answer({"id": 1, "statistic": "icc", "data": data})
    assert reply["error"].startswith("the numbers are too large or too small to compute with")


@pytest.mark.parametrize("name", sorted(answers.handlers()))
@pytest.mark.parametrize(
    "data",
    [
        {},
        {"ratings": [[1, "a"]], "x": ["a"], "y": None, "groups": [1], "labels": "x"},
        {"ratings": [], "x": [], "y": [], "groups": {}, "labels": [], "p": [], "scores": []},
        {"ratings": [[None]], "x": [None], "y": [None], "groups": {"a": [None]}, "X": [[None]]},
    ],
    ids=["nothing", "nonsense", "empty", "missing"],
)
def test_senseless_data_end_no_line_without_an_answer(name, data):
    reply = answers.answer({"id": 1, "statistic": name, "data": data})
    assert {"error", "undefined", "value"} & set(reply)


def test_options_that_nobody_read_are_named(stand_in):
    stand_in(lambda options, _d: {"value": options.get("confidence")})
    asked = {"confidence": 0.9, "alternative": "greater"}
    assert ask(options=asked) == {"id": 7, "value": 0.9, "ignored": ["alternative"]}


def test_options_that_are_passed_on_whole_count_as_read(stand_in):
    stand_in(lambda options, _d: {"value": len({**options}) + len(dict(options))})
    assert ask(options={"a": 1, "b": 2}) == {"id": 7, "value": 4}


@pytest.mark.parametrize("parts", [{"data": None}, {"options": [1]}])
def test_a_request_without_its_parts_is_told_so(stand_in, parts):
    stand_in(lambda _o, _d: {"value": 1.0})
    sentence = "options and data must be objects, such as {'ratings': [...]}"
    assert ask(**parts) == {"id": 7, "error": sentence}


def test_a_request_must_name_its_statistic():
    assert ask(statistic=None) == {"id": 7, "error": "the request names no statistic"}


def test_an_unknown_statistic_is_unsupported():
    assert answers.answer({"id": "a", "statistic": "no_such", "data": {}}) == {
        "id": "a",
        "unsupported": True,
    }


def test_a_broken_line_is_told_with_its_number_and_the_next_is_read(stand_in):
    stand_in(lambda _o, data: {"value": data["x"]})
    good = '{"id": 1, "statistic": "probe", "data": {"x": 2}}'
    found = [json.loads(line) for line in answers.answer_lines([good, "", "{broken", "[1]", good])]

    assert found[0] == found[3] == {"id": 1, "value": 2}
    assert found[1]["line"] == 3
    assert found[1]["error"].startswith("line 3 is no JSON: ")
    assert found[2] == {"id": None, "line": 4, "error": "line 4 is no JSON object"}


def test_nan_is_a_missing_value_and_infinity_an_error(stand_in):
    stand_in(lambda _o, data: {"value": data["x"].count(None)})
    line = '{"id": 1, "statistic": "probe", "data": {"x": [1, %s]}}'
    nan, infinite = answers.answer_lines([line % "NaN", line % "Infinity"])

    assert json.loads(nan) == {"id": 1, "value": 1}
    assert "Infinity is no number" in json.loads(infinite)["error"]


def test_broken_bytes_end_only_their_line(stand_in):
    stand_in(lambda _o, _d: {"value": 1})
    good = b'{"id": "\xc3\xa4", "statistic": "probe", "data": {}}'
    bad, fine = answers.answer_lines([b'{"id": "\xff"}', good])

    assert json.loads(bad)["line"] == 1
    assert json.loads(fine) == {"id": "ä", "value": 1}


def test_list_prints_every_name():
    assert run("--list").stdout.split() == sorted(answers.handlers())


def test_neither_import_nor_run_loads_a_web_framework():
    script = (
        "import sys, io, runpy, metrics_app.stats\n"
        'sys.stdin = io.TextIOWrapper(io.BytesIO(b\'{"id": 1, "statistic": "x", "data": {}}\'))\n'
        "sys.argv = ['stats']\n"
        "runpy.run_module('metrics_app.stats', run_name='__main__')\n"
        "heavy = {'django', 'rest_framework', 'celery', 'redis', 'statsmodels', 'pandas'}\n"
        "loaded = sorted(heavy & {name.partition('.')[0] for name in sys.modules})\n"
        "print(loaded, file=sys.stderr)\n"
    )
    finished = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert finished.stdout == '{"id": 1, "unsupported": true}\n'
    assert finished.stderr == "[]\n"
