"""The arithmetic with a stand-in model; the loading with tiny real ones where torch is there."""

import math

import pytest

from metrics_app.metrics.contract import Example, Undefined
from metrics_app.metrics.embeddings.embedder import open_embedder
from metrics_app.metrics.families import likelihood
from metrics_app.metrics.likelihood import NoLanguageModelError, open_language_model
from metrics_app.metrics.registry import REGISTRY, compute
from tests.metrics_app.metrics.tiny_models import CORPUS, N_POSITIONS, saved

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


@pytest.fixture(autouse=True)
def forget():
    yield
    open_language_model.cache_clear()


LONG = " ".join(CORPUS * 9)


@pytest.mark.parametrize("kind", ["gpt2", "bart", "pegasus", "t5"])
def test_a_model_from_a_folder_scores_every_text(kind, tmp_path):
    folder = str(saved(kind, tmp_path))
    texts = ("a good film", LONG, "é 猫 😀", "</s> a </s>", "bad \udc80 byte")
    batch = [Example(text, (CORPUS[0], LONG), (LONG,)) for text in texts]
    for key in ("perplexity", "bart_score", "bart_score_source"):
        values = compute(REGISTRY[key].configure(model=folder), batch).values
        assert all(isinstance(value, float) and math.isfinite(value) for value in values), values


def test_bart_score_is_the_mean_log_probability_with_the_end_mark(tmp_path):
    folder = str(saved("bart", tmp_path))
    import torch
    import transformers

    model = transformers.BartForConditionalGeneration.from_pretrained(folder).eval()
    cut = transformers.AutoTokenizer.from_pretrained(folder)
    given, asked = (cut(text, return_tensors="pt")["input_ids"] for text in CORPUS[1:])
    with torch.no_grad():  # transformers' own loss is the mean over the target's tokens
        loss = model(input_ids=given, labels=asked).loss
    found = open_language_model(folder).log_likelihood(*CORPUS[1:])
    assert found == pytest.approx(-float(loss), abs=1e-5)


def test_a_text_longer_than_the_model_is_read_in_windows(tmp_path):
    folder = str(saved("gpt2", tmp_path))
    import torch
    import transformers

    model = transformers.GPT2LMHeadModel.from_pretrained(folder).eval()
    cut = transformers.AutoTokenizer.from_pretrained(folder)
    text = "abcdefghijklmnopq"  # each letter a token, one more than the model has positions
    ids = cut(text, add_special_tokens=False, return_tensors="pt")["input_ids"]
    assert ids.shape[1] == N_POSITIONS + 1
    with torch.no_grad():
        most = -float(model(ids[:, :-1], labels=ids[:, :-1]).loss) * (N_POSITIONS - 1)
        logits = model(ids[:, 1:-1]).logits[0, -1].double()
    last = float(torch.log_softmax(logits, dim=-1)[ids[0, -1]])
    opened = open_language_model(folder)
    assert opened.log_likelihood("", text) == pytest.approx((most + last) / N_POSITIONS, abs=1e-5)
    # With a source before it, only the target's tokens count.
    assert opened.log_likelihood(text[:-1], text[-1]) == pytest.approx(last, abs=1e-5)
    assert opened.log_likelihood("", "a") is None


def test_pegasus_is_saved_without_its_positions(tmp_path):
    folder = saved("pegasus", tmp_path)
    from safetensors.torch import load_file, save_file

    before = open_language_model(str(folder)).log_likelihood(*CORPUS[1:])
    open_language_model.cache_clear()
    weights = load_file(folder / "model.safetensors")
    kept = {name: value for name, value in weights.items() if "embed_positions" not in name}
    assert len(kept) < len(weights)
    save_file(kept, folder / "model.safetensors", metadata={"format": "pt"})
    assert open_language_model(str(folder)).log_likelihood(*CORPUS[1:]) == pytest.approx(before)


def refusal(folder):
    with pytest.raises(NoLanguageModelError) as refused:
        open_language_model(str(folder))
    return str(refused.value)


def test_folders_that_hold_no_language_model_are_refused(tmp_path):
    for kind in ("gpt2", "bert", "roberta"):
        saved(kind, tmp_path / kind)
    (tmp_path / "empty").mkdir()
    assert "cannot be read as a model" in refusal(tmp_path / "empty")
    assert "lacks weights of a language model" in refusal(tmp_path / "roberta")
    assert "sees the words that it should foretell (bert)" in refusal(tmp_path / "bert")
    (tmp_path / "gpt2" / "model.safetensors").write_text("broken")
    assert "cannot be read as a model" in refusal(tmp_path / "gpt2")


@pytest.mark.parametrize("kind", ["bert", "roberta"])
def test_vectors_are_those_of_transformers(kind, tmp_path):
    folder = saved(kind, tmp_path)
    import torch
    import transformers

    model = transformers.AutoModel.from_pretrained(folder).eval()
    cut = transformers.AutoTokenizer.from_pretrained(folder)
    before = " " if kind == "roberta" else ""
    with torch.no_grad():
        found = model(**cut(before + "a good film", return_tensors="pt"), output_hidden_states=True)
    for layer in (1, 2):
        expected = found.hidden_states[layer][0].numpy()
        ours = open_embedder(str(folder), layer).embed("a good film", layer)
        assert ours.vectors == pytest.approx(expected[1:-1], abs=1e-5)
        assert ours.marks == pytest.approx(expected[[0, -1]], abs=1e-5)
