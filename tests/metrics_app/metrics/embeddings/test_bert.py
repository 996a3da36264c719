"""A BERT small enough to work out by hand is written to a folder and read back."""

import json
import math

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
    assert found.marks == pytest.approx(framed([3, 4])[[0, -1]])


def test_a_layer_may_be_chosen(make):
    model = Bert(make(n_layers=2))
    first = Bert(make(n_layers=1)).embed("good bad").vectors
    assert model.embed("good bad", 1).vectors == pytest.approx(first)
    assert model.embed("good bad", 2).vectors == pytest.approx(model.embed("good bad").vectors)
    with pytest.raises(NoModelError, match="1 layers to choose from, no layer 3"):
        open_embedder(str(make()), 3)


def test_roberta_begins_to_number_positions_after_that_of_padding(make):
    found = Bert(make(n_layers=0, model_type="roberta", pad_token_id=1)).embed("good bad")
    table = weights(0)
    states = (
        table["embeddings.word_embeddings.weight"][[1, 3, 4, 2]]
        + table["embeddings.position_embeddings.weight"][2:6]
        + table["embeddings.token_type_embeddings.weight"][0]
    )
    assert found.tokens == ("good", "bad")
    assert found.vectors == pytest.approx(normed(states)[1:-1])


def test_norms_may_bear_their_first_names(make):
    folder = make()
    before = Bert(folder).embed("good bad").vectors
    old = {name.replace("LayerNorm.weight", "LayerNorm.gamma"): array
           for name, array in weights(1).items()}  # fmt: skip
    old = {name.replace("LayerNorm.bias", "LayerNorm.beta"): array for name, array in old.items()}
    save_file({f"bert.{name}": array for name, array in old.items()}, folder / "model.safetensors")
    assert Bert(folder).embed("good bad").vectors == pytest.approx(before)


def test_a_special_token_in_a_text_is_plain_letters(make):
    assert Bert(make()).embed("good [SEP] bad").tokens[1] == "[UNK]"


OUTPUTS = ("bad good", "good", "unseen bad bad")
REFERENCES = ("good bad good", "bad bad good", "good")
# bert_score 0.3.13 in double precision on the folder that `make(n_layers=2)` writes: precision,
# recall and F1 of the three pairs by (layer, idf). With IDF only the first pair is compared: where
# all weights of a text are 0, bert_score gives no number.
PUBLISHED = {
    (1, "no"): [
        (0.934697, 0.653847, 0.769445),
        (0.987602, 0.670847, 0.798975),
        (0.771988, 0.963736, 0.85727),
    ],
    (2, "no"): [
        (0.928526, 0.706067, 0.802159),
        (0.988453, 0.746433, 0.850562),
        (0.749744, 0.989961, 0.853268),
    ],
    (1, "yes"): [(0.995811, 0.995811, 0.995811)],
    (2, "yes"): [(0.993583, 0.918706, 0.954679)],
}


@pytest.mark.parametrize(("layer", "idf"), PUBLISHED)
def test_bertscore_is_that_of_bert_score(make, layer, idf):
    folder = str(make(n_layers=2))
    batch = [Example(*pair) for pair in zip(OUTPUTS, ((text,) for text in REFERENCES), strict=True)]
    for place, measure in enumerate("prf"):
        metric = REGISTRY["bertscore"].configure(
            model=folder, layer=layer, idf=idf, measure=measure
        )
        expected = [values[place] for values in PUBLISHED[layer, idf]]
        found = compute(metric, batch).values[: len(expected)]
        assert found == pytest.approx(expected, abs=1e-6)


def test_idf_weights_are_those_of_the_set_and_named(make):
    metric = REGISTRY["bertscore"].configure(model=str(make()), idf="yes")
    batch = [Example("bad good", ("good bad",)), Example("good", ("good",))]
    fitted = metric.fitted(batch)
    idf = fitted.params["idf"]
    # Both references have "good", one has "bad".
    assert idf(("good", "bad", "[UNK]")) == pytest.approx([0, math.log(3 / 2), math.log(3)])
    assert "|idf:yes-" in fitted.signature
    assert fitted.signature == metric.fitted(batch[::-1]).signature
    assert fitted.signature != metric.fitted(batch[:1]).signature
    # Once fitted, one output alone has the score that it has among the others.
    assert compute(fitted, batch[:1]).values == compute(metric, batch).values[:1]
    absent = metric.configure(model="/no/such/folder")
    assert compute(absent, batch).values[0].reason == "not_configured"


def test_rescaling_against_a_baseline(make):
    metric = REGISTRY["bertscore"].configure(model=str(make()))
    batch = [Example("bad good", ("good bad good",))]
    raw, rescaled, refused = (
        compute(metric.configure(baseline=baseline), batch).values[0]
        for baseline in (0.0, 0.5, 1.0)
    )
    assert rescaled == pytest.approx((raw - 0.5) / 0.5)
    assert refused.reason == "not_configured"


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
    assert f"|model:{folder.name}-" in metric.signature


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
