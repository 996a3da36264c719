"""Questions to language models, stored with all that came back; equal questions are one row."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.models import CallOutcome, ModelCall


@dataclass(frozen=True, slots=True)
class NewCall:
    """A question that was put to a model, and all that came back."""

    content_hash: str
    parameters: Mapping[str, Any]
    prompt: str
    outcome: str
    value: float | None = None
    answers: Sequence[Any] = ()
    error: str = ""
    n_attempts: int = 1
    n_tokens_in: int = 0
    n_tokens_out: int = 0
    cost: float = 0.0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class KnownCall:
    """An answer that is stored already."""

    content_hash: str
    outcome: str
    value: float | None


def known_calls(study_id: int, hashes: Collection[str]) -> dict[str, KnownCall]:
    """Return the stored answers to these questions; questions that failed are asked again."""
    wanted = sorted(hashes)
    found: dict[str, KnownCall] = {}
    for start in range(0, len(wanted), 500):
        calls = ModelCall.objects.filter(
            study_id=study_id, content_hash__in=wanted[start : start + 500]
        ).exclude(outcome=CallOutcome.FAILED)
        for row in calls.values_list("content_hash", "outcome", "value"):
            found[row[0]] = KnownCall(*row)
    return found


@transaction.atomic
def keep_call(study_id: int, call: NewCall, *, at: datetime) -> int:
    """Store a question with its answers, in the place of an earlier failure; return its id."""
    values = {
        "parameters": dict(call.parameters),
        "prompt": call.prompt,
        "answers": list(call.answers),
        "outcome": call.outcome,
        "value": call.value,
        "error": call.error[:2_000],
        "n_attempts": call.n_attempts,
        "n_tokens_in": call.n_tokens_in,
        "n_tokens_out": call.n_tokens_out,
        "cost": call.cost,
        "seconds": call.seconds,
        "asked_at": at,
    }
    row, _ = ModelCall.objects.update_or_create(
        study_id=study_id, content_hash=call.content_hash, defaults=values
    )
    return row.pk
