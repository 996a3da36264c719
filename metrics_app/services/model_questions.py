"""The questions of a run to a language model: what is asked, what is known, what it may cost."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

from annotation.services.model_ratings import NewCall
from metrics_app.loaders.judging import Asked, FactText, ModelJudgeRow
from metrics_app.loaders.material import Scorable
from metrics_app.metrics.judging.answers import LABEL_PARSER, fact_label, judgement_of, text_of
from metrics_app.metrics.judging.endpoint import Endpoint, EndpointDownError, Pace
from metrics_app.metrics.judging.question import digest, fill

CHARACTERS_A_TOKEN = 4
TOP_LOGPROBS = 20

# Dimension, output version, fact and the question's hash.
Place = tuple[int, int, int | None, str]


@dataclass(frozen=True, slots=True)
class Prompted:
    """One question: an output, or one fact in it, on a dimension, as it is sent."""

    output: Scorable
    asked: Asked
    prompt: str
    content_hash: str
    fact_id: int | None = None

    @property
    def place(self) -> Place:
        """Return the dimension, the output version, the fact if any, and the question's hash."""
        return (self.asked.dimension_id, self.output.version_id, self.fact_id, self.content_hash)


def all_prompted(
    judge: ModelJudgeRow,
    asked: Sequence[Asked],
    outputs: Sequence[Scorable],
    facts: Mapping[str, Sequence[FactText]],
) -> list[Prompted]:
    """Return every question: of each dimension about each output, or about each of its facts."""
    found: list[Prompted] = []
    for each in asked:
        for output in outputs:
            about = facts.get(output.item, ()) if each.is_of_facts else (None,)
            found += [prompted(judge, each, output, fact) for fact in about]
    return found


def prompted(
    judge: ModelJudgeRow, asked: Asked, output: Scorable, fact: FactText | None = None
) -> Prompted:
    """Return the question of one dimension about one output, or about one fact in it."""
    example = output.example
    prompt = fill(
        judge.template,
        asked.question,
        sources=example.sources,
        output=example.output,
        fact=fact.text if fact else None,
    )
    # The parser and the scale read the value out of the answer, so they are part of it.
    parser = LABEL_PARSER if fact else judge.parser
    parts = (judge.provider, parameters_of(judge), parser, repr(asked.question.scale), prompt)
    content_hash = digest(json.dumps(parts, ensure_ascii=False))
    return Prompted(output, asked, prompt, content_hash, fact.id if fact else None)


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
        read = fact_label if question.asked.is_of_facts else judgement_of
        found = read(choices, question.asked.question.scale)
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
