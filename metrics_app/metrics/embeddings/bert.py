"""A BERT or RoBERTa from a model folder, computed with numpy: no torch, no network.

Devlin et al. 2019, Liu et al. 2019. It reads what sentence-transformers and transformers save:
``config.json``, ``tokenizer.json`` and ``model.safetensors`` of model type ``bert`` (BERT, MiniLM
and the like), ``roberta``, ``xlm-roberta`` or ``camembert``.
"""

import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Encoding, Tokenizer

from metrics_app.metrics.embeddings.embedder import Embedded, Floats, NoModelError

# RoBERTa and its kin number positions from after the one that stands for padding.
ROBERTAS = ("roberta", "xlm-roberta", "camembert")
FILES = ("config.json", "tokenizer.json", "model.safetensors")


class Bert:
    """The layers of an encoder as vectors of the tokens in their context.

    A text longer than the model's positions is embedded in windows, one after the other.
    """

    def __init__(self, folder: Path) -> None:
        absent = [name for name in FILES if not (folder / name).is_file()]
        if absent:
            raise NoModelError(f"{folder} is no model folder: it lacks {', '.join(absent)}")
        self.name = folder.name
        self._config = _config(folder)
        self.n_layers = int(self._config["num_hidden_layers"])
        is_roberta = self._config["model_type"] in ROBERTAS
        self._first = int(self._config["pad_token_id"]) + 1 if is_roberta else 0
        # As BERTScore does: the first word is cut like one that follows a space.
        self._before = " " if self._config["model_type"] == "roberta" else ""
        self._tokenizer, self._weights = _read(folder)
        self._marks = self._tokenizer.encode("").ids
        self._check(folder)

    def tokens(self, text: str) -> tuple[str, ...]:
        """Return the tokens of a text, special tokens left out."""
        return tuple(self._encoded(text).tokens)

    def embed(self, text: str, layer: int = 0) -> Embedded:
        """Return the tokens of a text with their vectors of a layer, 0 for the last one."""
        encoded = self._encoded(text)
        size = int(self._config["max_position_embeddings"]) - self._first - len(self._marks)
        n_begin, n_layers = (len(self._marks) + 1) // 2, layer or self.n_layers
        empty = np.empty((0, int(self._config["hidden_size"])))
        vectors, marks = [empty], [empty]
        for start in range(0, len(encoded.ids), size):
            ids = encoded.ids[start : start + size]
            framed = [*self._marks[:n_begin], *ids, *self._marks[n_begin:]]
            states, after = self._hidden(framed, n_layers), n_begin + len(ids)
            vectors.append(states[n_begin:after])
            marks += [states[:n_begin], states[after:]]
        kept = (np.concatenate(rows).astype(np.float64) for rows in (vectors, marks))
        return Embedded(tuple(encoded.tokens), *kept)

    def _encoded(self, text: str) -> Encoding:
        stripped = text.strip()
        before = self._before if stripped else ""
        return self._tokenizer.encode(before + stripped, add_special_tokens=False)

    def _hidden(self, ids: list[int], n_layers: int) -> Floats:
        first, last = self._first, self._first + len(ids)
        states = (
            self._weights["embeddings.word_embeddings.weight"][ids]
            + self._weights["embeddings.position_embeddings.weight"][first:last]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._normed(states, "embeddings.LayerNorm")
        for layer in range(n_layers):
            states = self._layer(states, f"encoder.layer.{layer}")
        return states

    def _layer(self, states: Floats, at: str) -> Floats:
        attended = self._attention(states, f"{at}.attention.self")
        attended = self._linear(attended, f"{at}.attention.output.dense")
        states = self._normed(states + attended, f"{at}.attention.output.LayerNorm")
        inner = self._linear(states, f"{at}.intermediate.dense")
        inner = inner * (1 + erf(inner / math.sqrt(2))) / 2  # GELU
        outer = self._linear(inner, f"{at}.output.dense")
        return self._normed(states + outer, f"{at}.output.LayerNorm")

    def _attention(self, states: Floats, at: str) -> Floats:
        n_heads = int(self._config["num_attention_heads"])
        query, key, value = (
            self._linear(states, f"{at}.{part}").reshape(len(states), n_heads, -1).swapaxes(0, 1)
            for part in ("query", "key", "value")
        )
        scores = query @ key.swapaxes(1, 2) / math.sqrt(query.shape[2])
        shares = np.exp(scores - scores.max(axis=2, keepdims=True))
        shares /= shares.sum(axis=2, keepdims=True)
        return np.asarray((shares @ value).swapaxes(0, 1).reshape(len(states), -1))

    def _linear(self, states: Floats, at: str) -> Floats:
        return np.asarray(states @ self._weights[f"{at}.weight"].T + self._weights[f"{at}.bias"])

    def _normed(self, states: Floats, at: str) -> Floats:
        centred = states - states.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + self._config["layer_norm_eps"])
        return np.asarray(
            centred / spread * self._weights[f"{at}.weight"] + self._weights[f"{at}.bias"]
        )

    def _check(self, folder: Path) -> None:
        try:
            self._hidden([0], self.n_layers)
        except (KeyError, ValueError) as fault:
            raise NoModelError(f"{folder}: the weights are no BERT's: {fault}") from fault


def _read(folder: Path) -> tuple[Tokenizer, dict[str, Floats]]:
    try:
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        weights = load_file(folder / "model.safetensors")
    except Exception as fault:  # the libraries raise bare Exceptions
        raise NoModelError(f"{folder} cannot be read as a model: {fault}") from fault
    tokenizer.no_padding()
    tokenizer.no_truncation()
    # A text that says "[SEP]" means these letters, not the end of the text.
    tokenizer.encode_special_tokens = True
    # Half precision is for storing; in it, sums over a layer would lose what tells words apart.
    return tokenizer, {
        _plain(name): array.astype(np.float32) if array.dtype == np.float16 else array
        for name, array in weights.items()
    }


def _plain(name: str) -> str:
    name = name.removeprefix("bert.").removeprefix("roberta.")
    # The first BERTs were saved under the names of TensorFlow.
    return re.sub(r"\.gamma$", ".weight", re.sub(r"\.beta$", ".bias", name))


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError as fault:
        raise NoModelError(f"{folder}/config.json is no JSON: {fault}") from fault
    kind = config.get("model_type") if isinstance(config, dict) else None
    if kind not in ("bert", *ROBERTAS):
        known = ", ".join(("bert", *ROBERTAS))
        raise NoModelError(f"{folder} is of model type {kind!r}; computed here are {known}")
    if config.get("hidden_act", "gelu") != "gelu":
        raise NoModelError(f"{folder}: activation {config['hidden_act']!r} is not supported")
    plain = {"layer_norm_eps": 1e-12, "max_position_embeddings": 512, "pad_token_id": 1}
    return {**plain, **config}
