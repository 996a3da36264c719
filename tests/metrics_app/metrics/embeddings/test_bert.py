"""A BERT small enough to work out by hand is written to a folder and read back."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from metrics_app.metrics.contract import Example
from metrics_app.metrics.embeddings.bert import Bert
from metrics_app.metrics.embeddings.embedder import NoModelError, open_embedder
from metrics_app.metrics.registry import REGISTRY, compute

SIZE, WORDS, POSITIONS = 4, ["[UNK]", "[CLS]", "[SEP]", "good", "bad"], 6


def weights(n_layers):
    rng = np.random.default_rng(3)
    tables = {"word": len(WORDS), "position": POSITIONS, "token_type": 2}
    found = {
        f"embeddings.{name}_embeddings.weight": rng.normal(size=(rows, SIZE))
        for name, rows in tables.items()
    }
    layers = [f"encoder.layer.{layer}" for layer in range(n_layers)]
    norms = ["embeddings.LayerNorm"]
    for at in layers:
        norms += [f"{at}.attention.output.LayerNorm", f"{at}.output.LayerNorm"]
        dense = {
            "attention.self.query": np.zeros((SIZE, SIZE)),
            "attention.self.key": np.zeros((SIZE, SIZE)),
            "attention.self.value": np.eye(SIZE),
            "attention.output.dense": np.eye(SIZE),
            "intermediate.dense": np.zeros((8, SIZE)),
            "output.dense": np.zeros((SIZE, 8)),
        }
        for name, matrix in dense.items():
            found |= {f"{at}.{name}.weight": matrix, f"{at}.{name}.bias": np.zeros(len(matrix))}
    for at in norms:
        found |= {f"{at}.weight": np.ones(SIZE), f"{at}.bias": np.zeros(SIZE)}
    return found


@pytest.fixture
def make(tmp_path):
    """Return a function that writes a model of so many layers and gives its folder."""

    def write(n_layers=1, **changed):
        config = {
            "model_type": "bert",
            "hidden_size": SIZE,
            "num_hidden_layers": n_layers,
            "num_attention_heads": 2,
            "max_position_embeddings": POSITIONS,
            **changed,
        }
        (tmp_path / "config.json").write_text(json.dumps(config))
        tokenizer = Tokenizer(WordLevel({w: i for i, w in enumerate(WORDS)}, unk_token="[UNK]"))
        tokenizer.pre_tokenizer = Whitespace()
        tokenizer.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
        )
        tokenizer.save(str(tmp_path / "tokenizer.json"))
        save_file(weights(n_layers), tmp_path / "model.safetensors")
        return tmp_path

    return write


def normed(states):
    centred = states - states.mean(axis=1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-12)


def framed(ids):
    table = weights(0)
    return normed(
        table["embeddings.word_embeddings.weight"][[1, *ids, 2]]
        + table["embeddings.position_embeddings.weight"][: len(ids) + 2]
        + table["embeddings.token_type_embeddings.weight"][0]
    )


def test_no_layer_is_the_sum_of_three_tables(make):
    found = Bert(make(n_layers=0)).embed("good bad")
    assert found.tokens == ("good", "bad")
    assert found.vectors == pytest.approx(framed([3, 4])[1:-1])


def test_a_layer_that_looks_everywhere_alike_adds_the_mean(make):
    # Query and key are zero, so each token attends to all alike; the second half adds nothing.
    before = framed([3, 4])
    after = normed(normed(before + before.mean(axis=0)))
    assert Bert(make()).embed("good bad").vectors == pytest.approx(after[1:-1], abs=1e-9)


def test_a_text_longer_than_the_positions_goes_in_windows(make):
    model = Bert(make())
    found = model.embed("good bad bad good good")
    assert len(found.tokens) == 5
    assert found.vectors[:4] == pytest.approx(model.embed("good bad bad good").vectors)
    assert found.vectors[4:] == pytest.approx(model.embed("good").vectors)


def test_metrics_take_the_folder(make):
    folder = make()
    metric = REGISTRY["bertscore"].configure(model=str(folder))
    batch = [Example("good bad", ("good bad",)), Example("", ("good",)), Example("good", ("bad",))]
    same, empty, other = compute(metric, batch).values
    assert same == pytest.approx(1.0)
    assert empty.reason == "empty_output"
    assert other < 1
    assert f"|model:{folder.name}|" in metric.signature


def test_folders_that_hold_no_model(make, tmp_path):
    with pytest.raises(NoModelError, match="absent does not exist"):
        open_embedder(str(tmp_path / "absent"))
    with pytest.raises(NoModelError, match=r"it lacks config\.json, tokenizer\.json"):
        Bert(tmp_path)
    with pytest.raises(NoModelError, match="model type 'gpt2'"):
        Bert(make(model_type="gpt2"))
    folder = make(num_hidden_layers=2)
    with pytest.raises(NoModelError, match=r"no BERT's: 'encoder\.layer\.1"):
        Bert(folder)
    (folder / "model.safetensors").write_text("broken")
    with pytest.raises(NoModelError, match="cannot be read as a model"):
        Bert(folder)


def test_a_metric_without_its_model_says_so_for_every_output():
    metric = REGISTRY["sms"].configure(model="/no/such/folder")
    scores = compute(metric, [Example("a", ("a",)), Example("b", ("b",))])
    assert [score.reason for score in scores.values] == ["not_configured"] * 2
    assert "the model folder /no/such/folder does not exist" in scores.failures[0]
