"""BLEU, chrF and TER are sacrebleu's; what is ours is the handling of references and of nothing."""

import pytest
import sacrebleu

from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.registry import REGISTRY, compute

OUTPUT = "The dog had bit the man in the park."
REFERENCES = ("The dog bit the man.", "The man was bitten by a dog in the park.")
PEERS = {
    "bleu": sacrebleu.sentence_bleu,
    "chrf": sacrebleu.sentence_chrf,
    "chrf++": lambda output, references: sacrebleu.sentence_chrf(output, references, word_order=2),
    "ter": sacrebleu.sentence_ter,
}


def score(key, output, *references, policy=None, **params):
    metric = REGISTRY[key].configure(policy=policy, **params)
    return compute(metric, [Example(output, references)]).values[0]


@pytest.mark.parametrize("key", PEERS)
def test_equal_to_sacrebleu(key):
    assert score(key, OUTPUT, *REFERENCES) == PEERS[key](OUTPUT, list(REFERENCES)).score


@pytest.mark.parametrize("key", PEERS)
def test_best_and_mean(key):
    alone = [PEERS[key](OUTPUT, [reference]).score for reference in REFERENCES]
    best = min(alone) if key == "ter" else max(alone)
    assert score(key, OUTPUT, *REFERENCES, policy="best") == best
    assert score(key, OUTPUT, *REFERENCES, policy="mean") == pytest.approx(sum(alone) / 2)


@pytest.mark.parametrize("key", ["bleu", "chrf", "chrf++"])
def test_overlap_with_nothing(key):
    assert score(key, "", "a b") == 0.0
    assert score(key, "a b", "") == Undefined("empty_reference")


def test_edit_rate_of_nothing():
    assert score("ter", "", "") == 0.0
    assert score("ter", "", "a b") == 100.0
    assert score("ter", "a b", "") == Undefined("empty_reference")
    assert score("ter", "a b c d e f", "x y") == 300.0  # no cap at 100


def test_edit_rate_of_a_book_is_refused_before_it_starts():
    assert score("ter", "word " * 5001, "word").reason == "too_long"


def test_corpus_score_is_not_the_mean_of_sentences():
    batch = [Example("a b c d e", ("a b c d e",)), Example("a b x y z v", ("a b c d e f",))]
    metric = REGISTRY["bleu"]
    expected = sacrebleu.corpus_bleu(
        [example.output for example in batch], [[example.references[0] for example in batch]]
    ).score
    assert metric.corpus(batch, metric) == expected
    assert metric.corpus([], metric) == Undefined("no_reference")


def test_corpus_score_with_unequal_references_is_refused():
    batch = [Example("a", ("a",)), Example("b", ("b", "c"))]
    with pytest.raises(ValueError, match="same number of references"):
        REGISTRY["chrf"].corpus(batch, REGISTRY["chrf"])


def test_signature_names_the_library_and_its_version():
    assert REGISTRY["bleu"].signature == (
        "bleu|smoothing:exp|tokenizer:13a|max_n:4|lowercase:no"
        f"|sacrebleu:{sacrebleu.__version__}|refs:joint"
    )
