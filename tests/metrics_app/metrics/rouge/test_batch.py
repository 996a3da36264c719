"""All pairs at once give what rouge-score gives for each alone, to the last bit."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from metrics_app.metrics.rouge import batch, vocabulary
from metrics_app.metrics.rouge.batch import KINDS, shared

PEERS = {stem: RougeScorer(list(KINDS), use_stemmer=stem) for stem in (True, False)}
LONG = ["abcdefgh", "abcdefghi", "abcdefghijklmnop", "abcdefghijklmnopq", "abcdefghijklmnopr"]
WORDS = st.sampled_from(["a", "b", "c", "the", "cats", "Cat", "running", "\x00", "é", "x1", *LONG])


def expected(outputs, references, stem):
    found = [
        PEERS[stem].score(reference, output)
        for output, reference in zip(outputs, references, strict=True)
    ]
    return np.array(
        [[[scores[kind][place] for scores in found] for kind in KINDS] for place in range(3)]
    )


def assert_equal(outputs, references, *, stem):
    ours = shared(outputs, references, stem=stem).measures()
    assert np.array_equal(ours, expected(outputs, references, stem))


TEXTS = st.lists(WORDS, max_size=90).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.booleans())
def test_equal_to_rouge_score(pairs, stem):
    assert_equal(*zip(*pairs, strict=True), stem=stem)


@pytest.mark.parametrize("n", [1, 63, 64, 65, 127, 128, 129, 200])
def test_equal_around_the_ends_of_machine_words(n):
    rng = np.random.default_rng(n)
    texts = [" ".join(rng.choice(list("abcdefgh"), size=n)) for _ in range(4)]
    assert_equal(texts[:2] + texts[:2], texts[2:] + texts[:2], stem=False)


def test_long_outputs_and_many_references(monkeypatch):
    monkeypatch.setattr(batch, "LONGEST_OUTPUT", 20)
    monkeypatch.setattr(batch, "PAIRS_CUT_AT_ONCE", 7)
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(list("abcdefghijkl"), size=n)) for n in (5, 30, 12, 19, 8, 40)]
    outputs = [output for output in texts for _ in texts]
    assert_equal(outputs, texts * len(texts), stem=True)


@pytest.mark.parametrize("stem", [True, False])
def test_equal_on_real_outputs(study_data, stem):
    with gzip.open(study_data("opinsummeval/outputs.jsonl.gz"), "rt", encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines][:30]
    pairs = [(text, item["references"][0]) for item in items for text in item["outputs"].values()]
    assert_equal(*zip(*pairs, strict=True), stem=stem)


def test_no_pairs_and_pairs_of_nothing():
    assert shared([], [], stem=False).hits.shape == (3, 0)
    assert_equal(["", "a", "", "!?", "\x00"], ["", "", "a", "-", "a"], stem=False)


def test_words_that_meet_in_the_table_are_told_apart(monkeypatch):
    monkeypatch.setattr(vocabulary, "_SLOT_BITS", 2)
    rng = np.random.default_rng(2)
    words = ["".join(rng.choice(list("abcxyz0"), size=n)) for n in rng.integers(1, 20, 60)]
    texts = [" ".join(rng.choice(words, size=40)) for _ in range(6)]
    assert_equal(texts, texts[::-1], stem=True)
    assert_equal(texts, texts[1:] + texts[:1], stem=False)


def test_without_the_subsequence_the_rest_is_the_same():
    texts = ["the cat sat", "the mat " * 200, "a cat sat on the mat"]
    outputs, references = texts * 3, [text for text in texts for _ in texts]
    whole = shared(outputs, references, stem=True)
    part = shared(outputs, references, stem=True, lcs=False)
    assert np.array_equal(part.hits[:2], whole.hits[:2])
    assert not part.hits[2].any()
    assert whole.hits[2].all()
