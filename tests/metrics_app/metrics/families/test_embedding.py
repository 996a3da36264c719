"""The light default model: meaning counts, order and length do as each metric defines."""

from importlib.util import find_spec

import pytest

from metrics_app.metrics.contract import Example
from metrics_app.metrics.registry import REGISTRY, compute

KEYS = ["bertscore", "embedding_average", "vector_extrema", "greedy_matching", "sms", "mover_score"]
REFERENCE = "The film was wonderful. Everyone enjoyed it."


def score(key, output, reference=REFERENCE, **params):
    if find_spec("wordllama") is None:
        pytest.skip("the extra 'embeddings' is not installed")
    metric = REGISTRY[key].configure(**params)
    return compute(metric, [Example(output, (reference,))]).values[0]


@pytest.mark.parametrize("key", KEYS)
def test_a_text_is_nearest_to_itself(key):
    assert score(key, REFERENCE) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_a_paraphrase_is_nearer_than_another_matter(key):
    near = score(key, "The movie was great. All people liked it.")
    far = score(key, "Interest rates rose. Banks lend less money.")
    assert far < near < 1


def test_averages_do_not_see_the_order():
    assert score("embedding_average", "bad good", "good bad") == pytest.approx(1.0)


def test_movers_of_words_see_more_than_movers_of_sentences():
    output = "Everyone enjoyed it. The film was wonderful."
    assert score("sms", output, unit="sentence") == pytest.approx(1.0, abs=1e-9)
    assert score("sms", output, unit="sentence+word") == pytest.approx(1.0, abs=1e-9)
    other = "Everyone enjoyed it very much."
    assert score("sms", other) != score("sms", other, unit="sentence+word")


def test_the_process_keeps_its_logging():
    import logging

    handlers = list(logging.getLogger().handlers)
    score("bertscore", "a film")
    assert logging.getLogger().handlers == handlers
