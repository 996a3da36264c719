"""ROUGE: rouge-score is the judge of every pair it can score; Lin's examples of the rest."""

import gzip
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.registry import REGISTRY, compute, compute_each

KINDS = ["rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum"]
PEERS = {stem: RougeScorer(KINDS, use_stemmer=stem) for stem in (True, False)}
WORDS = ["the", "cats", "cat", "running", "runs", "Mat", "mats", "a", "über", "x1", "\n", "!", "İ"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


def score(key, output, *references, policy=None, **params):
    metric = REGISTRY[key].configure(policy=policy, **params)
    return compute(metric, [Example(output, references)]).values[0]


def assert_equals_peer(reference, output, stem):
    expected = PEERS[stem].score(reference, output)
    for kind in KINDS:
        ours = tuple(score(kind, output, reference, stem=stem, measure=m) for m in "prf")
        if not any(isinstance(each, Undefined) for each in ours):
            assert ours == tuple(expected[kind]), (kind, stem)
        else:
            assert set(ours) <= {Undefined("empty_reference"), Undefined("erased_by_tokenizer")}
            assert tuple(expected[kind]) == (0, 0, 0)


@settings(max_examples=80, deadline=None)
@given(TEXTS, TEXTS, st.booleans())
def test_equal_to_rouge_score(reference, output, stem):
    assert_equals_peer(reference, output, stem)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.booleans())
def test_equal_to_rouge_score_on_any_text(reference, output, stem):
    assert_equals_peer(reference, output, stem)


def test_equal_to_rouge_score_on_real_outputs(study_data):
    with gzip.open(study_data("opinsummeval/outputs.jsonl.gz"), "rt", encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines][:15]
    for item in items:
        # Sentences on lines of their own, so that Lsum has something to unite.
        reference = item["references"][0].replace(". ", ".\n")
        for output in item["outputs"].values():
            assert_equals_peer(reference, output.replace(". ", ".\n"), stem=True)


REFERENCES = ("the cat sat on the mat", "a dog ran", "the cat ran on a mat")
OUTPUT = "the cat ran"
# Unigram F1 against each, by hand: 2 of 3 and 6; 1 of 3 and 3; 3 of 3 and 6.
F = (4 / 9, 1 / 3, 2 / 3)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("best", F[2]),
        ("mean", sum(F) / 3),
        # Without the third the best is the first; without either other it is the third.
        ("jackknife", (F[0] + 2 * F[2]) / 3),
        # {the cat ran} against {the cat sat on mat a dog ran}: 3 of 3 and 8.
        ("set_union", 6 / 11),
    ],
)
def test_policies(policy, expected):
    assert score("rouge1", OUTPUT, *REFERENCES, policy=policy) == pytest.approx(expected, abs=1e-15)


def test_best_is_chosen_by_f_whatever_is_reported():
    # By precision the second (1 of 1) would win; by F it is the first.
    assert score("rouge1", "a b c", "a b x", "a", measure="r") == 2 / 3
    expected = PEERS[False].score_multi(["a b x", "a"], "a b c")["rouge1"]
    assert score("rouge1", "a b c", "a b x", "a", measure="p") == expected.precision


def test_each_reference_has_its_own_scores():
    metric = REGISTRY["rouge1"].configure(policy="each")
    found = compute_each(metric, [Example(OUTPUT, REFERENCES), Example("a dog", REFERENCES[:1])])
    assert [scores.values[0] for scores in found] == pytest.approx(F)
    assert [scores.values[1] for scores in found] == [
        0.0,
        Undefined("no_reference"),
        Undefined("no_reference"),
    ]
    assert found[1].signature.endswith("|refs:each[2]")


def test_a_policy_that_a_metric_does_not_have_is_refused():
    with pytest.raises(ValueError, match="rougeL: reference policy must be one of best, mean"):
        REGISTRY["rougeL"].configure(policy="set_union")


def test_skip_bigrams_reach_over_four_words():
    # a..f have four words between them and pair; a..g have five and do not.
    assert score("rougeS4", "a f", "a b c d e f", measure="p") == 1.0
    assert score("rougeS4", "a g", "a b c d e f g", measure="p") == 0.0
    assert score("rougeSU4", "a g", "a b c d e f g", measure="p") == 2 / 3


def test_latin_tokenizer_does_not_pass_off_a_lost_text_as_a_zero():
    assert score("rouge1", "добрый день", "добрый день") == Undefined("erased_by_tokenizer")
    assert score("rouge1", "добрый день", "добрый день", tokenizer="unicode") == 1.0
    assert score("rouge2", "यह एक किताब है", "यह एक किताब है", tokenizer="unicode") == 1.0
    # Two of three signs are shared, where one token a sentence would share nothing.
    assert score("rouge1", "我爱你", "我爱他", tokenizer="unicode") == pytest.approx(2 / 3)


def parse(text):
    """Stand in for a parser: every word depends on the one before."""
    words = text.split()
    return [(head, word, "next") for head, word in pairwise(words)]


def test_basic_elements_need_a_parser():
    assert score("rougeBE", "a b", "a b").reason == "not_configured"
    # Heads and modifiers are stemmed: (dog, run) is found, (run, away) is not in "dogs run home".
    assert score("rougeBE", "dog running away", "dogs run home", parser=parse) == 0.5
    assert "parser:parse" in REGISTRY["rougeBE"].configure(parser=parse).signature


@pytest.mark.parametrize("tokenizer", ["latin", "unicode"])
def test_long_texts_have_the_scores_of_rouge_score(tokenizer):
    rng = np.random.default_rng(3)
    one, other = (" ".join(rng.choice(list("abcdefgh"), size=n)) for n in (1_500, 1_200))
    kinds = ["rouge1", "rouge2", "rouge3", "rougeL"]
    expected = RougeScorer(kinds).score(other, one)
    for key in kinds:
        metric = REGISTRY[key].configure(stem=False, tokenizer=tokenizer)
        assert compute(metric, [Example(one, (other,))]).values[0] == expected[key].fmeasure


@pytest.mark.parametrize(
    ("key", "text", "detail"),
    [
        ("rougeL", "a " * 50_001, "50001 words; ROUGE-L takes up to 50000."),
        ("rougeLsum", "a " * 20_001, "20001 words; ROUGE-Lsum takes up to 20000."),
        ("rougeLsum", "a\n" * 1_001, "ROUGE-Lsum would compare 1002001 pairs of lines."),
    ],
)
@pytest.mark.parametrize("tokenizer", ["latin", "unicode"])
def test_what_would_take_too_long_says_so(key, text, detail, tokenizer):
    metric = REGISTRY[key].configure(tokenizer=tokenizer)
    found = compute(metric, [Example(text, (text,)), Example("a", ("a",))]).values
    assert found == (Undefined("too_long", detail), 1.0)


@pytest.mark.parametrize("key", ["rouge1", "rouge2", "rouge3", "rougeS4", "rougeSU4"])
def test_a_hundred_thousand_words_are_counted(key):
    text = " ".join(f"word{place}" for place in range(100_000))
    assert compute(REGISTRY[key], [Example(text, (text,))]).values == (1.0,)
