"""How likely a language model finds a text: transformers and torch, from a local folder only."""

from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol


class NoLanguageModelError(ValueError):
    """A model that is absent or cannot be loaded here; the message says why and what to do."""


class LanguageModel(Protocol):
    """A model that scores texts."""

    def log_likelihood(self, source: str, target: str) -> float | None:
        """Return the mean log-probability of a target token; None where nothing can be scored."""


@lru_cache(maxsize=2)
def open_language_model(folder: str) -> LanguageModel:
    """Return the model of a folder: an encoder-decoder, or a decoder alone.

    Raises
    ------
    NoLanguageModelError
        Where the folder, transformers or torch is absent, or the folder holds no such model.
    """
    if not Path(folder).is_dir():
        raise NoLanguageModelError(f"the model folder {folder} does not exist")
    try:
        import torch  # noqa: PLC0415 -- an extra
        import transformers  # noqa: PLC0415 -- an extra
    except ImportError as fault:
        raise NoLanguageModelError(
            f"{fault.name} is not installed; likelihoods need transformers and torch"
        ) from fault
    try:
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        kind = "Seq2SeqLM" if config.is_encoder_decoder else "CausalLM"
        auto = getattr(transformers, f"AutoModelFor{kind}")
        model = auto.from_pretrained(folder, local_files_only=True).eval()
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, KeyError) as fault:
        raise NoLanguageModelError(f"{folder} cannot be read as a model: {fault}") from fault
    known = EncoderDecoder if config.is_encoder_decoder else Decoder
    return known(torch, model, tokenizer)


class _Loaded:
    def __init__(self, torch: Any, model: Any, tokenizer: Any) -> None:  # noqa: ANN401 -- optional libraries without types
        self._torch, self._model, self._tokenizer = torch, model, tokenizer

    def _ids(self, text: str, *, special: bool) -> Any:  # noqa: ANN401 -- a tensor
        limit = int(getattr(self._model.config, "max_position_embeddings", 1024))
        ids = self._tokenizer(text, add_special_tokens=special)["input_ids"][:limit]
        return self._torch.tensor([ids], dtype=self._torch.long)

    def _mean(self, logits: Any, targets: Any) -> float:  # noqa: ANN401 -- tensors
        logs = self._torch.log_softmax(logits.double(), dim=-1)
        return float(logs.gather(-1, targets.unsqueeze(-1)).mean())


class EncoderDecoder(_Loaded):
    """BART, PEGASUS, T5: the target given the source (Yuan, Neubig and Liu 2021, BARTScore)."""

    def log_likelihood(self, source: str, target: str) -> float | None:
        """Return the mean log-probability of the target's tokens given the source."""
        given, asked = self._ids(source, special=True), self._ids(target, special=True)
        if not given.shape[1] or not asked.shape[1]:
            return None
        with self._torch.no_grad():
            logits = self._model(input_ids=given, labels=asked).logits
        return self._mean(logits, asked)


class Decoder(_Loaded):
    """GPT-2 and the like: each token given those before; the source, if any, comes first."""

    def log_likelihood(self, source: str, target: str) -> float | None:
        """Return the mean log-probability of the target's tokens after the first of all."""
        before, asked = self._ids(source, special=False), self._ids(target, special=False)
        ids = self._torch.cat([before, asked], dim=1)
        first = max(before.shape[1], 1)
        if ids.shape[1] <= first or not asked.shape[1]:
            return None
        with self._torch.no_grad():
            logits = self._model(input_ids=ids).logits
        return self._mean(logits[:, first - 1 : -1], ids[:, first:])
