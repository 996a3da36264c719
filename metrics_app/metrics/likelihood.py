"""How likely a language model finds a text: transformers and torch, from a local folder only."""

from collections.abc import Iterator
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
        # Weights are safetensors or tensors alone; code that comes with a folder is never run.
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
        kind = "Seq2SeqLM" if config.is_encoder_decoder else "CausalLM"
        auto = getattr(transformers, f"AutoModelFor{kind}")
        model, found = auto.from_pretrained(folder, local_files_only=True, output_loading_info=True)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    except Exception as fault:  # whatever the libraries raise at a broken folder
        raise NoLanguageModelError(f"{folder} cannot be read as a model: {fault}") from fault
    # PEGASUS is saved without its positions: they are sines, not weights.
    absent = [key for key in sorted(found["missing_keys"]) if not _is_computed(model, key)]
    if absent:
        raise NoLanguageModelError(
            f"{folder} lacks weights of a language model ({', '.join(absent[:3])}); it may have "
            "been saved for another use"
        )
    known = EncoderDecoder if config.is_encoder_decoder else Decoder
    opened = known(torch, model.float().eval(), tokenizer)
    if opened.looks_ahead():
        raise NoLanguageModelError(
            f"{folder} sees the words that it should foretell ({config.model_type}); name a model "
            "that reads from left to right, such as GPT-2 or BART"
        )
    return opened


def _is_computed(model: Any, key: str) -> bool:  # noqa: ANN401 -- an optional library without types
    module = model.get_submodule(key.rpartition(".")[0])
    return "Sinusoidal" in type(module).__name__


class _Loaded:
    def __init__(self, torch: Any, model: Any, tokenizer: Any) -> None:  # noqa: ANN401 -- optional libraries without types
        self._torch, self._model, self._tokenizer = torch, model, tokenizer
        config = model.config
        # T5 has no fixed positions; its papers cut at 512, BART and PEGASUS at 1,024.
        most = getattr(config, "max_position_embeddings", getattr(config, "n_positions", 1024))
        self._most = int(most)

    def _ids(self, text: str, *, special: bool, cut: bool) -> Any:  # noqa: ANN401 -- a tensor
        """Return a text as tokens; what looks like a special token is taken as plain letters."""
        limit = {"truncation": True, "max_length": self._most} if cut else {}
        whole = text.encode("utf-8", "replace").decode("utf-8")
        ids = self._tokenizer(
            whole, add_special_tokens=special, split_special_tokens=True, verbose=False, **limit
        )["input_ids"]
        return self._torch.tensor([ids], dtype=self._torch.long)

    def _logs(self, logits: Any, targets: Any) -> Any:  # noqa: ANN401 -- tensors
        logs = self._torch.log_softmax(logits.double(), dim=-1)
        return logs.gather(-1, targets.unsqueeze(-1)).squeeze(-1)

    def _guesses(self, ids: Any) -> Any:  # noqa: ANN401 -- tensors
        raise NotImplementedError

    def looks_ahead(self) -> bool:
        """Return whether a guess changes with the tokens after it: then it is no guess."""
        a, b = (self._torch.tensor([[0, last, last]]) for last in (1, 2))
        with self._torch.no_grad():
            first, other = (self._guesses(ids)[0, 0] for ids in (a, b))
        return not self._torch.allclose(first, other, atol=1e-4)


class EncoderDecoder(_Loaded):
    """BART, PEGASUS, T5: the target given the source (Yuan, Neubig and Liu 2021, BARTScore).

    As in BARTScore both are cut at the model's length, and the end mark counts as a token.
    """

    def log_likelihood(self, source: str, target: str) -> float | None:
        """Return the mean log-probability of the target's tokens given the source."""
        given = self._ids(source, special=True, cut=True)
        asked = self._ids(target, special=True, cut=True)
        if not given.shape[1] or not asked.shape[1]:
            return None
        with self._torch.no_grad():
            logits = self._model(input_ids=given, labels=asked).logits
        return float(self._logs(logits, asked).mean())

    def _guesses(self, ids: Any) -> Any:  # noqa: ANN401 -- tensors
        return self._model(input_ids=ids[:, :1], decoder_input_ids=ids).logits


class Decoder(_Loaded):
    """GPT-2 and the like: each token given those before; the source, if any, comes first."""

    def log_likelihood(self, source: str, target: str) -> float | None:
        """Return the mean log-probability of the target's tokens after the first of all.

        A text longer than the model is read in windows that overlap by half, so that every token
        is guessed once, from half a window at least.
        """
        before = self._ids(source, special=False, cut=False)
        asked = self._ids(target, special=False, cut=False)
        ids = self._torch.cat([before, asked], dim=1)
        first = max(before.shape[1], 1)
        if ids.shape[1] <= first or not asked.shape[1]:
            return None
        with self._torch.no_grad():
            logs = [self._window(ids, *span) for span in self._spans(first, ids.shape[1])]
        return float(self._torch.cat(logs).mean())

    def _spans(self, first: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield from which token to which one window guesses."""
        while first < end:
            # Not fewer than half a window stands before the first, where there is so much.
            last = min(end, max(first - self._most // 2, 0) + self._most)
            yield first, last
            first = last

    def _window(self, ids: Any, first: int, last: int) -> Any:  # noqa: ANN401 -- tensors
        begin = max(last - self._most, 0)
        logits = self._guesses(ids[:, begin : last - 1])
        return self._logs(logits[:, first - begin - 1 :], ids[:, first:last])[0]

    def _guesses(self, ids: Any) -> Any:  # noqa: ANN401 -- tensors
        return self._model(input_ids=ids).logits
