"""Small texts whose counts are done by hand."""

import pytest

from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.registry import REGISTRY, compute

# Fragments of the output in the source: "the cat sat", "on", "a", "dog ran".
SOURCE = ("The cat sat there on a mat.", "A dog ran.")
OUTPUT = "The cat sat on, then a big dog ran"


def score(key, output=OUTPUT, sources=SOURCE, priors=(), **params):
    metric = REGISTRY[key].configure(**params)
    return compute(metric, [Example(output, sources=sources, priors=priors)]).values[0]


def test_length():
    assert score("length") == 9.0
    assert score("length", "日本 ok") == 3.0
    assert score("length", "日本 ok", unit="characters") == 5.0


def test_compression():
    assert score("compression") == 9 / 10
    assert score("compression", sources=("", "!")) == Undefined("empty_source")


def test_copying():
    assert score("copy_rate") == 7 / 9  # all but "then" and "big"
    assert score("copy_rate", n=2) == 3 / 8  # the cat, cat sat, dog ran
    assert score("copy_density") == (9 + 1 + 1 + 4) / 9


def test_no_fragment_runs_from_one_source_into_the_next():
    assert score("copy_density", "mat a dog") == (1 + 4) / 3


PRIORS = ("the cat sat", "the dog sat on the mat")


def test_novelty_and_redundancy():
    # Bigrams: the cat (known), cat ran, ran on, on the (known), the mat (known).
    assert score("novelty", "the cat ran on the mat", priors=PRIORS) == 2 / 5
    # Second prior: the, on, the, mat of six words; the first has two.
    assert score("redundancy", "the cat ran on the mat", priors=PRIORS) == 4 / 6


def test_variety():
    assert score("type_token_ratio", "a b a c") == 3 / 4
    assert score("repetition", "a b a b a b", n=2) == pytest.approx(3 / 5)
    assert score("repetition", "a b") == Undefined("too_short")
    assert score("type_token_ratio", "") == Undefined("empty_output")
