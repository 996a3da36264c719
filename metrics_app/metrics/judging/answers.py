"""What a language model said, as a number: weighted by probabilities where they came back."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Literal

from metrics_app.metrics.judging.question import AnswerScale

Outcome = Literal["answered", "refused", "unparsable"]
PARSER = "number-1"
LABEL_PARSER = "label-1"
CHOICE_PARSER = "choice-1"
SET_PARSER = "best-worst-1"
# Below this share the listed tokens say too little about the scale to be weighed.
LEAST_MASS = 0.5

# "A", "**B.**", "[[A]]", "Answer: B", "Text A is better", "tie": an answer, and nothing beside it.
_LEAD = r"(?:(?:the )?(?:final )?(?:answer|choice|verdict)(?: is)?:? ?)?"
_CHOICE = re.compile(_LEAD + r"(?:(?:text|output) )?(a|b|tie)(?: is better)?")
# "B>D", "Answer: B > D", "Best: B, worst: D": both letters, the best one first.
_TOLD = r"(?: is|:| ?=)? ?(?:(?:text|output) )?"
_BEST_WORST = re.compile(
    rf"{_LEAD}(?:best{_TOLD}([a-e])[,;]? (?:and )?worst{_TOLD}([a-e])|([a-e]) ?> ?([a-e]))"
)
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\w]|\.\d)")
_REFUSAL = re.compile(
    r"\b(i can(?:no|')t|i am (?:unable|not able)|i'm (?:unable|not able|sorry)|as an ai|"
    r"i (?:must|have to) decline|i won't)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """One judgement made of all samples.

    Attributes
    ----------
    value : float or None
        On the scale, fractional where probabilities or samples are averaged.
    n_used, n_weighted, n_refused : int
        Samples that gave a number, those of them weighted by probabilities, and refusals.
    """

    outcome: Outcome
    value: float | None
    n_used: int = 0
    n_weighted: int = 0
    n_refused: int = 0


def judgement_of(choices: Sequence[Mapping[str, Any]], scale: AnswerScale) -> Judgement:
    """Return the judgement of the choices of a chat completion.

    Each sample gives the mean of the scale's points weighted by the probabilities of its first
    answering token (Liu et al. 2023), or the number it wrote; the samples are averaged. Words
    without a number of the scale are no judgement: the model refused, or cannot be parsed.
    """
    values: list[float] = []
    n_weighted = n_refused = 0
    for choice in choices:
        text = text_of(choice)
        written = number_in(text, scale)
        if written is None:
            n_refused += _is_refusal(choice, text)
            continue
        weighted = weighted_value(choice, scale)
        n_weighted += weighted is not None
        values.append(written if weighted is None else weighted)
    if values:
        return Judgement("answered", fmean(values), len(values), n_weighted, n_refused)
    return Judgement("refused" if n_refused else "unparsable", None, n_refused=n_refused)


def fact_label(choices: Sequence[Mapping[str, Any]], scale: AnswerScale) -> Judgement:
    """Return the label of a fact that most samples give, by its number or its word alone.

    Labels have no order, so they are counted, not averaged. Samples that give none are left out;
    where two labels are given equally often there is no judgement.
    """
    return _most_said(choices, scale, _label_in)


def choice_of_pair(choices: Sequence[Mapping[str, Any]], scale: AnswerScale) -> Judgement:
    """Return which of two outputs most samples choose; the rest is as in `fact_label`."""
    return _most_said(choices, scale, choice_in)


def choice_in(text: str, scale: AnswerScale) -> float | None:
    """Return the choice that is all a text says; None where it says more, or what is no answer."""
    found = _CHOICE.fullmatch(_without_marks(text))
    return _value_of(found[1], scale) if found else None


def best_worst_of_set(choices: Sequence[Mapping[str, Any]], scale: AnswerScale) -> Judgement:
    """Return which best and worst output most samples name; the rest is as in `fact_label`."""
    return _most_said(choices, scale, best_worst_in)


def best_worst_in(text: str, scale: AnswerScale) -> float | None:
    """Return the best and the worst that are all a text says, as the scale's number for both.

    None where it says more, names an output that is not shown, or one output as both.
    """
    found = _BEST_WORST.fullmatch(_without_marks(text))
    return _value_of(">".join(filter(None, found.groups())), scale) if found else None


def _without_marks(text: str) -> str:
    return " ".join(re.sub(r"[\"'*.`\[\]()]", " ", text.casefold()).split())


def _value_of(said: str, scale: AnswerScale) -> float | None:
    named = {label.casefold(): value for value, label in scale.points}
    return named.get(said)


def _most_said(
    choices: Sequence[Mapping[str, Any]],
    scale: AnswerScale,
    read: Callable[[str, AnswerScale], float | None],
) -> Judgement:
    said = [(choice, text_of(choice)) for choice in choices]
    found = [read(text, scale) for _, text in said]
    n_refused = sum(
        _is_refusal(choice, text)
        for (choice, text), label in zip(said, found, strict=True)
        if label is None
    )
    ranked = Counter(label for label in found if label is not None).most_common(2)
    if not ranked:
        return Judgement("refused" if n_refused else "unparsable", None, n_refused=n_refused)
    if len(ranked) == 2 and ranked[0][1] == ranked[1][1]:
        return Judgement("unparsable", None, n_refused=n_refused)
    return Judgement("answered", ranked[0][0], ranked[0][1], n_refused=n_refused)


def _label_in(text: str, scale: AnswerScale) -> float | None:
    # "Not present" holds the word "present": only the whole answer may be a label.
    said = text.strip().strip("\"'.*` ").casefold()
    named = [value for value, label in scale.points if label and label.casefold() == said]
    return named[0] if len(named) == 1 else number_in(text, scale)


def number_in(text: str, scale: AnswerScale) -> float | None:
    """Return the one number of the scale that a text names; None where it names none or several.

    "4", "4/5" and "Score: 4" name 4; of "between 2 and 3" nobody can tell.
    """
    # "4 out of 5" and "4/5" name the end of the scale beside the answer.
    plain = re.sub(r"\s*(?:/|out of)\s*\d+(?:\.\d+)?", "", text)
    found = {float(word) for word in _NUMBER.findall(plain)}
    admitted = [value for value in found if scale.admits(value)]
    return admitted[0] if len(admitted) == 1 == len(found) else None


def weighted_value(choice: Mapping[str, Any], scale: AnswerScale) -> float | None:
    """Return the mean of the points by the probabilities of the answering token.

    None where no probabilities came back, where the listed tokens hold less than half of them,
    or where a point begins as another ends (1 and 10), so that one token does not tell them apart.
    """
    names = {f"{value:g}": value for value, _ in scale.points}
    if not names or any(a != b and b.startswith(a) for a in names for b in names):
        return None
    for token in _tokens(choice):
        if str(token.get("token", "")).strip() in names:
            return _mean(_objects(token.get("top_logprobs")) or [token], names)
    return None


def text_of(choice: Mapping[str, Any]) -> str:
    """Return what a choice says."""
    content = _message(choice).get("content")
    if isinstance(content, list):  # parts, as some servers write it
        content = "".join(str(part.get("text") or "") for part in _objects(content))
    return content if isinstance(content, str) else ""


def _message(choice: Mapping[str, Any]) -> Mapping[str, Any]:
    message = choice.get("message")
    return message if isinstance(message, dict) else {}


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _mean(listed: Sequence[Mapping[str, Any]], names: Mapping[str, float]) -> float | None:
    mass: dict[float, float] = {}
    for token in listed:
        name, logprob = str(token.get("token", "")).strip(), token.get("logprob")
        if name in names and isinstance(logprob, int | float) and logprob == logprob:  # noqa: PLR0124 -- no NaN
            mass[names[name]] = mass.get(names[name], 0.0) + math.exp(min(logprob, 0.0))
    total = sum(mass.values())
    if total < LEAST_MASS:
        return None
    return sum(value * share for value, share in mass.items()) / total


def _tokens(choice: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    logprobs = choice.get("logprobs")
    return _objects(logprobs.get("content")) if isinstance(logprobs, dict) else []


def _is_refusal(choice: Mapping[str, Any], text: str) -> bool:
    declined = (
        bool(_message(choice).get("refusal")) or choice.get("finish_reason") == "content_filter"
    )
    return declined or _REFUSAL.search(text.replace("’", "'")) is not None
