"""The questions of a run to a language model: what is asked, what is known, what it may cost."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

from annotation.services.model_ratings import NewCall
from metrics_app.loaders.judging import Asked, ModelJudgeRow
from metrics_app.loaders.material import Scorable
from metrics_app.metrics.judging.answers import judgement_of, text_of
from metrics_app.metrics.judging.endpoint import Endpoint, EndpointDownError, Pace
from metrics_app.metrics.judging.question import digest, fill

CHARACTERS_A_TOKEN = 4
TOP_LOGPROBS = 20


@dataclass(frozen=True, slots=True)
class Prompted:
    """One question: an output on a dimension, as it is sent."""

    output: Scorable
    asked: Asked
    prompt: str
    content_hash: str


def prompted(judge: ModelJudgeRow, asked: Asked, output: Scorable) -> Prompted:
    """Return the question of one dimension about one output."""
    example = output.example
    prompt = fill(judge.template, asked.question, sources=example.sources, output=example.output)
    # The parser and the scale read the value out of the answer, so they are part of it.
    parts = (judge.provider, parameters_of(judge), judge.parser, repr(asked.question.scale), prompt)
    return Prompted(output, asked, prompt, digest(json.dumps(parts, ensure_ascii=False)))


def parameters_of(judge: ModelJudgeRow) -> dict[str, Any]:
    """Return what is sent beside the prompt."""
    logprobs = {"logprobs": True, "top_logprobs": TOP_LOGPROBS} if judge.asks_logprobs else {}
    return {
        "model": judge.model,
        "temperature": judge.temperature,
        "n": judge.n_samples,
        "max_tokens": judge.max_tokens,
        **logprobs,
    }


def estimated_cost(judge: ModelJudgeRow, prompt: str) -> float:
    """Return what a question may cost at most, at four characters a token."""
    n_in = len(prompt) / CHARACTERS_A_TOKEN
    n_out = judge.n_samples * judge.max_tokens
    return (n_in * judge.price_in + n_out * judge.price_out) / 1e6


@dataclass(frozen=True, slots=True)
class Desk:
    """Where questions are put: an endpoint, asked at a pace, until somebody says stop."""

    judge: ModelJudgeRow
    endpoint: Endpoint
    pace: Pace
    stop: Event

    def ask(self, question: Prompted) -> NewCall:
        """Return all that came back; an endpoint that stays down gives a call that failed."""
        begun = time.monotonic()
        parameters = parameters_of(self.judge)
        try:
            choices, usage, n_attempts = self._choices(question.prompt, parameters)
        except EndpointDownError as fault:
            return NewCall(
                question.content_hash, parameters, question.prompt, "failed", error=str(fault),
                seconds=time.monotonic() - begun,
            )  # fmt: skip
        found = judgement_of(choices, question.asked.question.scale)
        n_in, n_out = _tokens(question.prompt, choices, usage)
        return NewCall(
            question.content_hash,
            parameters,
            question.prompt,
            found.outcome,
            value=found.value,
            answers=choices,
            n_attempts=n_attempts,
            n_tokens_in=n_in,
            n_tokens_out=n_out,
            cost=(n_in * self.judge.price_in + n_out * self.judge.price_out) / 1e6,
            seconds=time.monotonic() - begun,
        )

    def _choices(
        self, prompt: str, parameters: Mapping[str, Any]
    ) -> tuple[list[dict[str, Any]], list[Mapping[str, Any]], int]:
        """Return as many samples as are wanted; not every server gives several at once."""
        choices: list[dict[str, Any]] = []
        usage: list[Mapping[str, Any]] = []
        n_attempts = 0
        while len(choices) < self.judge.n_samples:
            wanted = self.judge.n_samples - len(choices)
            messages = [{"role": "user", "content": prompt}]
            body = {**parameters, "n": wanted, "messages": messages}
            answer, n = self.endpoint.complete(body, pace=self.pace, stop=self.stop)
            choices += answer["choices"][:wanted]
            used = answer.get("usage")
            usage.append(used if isinstance(used, dict) else {})
            n_attempts += n
        return choices, usage, n_attempts


def _tokens(
    prompt: str, choices: Sequence[Mapping[str, Any]], usage: Sequence[Mapping[str, Any]]
) -> tuple[int, int]:
    """Return the tokens that the endpoint counted, or estimates where it counts none."""
    n_in = sum(_count(used, "prompt_tokens") for used in usage)
    n_out = sum(_count(used, "completion_tokens") for used in usage)
    if not n_in:
        n_in = len(usage) * -(-len(prompt) // CHARACTERS_A_TOKEN)
        n_out = sum(-(-len(text_of(choice)) // CHARACTERS_A_TOKEN) for choice in choices)
    return n_in, n_out


def _count(used: Mapping[str, Any], name: str) -> int:
    value = used.get(name)
    return value if isinstance(value, int) and value > 0 else 0
