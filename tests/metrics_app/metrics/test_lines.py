"""The text cases, asked as an R user would ask them: one process, one line each."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from metrics_app.metrics.lines import HANDLERS
from tests.metrics_app.stats.oracle_cases import all_cases, assert_answers

ROOT = Path(__file__).resolve().parents[3]
TEXT_METRICS = ("rouge", "bleu", "corpus_", "sentence_", "meteor")
CASES = [case for case in all_cases() if case["statistic"].startswith(TEXT_METRICS)]


def ask(*requests):
    finished = subprocess.run(
        [sys.executable, "-W", "error", "-m", "metrics_app.metrics"],
        input="\n".join(map(json.dumps, requests)),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert finished.stderr == ""
    return {line["id"]: line for line in map(json.loads, finished.stdout.splitlines())}


@pytest.fixture(scope="module")
def answered():
    parts = ("id", "statistic", "options", "data")
    return ask(*({part: case[part] for part in parts} for case in CASES))


def test_there_are_as_many_cases_as_stated():
    assert len(CASES) == 59


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case, answered):
    answer = answered[case["id"]]
    assert "error" not in answer, answer
    assert_answers(answer, case)


def test_references_pooled_as_sets():
    answer = ask(
        {
            "id": 1,
            "statistic": "rouge1",
            "options": {"policy": "set_union"},
            "data": {
                "candidate": "meeting moved to friday",
                "references": ["friday meeting moved", "new time for meeting"],
            },
        }
    )[1]
    assert answer["value"] == {"p": 0.75, "r": 0.5, "f": pytest.approx(0.6, abs=1e-15)}
    assert answer["signature"].endswith("|refs:set_union")


def test_faults_stay_in_their_line():
    data = {"candidate": "a b", "references": ["a b"]}
    answers = ask(
        {"id": 1, "statistic": "rouge1", "options": {"colour": "red"}, "data": data},
        {"id": 2, "statistic": "rouge1", "data": {"candidate": "a", "references": "a"}},
        {"id": 3, "statistic": "rouge1", "data": {"candidate": "a", "references": []}},
        {"id": 4, "statistic": "no_such_metric", "data": data},
        {"id": 5, "statistic": "rouge1", "data": {"references": ["a"]}},
        {"id": 6, "statistic": "rouge1", "data": data},
    )
    assert answers[1]["error"] == (
        "rouge1 has no parameter 'colour'; it has: measure, stem, tokenizer"
    )
    assert answers[2]["error"] == "references must be a list of texts"
    assert answers[3]["undefined"] == "no_reference"
    assert answers[4]["unsupported"] is True
    assert answers[5]["error"] == "'candidate' is missing"
    assert answers[6]["value"] == {"p": 1.0, "r": 1.0, "f": 1.0}


def test_no_django_is_loaded():
    code = (
        "import sys, metrics_app.metrics.lines\n"
        "print([name for name in sys.modules if name.startswith('django')])"
    )
    finished = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True
    )
    assert finished.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("candidate", "reference", "reason"),
    [
        ("a b", "", "empty_reference"),
        ("", " ", "empty_reference"),
        ("a b", "...", "empty_reference"),
        ("добрый день", "добрый день", "erased_by_tokenizer"),
        ("a b", "день", "erased_by_tokenizer"),
    ],
)
def test_skip_bigrams_of_no_words_are_undefined(candidate, reference, reason):
    data = {"candidate": candidate, "references": [reference]}

    assert HANDLERS["rougeS"]({}, data)["undefined"] == reason


def test_a_corpus_needs_references_in_lists():
    ask_bleu = HANDLERS["corpus_bleu"]

    assert ask_bleu({}, {"candidates": ["a"], "references": []})["undefined"] == "no_reference"
    for references in ("h", ["h"]):
        with pytest.raises(ValueError, match="one list of texts per reference set"):
            ask_bleu({}, {"candidates": ["h"], "references": references})


@pytest.mark.parametrize(
    ("references", "reason"), [([], "no_reference"), ([""], "empty_reference")]
)
def test_without_words_to_compare_with_every_statistic_says_so(references, reason):
    names = ["rouge1", "rougeS", "rougeSU4", "bleu", "bleu_modified_precision", "meteor"]
    names += ["sentence_bleu", "sentence_chrf", "sentence_ter"]
    data = {"candidate": "a b", "references": references}
    answers = ask(*({"id": name, "statistic": name, "data": data} for name in names))
    assert {name: answer.get("undefined") for name, answer in answers.items()} == dict.fromkeys(
        names, reason
    )
