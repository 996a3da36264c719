"""A BERT from a model folder, computed with numpy: no torch, no network.

Devlin et al. 2019. It reads what sentence-transformers and transformers save: ``config.json``,
``tokenizer.json`` and ``model.safetensors`` of model type ``bert`` (BERT, MiniLM and the like).
"""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import Tokenizer

from metrics_app.metrics.embeddings.embedder import Embedded, Floats, NoModelError

FILES = ("config.json", "tokenizer.json", "model.safetensors")


class Bert:
    """The encoder's last layer as vectors of the tokens in their context.

    A text longer than the model's positions is embedded in windows, one after the other.
    """

    def __init__(self, folder: Path) -> None:
        absent = [name for name in FILES if not (folder / name).is_file()]
        if absent:
            raise NoModelError(f"{folder} is no model folder: it lacks {', '.join(absent)}")
        self.name = folder.name
        self._config = _config(folder)
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
            weights = load_file(folder / "model.safetensors")
        except Exception as fault:  # the libraries raise bare Exceptions
            raise NoModelError(f"{folder} cannot be read as a model: {fault}") from fault
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._weights = {
            name.removeprefix("bert."): array.astype(np.float64) for name, array in weights.items()
        }
        self._check(folder)

    def embed(self, text: str) -> Embedded:
        """Return the tokens of a text with their vectors, special tokens left out."""
        encoded = self._tokenizer.encode(text, add_special_tokens=False)
        n_special = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        size = int(self._config["max_position_embeddings"]) - n_special
        windows = [
            self._window(encoded.ids[start : start + size])
            for start in range(0, len(encoded.ids), size)
        ]
        empty = np.empty((0, int(self._config["hidden_size"])))
        return Embedded(tuple(encoded.tokens), np.concatenate([empty, *windows]))

    def _window(self, ids: list[int]) -> Floats:
        begin, end = (self._tokenizer.token_to_id(token) for token in ("[CLS]", "[SEP]"))
        if begin is None or end is None:
            return self._hidden(ids)
        return self._hidden([begin, *ids, end])[1:-1]

    def _hidden(self, ids: list[int]) -> Floats:
        states = (
            self._weights["embeddings.word_embeddings.weight"][ids]
            + self._weights["embeddings.position_embeddings.weight"][: len(ids)]
            + self._weights["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._normed(states, "embeddings.LayerNorm")
        for layer in range(int(self._config["num_hidden_layers"])):
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
            self._hidden([0])
        except (KeyError, ValueError) as fault:
            raise NoModelError(f"{folder}: the weights are no BERT's: {fault}") from fault


def _config(folder: Path) -> dict[str, Any]:
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    except ValueError as fault:
        raise NoModelError(f"{folder}/config.json is no JSON: {fault}") from fault
    kind = config.get("model_type") if isinstance(config, dict) else None
    if kind != "bert":
        raise NoModelError(f"{folder} is of model type {kind!r}; 'bert' can be computed here")
    if config.get("hidden_act", "gelu") != "gelu":
        raise NoModelError(f"{folder}: activation {config['hidden_act']!r} is not supported")
    return {"layer_norm_eps": 1e-12, "max_position_embeddings": 512, **config}
