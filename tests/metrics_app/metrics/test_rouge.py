"""ROUGE: rouge-score is the judge of every pair it can score; Lin's examples of the rest."""

from hypothesis import given, settings
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.registry import REGISTRY, compute

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


@settings(max_examples=150, deadline=None)
@given(TEXTS, TEXTS, st.booleans())
def test_equal_to_rouge_score(reference, output, stem):
    assert_equals_peer(reference, output, stem)


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.text(max_size=60), st.booleans())
def test_equal_to_rouge_score_on_any_text(reference, output, stem):
    assert_equals_peer(reference, output, stem)
