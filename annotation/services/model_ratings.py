"""The door in: language models as judges, and the ratings made of their answers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.enums import DimensionKind, GroupKind, JudgeKind, RatingSource, StudyState, UnitKind
from annotation.models import (
    Assignment,
    CallOutcome,
    Dimension,
    Fact,
    Judge,
    JudgeGroup,
    ModelCall,
    ModelJudge,
    Rating,
    RatingEvent,
    Scale,
    ScalePoint,
    Study,
    StudyEvent,
    Unit,
)
from annotation.services.judges import add_judge

GROUP = "models"
JUDGED = (DimensionKind.POINTS, DimensionKind.RANGE, DimensionKind.FACTS)


@dataclass(frozen=True, slots=True)
class NewModelJudge:
    """How a language model will be asked; the fields are those of `ModelJudge`."""

    endpoint: str
    provider: str
    model: str
    template: str
    prompt_hash: str
    parser: str
    settings: Mapping[str, Any]


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


@transaction.atomic
def add_model_judge(study_id: int, new: NewModelJudge, *, at: datetime) -> int:
    """Store a judge of kind model in the study's group of models; return the judge's id."""
    study = Study.objects.select_for_update().get(pk=study_id)
    if study.state == StudyState.FROZEN:
        raise ValidationError("The study is frozen; no judge can be added.")
    group = study.groups.filter(kind=GroupKind.MODEL).order_by("pk").first()
    if group is None:
        group = JudgeGroup(
            study=study,
            key=GROUP,
            name="Language models",
            kind=GroupKind.MODEL,
            judges_per_unit=1,
        )
        group.full_clean()
        group.save()
    judge = add_judge(group, at=at, kind=JudgeKind.MODEL, note=new.model)
    group.judges_per_unit = group.judges.count()
    group.save(update_fields=["judges_per_unit"])
    row = ModelJudge(
        judge=judge,
        endpoint=new.endpoint,
        provider=new.provider,
        model=new.model,
        template=new.template,
        prompt_hash=new.prompt_hash,
        parser=new.parser,
        created_at=at,
        **new.settings,
    )
    row.full_clean()
    row.save()
    detail = {"judge": judge.pseudonym, "model": new.model, "prompt": new.prompt_hash}
    StudyEvent.objects.create(study=study, kind="model_judge_added", detail=detail, at=at)
    return judge.pk


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


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer is about: an output on a dimension, or one fact in it."""

    version_id: int
    dimension_id: int
    fact_id: int | None = None


@transaction.atomic
def rate_by_call(judge_id: int, judged: Judged, *, content_hash: str, at: datetime) -> None:
    """Make the model judge's rating from its answer; again changes nothing.

    The value may be fractional, a fact's label may not. A refusal, or an answer that is no number
    of the scale, is kept as the reason why there is none.

    Raises
    ------
    ValidationError
        For a judge that is no model, a frozen study, a value beside the scale, or a fact that is
        not one of the output's item.
    """
    judge = Judge.objects.select_related("study", "group").get(pk=judge_id)
    dimension = Dimension.objects.select_related("scale", "phase").get(pk=judged.dimension_id)
    _refuse(judge, dimension)
    call = ModelCall.objects.get(study_id=judge.study_id, content_hash=content_hash)
    _check_value(dimension, call.value)
    assignment = _assignment(judge, judged.version_id, at=at)
    fact = _fact(dimension, assignment, judged.fact_id)
    rating = Rating.objects.filter(assignment=assignment, dimension=dimension, fact=fact).first()
    if rating is not None and rating.model_call_id == call.pk:
        return
    rating = rating or Rating(assignment=assignment, dimension=dimension, fact=fact, version=0)
    _rate(rating, call, at=at)


def _refuse(judge: Judge, dimension: Dimension) -> None:
    if judge.kind != JudgeKind.MODEL or judge.group.kind != GroupKind.MODEL:
        raise ValidationError(f"{judge.pseudonym} is no language model.")
    if judge.excluded_at or judge.withdrawn_at:
        raise ValidationError(f"{judge.pseudonym} is excluded; nothing more is stored.")
    if judge.study.state == StudyState.FROZEN:
        raise ValidationError("The study is frozen; nothing can be added.")
    if dimension.phase.study_id != judge.study_id or not dimension.is_current:
        raise ValidationError(f"{dimension.name} is not asked in this study.")
    if dimension.kind not in JUDGED:
        raise ValidationError(f"{dimension.name} is not answered with a number for each output.")


def _check_value(dimension: Dimension, value: float | None) -> None:
    if value is None:
        return
    if dimension.kind == DimensionKind.FACTS:
        if not ScalePoint.objects.filter(scale=dimension.scale_id, value=value).exists():
            raise ValidationError(f"{value:g} is no label of {dimension.name}.")
        return
    low, high = _bounds(dimension.scale)
    if not low <= value <= high:
        raise ValidationError(f"{value:g} is outside the scale of {dimension.name}.")


def _fact(dimension: Dimension, assignment: Assignment, fact_id: int | None) -> Fact | None:
    if (dimension.kind == DimensionKind.FACTS) != (fact_id is not None):
        raise ValidationError(f"{dimension.name} asks for a label of each fact, or of none.")
    if fact_id is None:
        return None
    fact = Fact.objects.filter(pk=fact_id, item_id=assignment.unit.item_id).first()
    if fact is None:
        raise ValidationError("The fact is none of the output's item.")
    return fact


def _bounds(scale: Scale | None) -> tuple[float, float]:
    if scale is None:
        raise ValidationError("The dimension has no scale.")
    points = [point.value for point in scale.points.all()]
    low = scale.minimum if scale.minimum is not None else min(points)
    high = scale.maximum if scale.maximum is not None else max(points)
    return low, high


def _assignment(judge: Judge, version_id: int, *, at: datetime) -> Assignment:
    unit = Unit.objects.get(kind=UnitKind.SINGLE, output_version_id=version_id)
    if unit.study_id != judge.study_id:
        raise ValidationError("The output belongs to another study.")
    # Every model of the group has a slot of its own, so two never want the same place.
    slot = Judge.objects.filter(group=judge.group, pk__lte=judge.pk).count()
    assignment, _ = Assignment.objects.get_or_create(
        unit=unit,
        judge=judge,
        repeat_of=None,
        defaults={"group": judge.group, "slot": slot, "leased_at": at, "submitted_at": at},
    )
    return assignment


def _rate(rating: Rating, call: ModelCall, *, at: datetime) -> None:
    before = None
    if rating.pk:
        before = {"value": rating.value, "missing_reason": rating.missing_reason}
    rating.model_call, rating.value = call, call.value
    rating.missing_reason = None if call.value is not None else str(call.outcome)
    rating.version += 1
    rating.rated_at = at
    rating.save()
    RatingEvent.objects.create(
        study_id=rating.assignment.unit.study_id,
        assignment=rating.assignment,
        dimension=rating.dimension,
        fact=rating.fact,
        source=RatingSource.MODEL,
        old=before,
        new={"value": rating.value, "missing_reason": rating.missing_reason},
        at=at,
    )
