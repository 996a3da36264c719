"""The questions of a run to a language model: what is asked, what is known, what it may cost."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

from annotation.services.model_ratings import Judged, JudgedComparison, NewCall
from metrics_app.loaders.judging import (
    Asked,
    ComparedTexts,
    FactText,
    ModelJudgeRow,
    compared_texts,
    compared_units,
    fact_texts,
    labelled_facts,
    source_texts,
)
from metrics_app.loaders.material import Scorable, scorable_outputs
from metrics_app.metrics.judging.answers import (
    CHOICE_PARSER,
    LABEL_PARSER,
    SET_PARSER,
    Judgement,
    best_worst_of_set,
    choice_of_pair,
    fact_label,
    judgement_of,
    text_of,
)
from metrics_app.metrics.judging.endpoint import Endpoint, EndpointDownError, Pace
from metrics_app.metrics.judging.question import digest, fill, fill_pair, fill_set

CHARACTERS_A_TOKEN = 4
TOP_LOGPROBS = 20
# More than that no model takes; a server that says so cannot count.
MOST_TOKENS = 100_000_000

# What a question is about, and its hash.
Place = tuple[Judged | JudgedComparison, str]
# How each kind of comparison is asked, and what reads the answer.
_FILL = {"pair": fill_pair, "set": fill_set}
_READ = {"pair": choice_of_pair, "set": best_worst_of_set}
_PARSER = {"pair": CHOICE_PARSER, "set": SET_PARSER}


@dataclass(frozen=True, slots=True)
class Prompted:
    """One question as it is sent: about an output, a fact, or a comparison in one of its orders.

    ``orders`` are, of a comparison, the hashes of both its questions: as it stands, and swapped.
    """

    about: Judged | JudgedComparison
    asked: Asked
    prompt: str
    content_hash: str
    orders: tuple[str, str] | None = None

    @property
    def place(self) -> Place:
        """Return what it is about, and its hash."""
        return (self.about, self.content_hash)


def questions_of(study_id: int, judge: ModelJudgeRow, asked: Sequence[Asked]) -> list[Prompted]:
    """Return every question of a study to a model, on the dimensions asked."""
    return [
        *outputs_prompted(judge, asked, scorable_outputs(study_id), fact_texts(study_id)),
        *comparisons_prompted(judge, asked, compared_texts(study_id), source_texts(study_id)),
    ]


def unscored_places(judge_id: int) -> set[Place]:
    """Return the places of all labels of facts and all choices of a model, which have no score."""
    labelled: set[Place] = {
        (Judged(version, dimension, fact), content)
        for dimension, version, fact, content in labelled_facts(judge_id)
    }
    compared: set[Place] = {
        (JudgedComparison(unit, dimension), content)
        for dimension, unit, *orders in compared_units(judge_id)
        for content in orders
    }
    return labelled | compared


def outputs_prompted(
    judge: ModelJudgeRow,
    asked: Sequence[Asked],
    outputs: Sequence[Scorable],
    facts: Mapping[str, Sequence[FactText]],
) -> list[Prompted]:
    """Return every question: of each dimension about each output, or about each of its facts."""
    found: list[Prompted] = []
    for each in asked:
        for output in () if each.compares else outputs:
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
    about = Judged(output.version_id, asked.dimension_id, fact.id if fact else None)
    return Prompted(about, asked, prompt, _hash(judge, asked, prompt))


def parsers_of(judge: ModelJudgeRow, asked: Sequence[Asked]) -> list[str]:
    """Return what reads the answers to these dimensions: numbers, labels of facts, choices."""
    return list(dict.fromkeys(_parser(judge, each) for each in asked))


def comparisons_prompted(
    judge: ModelJudgeRow,
    asked: Sequence[Asked],
    comparisons: Sequence[ComparedTexts],
    sources: Mapping[str, Sequence[str]],
) -> list[Prompted]:
    """Return the two questions of each dimension about each pair or set: as it stands, swapped."""
    return [
        question
        for each in asked
        for compared in comparisons
        if each.compares == compared.kind
        for question in _both_orders(judge, each, compared, sources[compared.item])
    ]


def _both_orders(
    judge: ModelJudgeRow, asked: Asked, compared: ComparedTexts, sources: Sequence[str]
) -> list[Prompted]:
    asked = asked.about(len(compared.texts))
    about = JudgedComparison(compared.unit_id, asked.dimension_id)
    first, second = (
        _FILL[asked.compares](asked.question, sources=sources, outputs=texts)
        for texts in (compared.texts, compared.texts[::-1])
    )
    orders = (_hash(judge, asked, first), _hash(judge, asked, second))
    return [
        Prompted(about, asked, prompt, content_hash, orders)
        for prompt, content_hash in zip((first, second), orders, strict=True)
    ]


def _parser(judge: ModelJudgeRow, asked: Asked) -> str:
    return LABEL_PARSER if asked.is_of_facts else _PARSER.get(asked.compares, judge.parser)


def _hash(judge: ModelJudgeRow, asked: Asked, prompt: str) -> str:
    # The parser and the scale read the value out of the answer, so they are part of it.
    read_by = (_parser(judge, asked), repr(asked.question.scale))
    parts = (judge.provider, parameters_of(judge), *read_by, prompt)
    return digest(json.dumps(parts, ensure_ascii=False))


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
        found = _read(question.asked, choices)
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


def _read(asked: Asked, choices: Sequence[Mapping[str, Any]]) -> Judgement:
    read = fact_label if asked.is_of_facts else _READ.get(asked.compares, judgement_of)
    return read(choices, asked.question.scale)


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
    return value if isinstance(value, int) and 0 < value <= MOST_TOKENS else 0
