"""The arithmetic with a stand-in model; the loading with a tiny real one where torch is there."""

import json
import math

import pytest

from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.families import likelihood
from metrics_app.metrics.registry import REGISTRY, compute

EXAMPLE = Example("out", references=("ref", "other"), sources=("src",))


class StandIn:
    """Know the likelihood of some targets given some sources."""

    TABLE = {
        ("", "out"): -2.0,
        ("src", "out"): -1.0,
        ("ref", "out"): -3.0,
        ("out", "ref"): -1.0,
        ("other", "out"): -4.0,
        ("out", "other"): -6.0,
    }

    def log_likelihood(self, source, target):
        return self.TABLE.get((source, target))


def score(key, example=EXAMPLE, policy=None, **params):
    metric = REGISTRY[key].configure(policy=policy, model="stand-in", **params)
    return compute(metric, [example]).values[0]


@pytest.fixture
def stand_in(monkeypatch):
    monkeypatch.setattr(likelihood, "open_language_model", lambda _folder: StandIn())


@pytest.mark.usefixtures("stand_in")
def test_scores_follow_from_the_likelihoods():
    assert score("perplexity") == math.exp(2)
    assert score("perplexity", given="source") == math.e
    assert score("bart_score_source") == -1.0
    assert score("bart_score") == -2.0  # the mean of -3 and -1; -5 against the other
    assert score("bart_score", policy="mean") == -3.5
    assert score("bart_score", measure="r", policy="mean") == -3.5
    assert score("perplexity", Example("unknown")) == Undefined("too_short")
    assert score("perplexity", Example("")) == Undefined("empty_output")


def test_without_a_model_it_is_not_configured():
    assert compute(REGISTRY["perplexity"], [EXAMPLE]).values[0].reason == "not_configured"
    found = score("bart_score")
    assert found == Undefined("not_configured", "the model folder stand-in does not exist")


def test_without_torch_the_message_names_it(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    metric = REGISTRY["perplexity"].configure(model=str(tmp_path))
    found = compute(metric, [EXAMPLE]).values[0]
    assert found.detail == "torch is not installed; likelihoods need transformers and torch"


@pytest.fixture
def tiny_gpt2(tmp_path):
    torch = pytest.importorskip("torch", reason="torch is no dependency; install it to run this")
    transformers = pytest.importorskip("transformers")
    vocabulary = {"<|endoftext|>": 0, "g": 1, "o": 2, "d": 3}
    (tmp_path / "vocab.json").write_text(json.dumps(vocabulary))
    (tmp_path / "merges.txt").write_text("#version: 0.2\n")
    torch.manual_seed(0)
    config = transformers.GPT2Config(vocab_size=4, n_positions=16, n_embd=8, n_layer=1, n_head=2)
    transformers.GPT2LMHeadModel(config).save_pretrained(tmp_path)
    transformers.GPT2Tokenizer(
        str(tmp_path / "vocab.json"), str(tmp_path / "merges.txt")
    ).save_pretrained(tmp_path)
    return tmp_path


def test_a_real_model_from_a_folder(tiny_gpt2):
    metric = REGISTRY["perplexity"].configure(model=str(tiny_gpt2))
    good, short = compute(metric, [Example("good"), Example("g")]).values
    # An untrained model spreads its guess over four tokens, about evenly.
    assert 3 < good < 5
    assert short == Undefined("too_short")


def test_a_folder_that_holds_no_model(tmp_path):
    pytest.importorskip("torch", reason="torch is no dependency; install it to run this")
    metric = REGISTRY["perplexity"].configure(model=str(tmp_path))
    assert "cannot be read as a model" in compute(metric, [EXAMPLE]).values[0].detail
