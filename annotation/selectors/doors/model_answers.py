"""What a language model was asked and said, question by question, as plain rows."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotation.models import CallOutcome, Rating

WITHOUT_VALUE = (CallOutcome.REFUSED, CallOutcome.UNPARSABLE)


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One question with all that came back; ``swapped`` where a comparison was turned round.

    It names the item and no system: which output was shown stands in the prompt.
    """

    item: str
    dimension: str
    swapped: bool
    outcome: str
    value: float | None
    answers: list[Any]
    error: str
    prompt: str
    parameters: dict[str, Any]
    n_attempts: int
    n_tokens_in: int
    n_tokens_out: int
    cost: float
    seconds: float
    asked_at: datetime


_OF_THE_CALL = (
    "outcome", "value", "answers", "error", "prompt", "parameters", "n_attempts", "n_tokens_in",
    "n_tokens_out", "cost", "seconds", "asked_at",
)  # fmt: skip


def model_answers(judge_id: int, *, without_value: bool = False) -> Iterator[AnswerRow]:
    """Yield the questions behind a model judge's present ratings, by dimension and item.

    Parameters
    ----------
    without_value : bool
        Whether only the refusals and what could not be read are wanted.
    """
    for path, swapped in (("model_call", False), ("model_call__swapped", True)):
        ratings = Rating.objects.filter(
            assignment__judge_id=judge_id, **{f"{path}__isnull": False}
        ).order_by("dimension__phase__position", "dimension__position", "dimension", "pk")
        if without_value:
            ratings = ratings.filter(**{f"{path}__outcome__in": WITHOUT_VALUE})
        cells = ratings.values_list(
            "assignment__unit__item__key",
            "dimension__name",
            *(f"{path}__{name}" for name in _OF_THE_CALL),
        )
        for item, dimension, *call in cells.iterator(chunk_size=500):
            yield AnswerRow(item, dimension, swapped, *call)
