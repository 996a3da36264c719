"""The same numbers as rouge-score, sacrebleu and nltk on texts that nobody would write.

``CONCORD_PAIRS=20000`` takes more of them, and a quarter of an hour.
"""

import os

import pytest
import sacrebleu
from nltk.translate.meteor_score import _count_chunks, exact_match
from rouge_score.rouge_scorer import RougeScorer

from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.meteor import align
from metrics_app.metrics.registry import REGISTRY, compute
from metrics_app.metrics.tokens import kept_tokens
from tests.metrics_app.metrics.hostile_pairs import hostile_pairs

ROUGE = ("rouge1", "rouge2", "rouge3", "rougeL", "rougeLsum")
SACREBLEU = {
    "bleu": sacrebleu.BLEU(effective_order=True),
    "chrf": sacrebleu.CHRF(),
    "chrf++": sacrebleu.CHRF(word_order=2),
    "ter": sacrebleu.TER(),
}


@pytest.fixture(scope="module")
def pairs():
    return hostile_pairs(int(os.environ.get("CONCORD_PAIRS", "300")), seed=7)


def scores(metric, pairs):
    return compute(metric, [Example(output, (reference,)) for output, reference in pairs]).values


@pytest.mark.parametrize("stem", [True, False])
def test_rouge(pairs, stem):
    peer = RougeScorer(list(ROUGE), use_stemmer=stem)
    expected = [peer.score(reference, output) for output, reference in pairs]
    for key in ROUGE:
        found = scores(REGISTRY[key].configure(stem=stem), pairs)
        for pair, ours, theirs in zip(pairs, found, expected, strict=True):
            if isinstance(ours, Undefined):  # rouge-score says 0 where no Latin word is left
                assert ours.reason in {"erased_by_tokenizer", "empty_reference"}, pair
                ours = 0.0  # noqa: PLW2901 -- what rouge-score makes of it
            assert ours == theirs[key].fmeasure, (key, pair)


@pytest.mark.parametrize("key", SACREBLEU)
def test_sacrebleu(pairs, key):
    for pair, ours in zip(pairs, scores(REGISTRY[key], pairs), strict=True):
        output, reference = pair
        if isinstance(ours, Undefined):
            assert ours.reason == "empty_reference", pair
            assert not reference.strip(), pair
        else:
            assert ours == SACREBLEU[key].sentence_score(output, [reference]).score, pair


def test_meteor_matches_as_many_words_as_nltk_in_no_more_chunks(pairs):
    for pair in pairs:
        output, reference = (list(kept_tokens(text, "unicode")) for text in pair)
        ours = align(output, reference, lambda word: (word,))
        theirs, _, _ = exact_match(list(output), list(reference))
        assert ours.n_matches == len(theirs), pair
        assert ours.n_chunks <= (_count_chunks(theirs) if theirs else 0), pair
