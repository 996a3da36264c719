"""Language models as judges, as plain rows: how each is asked, and the record of its answers."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, Q, QuerySet

from annotation.models import CallOutcome, ModelJudge, Rating


@dataclass(frozen=True, slots=True)
class ModelJudgeRow:
    """One judge of kind model with all that a reader needs to ask it again the same way."""

    judge_id: int
    pseudonym: str
    is_excluded: bool
    endpoint: str
    provider: str
    model: str
    temperature: float
    n_samples: int
    asks_logprobs: bool
    max_tokens: int
    template: str
    prompt_hash: str
    parser: str
    price_in: float
    price_out: float
    requests_per_minute: int
    n_parallel: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What came of the questions to one model judge, over its present ratings."""

    n_ratings: int = 0
    n_answered: int = 0
    n_refused: int = 0
    n_unparsable: int = 0
    n_inconsistent: int = 0
    cost: float = 0.0
    first_at: datetime | None = None
    last_at: datetime | None = None


def model_judge_rows(study_id: int) -> list[ModelJudgeRow]:
    """Return the study's judges of kind model in the order in which they joined."""
    rows = ModelJudge.objects.filter(judge__study_id=study_id).select_related("judge")
    return [
        ModelJudgeRow(
            judge_id=row.judge_id,
            pseudonym=row.judge.pseudonym,
            is_excluded=row.judge.excluded_at is not None,
            endpoint=row.endpoint,
            provider=row.provider,
            model=row.model,
            temperature=row.temperature,
            n_samples=row.n_samples,
            asks_logprobs=row.asks_logprobs,
            max_tokens=row.max_tokens,
            template=row.template,
            prompt_hash=row.prompt_hash,
            parser=row.parser,
            price_in=row.price_in,
            price_out=row.price_out,
            requests_per_minute=row.requests_per_minute,
            n_parallel=row.n_parallel,
            created_at=row.created_at,
        )
        for row in rows.order_by("pk")
    ]


def labelled_facts(judge_id: int) -> set[tuple[int, int, int, str]]:
    """Return (dimension, output version, fact, question's hash) of all that a model labelled."""
    ratings = Rating.objects.filter(
        assignment__judge_id=judge_id, fact__isnull=False, model_call__isnull=False
    )
    return set(
        ratings.values_list(
            "dimension_id",
            "assignment__unit__output_version_id",
            "fact_id",
            "model_call__content_hash",
        )
    )


def compared_units(judge_id: int) -> set[tuple[int, int, str, str]]:
    """Return (dimension, pair or set, question's hash, the swapped one's) of all it compared."""
    ratings = Rating.objects.filter(
        assignment__judge_id=judge_id, model_call__swapped__isnull=False
    )
    return set(
        ratings.values_list(
            "dimension_id",
            "assignment__unit_id",
            "model_call__content_hash",
            "model_call__swapped__content_hash",
        )
    )


def model_records(study_id: int) -> dict[int, ModelRecord]:
    """Return what came of the questions, by judge; a question that two judges share costs once."""
    ratings = Rating.objects.filter(
        assignment__unit__study_id=study_id, model_call__isnull=False
    ).order_by()
    counts = ratings.values_list("assignment__judge").annotate(
        n_ratings=Count("pk"),
        n_answered=Count("pk", filter=Q(missing_reason=None)),
        n_refused=Count("pk", filter=Q(missing_reason=CallOutcome.REFUSED)),
        n_unparsable=Count("pk", filter=Q(missing_reason=CallOutcome.UNPARSABLE)),
        n_inconsistent=Count("pk", filter=Q(missing_reason="inconsistent")),
        first_at=Min("model_call__asked_at"),
        last_at=Max("model_call__asked_at"),
    )
    costs: dict[int, float] = {}
    for judge, _, cost in _calls(ratings, "model_call").union(
        _calls(ratings.filter(model_call__swapped__isnull=False), "model_call__swapped")
    ):
        costs[judge] = costs.get(judge, 0.0) + cost
    return {
        judge: ModelRecord(
            n, answered, refused, unparsable, inconsistent, costs.get(judge, 0.0), first, last
        )
        for judge, n, answered, refused, unparsable, inconsistent, first, last in counts
    }


def _calls(ratings: "QuerySet[Rating]", path: str) -> "QuerySet[Rating, tuple[int, int, float]]":
    """Return (judge, call, cost) of every call at the end of a path."""
    return ratings.values_list("assignment__judge", path, f"{path}__cost")
