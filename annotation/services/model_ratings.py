"""The door in: language models as judges, and the ratings made of their answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.design.choices import best_worst_of_both_orders, choice_of_both_orders
from annotation.enums import (
    COMPARED,
    DimensionKind,
    GroupKind,
    JudgeKind,
    RatingSource,
    StudyState,
    UnitKind,
)
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
from annotation.services.choices import store_ranks
from annotation.services.judges import add_judge
from annotation.services.model_calls import KnownCall, NewCall, keep_call, known_calls

__all__ = [
    "Judged",
    "JudgedComparison",
    "KnownCall",
    "NewCall",
    "NewModelJudge",
    "add_model_judge",
    "choose_by_calls",
    "keep_call",
    "known_calls",
    "rate_by_call",
]

GROUP = "models"
JUDGED = (DimensionKind.POINTS, DimensionKind.RANGE, DimensionKind.FACTS)
# Why a comparison has no choice though both of its orders were answered.
INCONSISTENT = "inconsistent"


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


@dataclass(frozen=True, slots=True)
class Judged:
    """What an answer is about: an output on a dimension, or one fact in it."""

    version_id: int
    dimension_id: int
    fact_id: int | None = None


@dataclass(frozen=True, slots=True)
class JudgedComparison:
    """What two answers are about: a pair or set on a dimension, asked in both orders."""

    unit_id: int
    dimension_id: int


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
    judge, dimension = _asked(judge_id, judged.dimension_id)
    if dimension.kind not in JUDGED:
        raise ValidationError(f"{dimension.name} is not answered with a number for each output.")
    call = ModelCall.objects.get(study_id=judge.study_id, content_hash=content_hash)
    _check_value(dimension, call.value)
    unit = Unit.objects.get(kind=UnitKind.SINGLE, output_version_id=judged.version_id)
    assignment = _assignment(judge, unit, at=at)
    fact = _fact(dimension, assignment, judged.fact_id)
    rating = Rating.objects.filter(assignment=assignment, dimension=dimension, fact=fact).first()
    if rating is not None and rating.model_call_id == call.pk:
        return
    rating = rating or Rating(assignment=assignment, dimension=dimension, fact=fact, version=0)
    before = _said(rating)
    rating.model_call, rating.value = call, call.value
    rating.missing_reason = None if call.value is not None else str(call.outcome)
    _store(rating, before, at=at)


@transaction.atomic
def choose_by_calls(
    judge_id: int, judged: JudgedComparison, *, hashes: tuple[str, str], at: datetime
) -> None:
    """Make the model judge's choice once both orders are answered; again changes nothing.

    ``hashes`` name the question as the pair or set stands and the one from its end. Where the
    answers contradict each other the choice is a tie, or missing as ``inconsistent`` where the
    dimension allows none, as of sets. A refusal or an unparsable answer in either order leaves no
    choice.

    Raises
    ------
    ValidationError
        For a judge that is no model, a frozen study, a dimension that is not asked of such a
        comparison, or one of another study.
    """
    judge, dimension = _asked(judge_id, judged.dimension_id)
    unit = Unit.objects.exclude(kind=UnitKind.SINGLE).get(pk=judged.unit_id)
    if COMPARED.get(DimensionKind(dimension.kind)) != unit.kind:
        raise ValidationError(f"{dimension.name} is not asked of {unit.kind}s.")
    answered = ModelCall.objects.filter(study_id=judge.study_id, content_hash__in=hashes)
    calls = {call.content_hash: call for call in answered.exclude(outcome=CallOutcome.FAILED)}
    if set(calls) != set(hashes):
        return
    shown, swapped = (calls[name] for name in hashes)
    assignment = _assignment(judge, unit, at=at)
    rating = Rating.objects.filter(assignment=assignment, dimension=dimension).first()
    if rating is not None and rating.model_call_id == shown.pk:
        return
    ModelCall.objects.filter(pk=shown.pk).update(swapped=swapped)
    rating = rating or Rating(assignment=assignment, dimension=dimension, version=0)
    before = _said(rating)
    rating.model_call = shown
    rating.text, rating.missing_reason = _choice(shown, swapped, rating)
    _store(rating, before, at=at)
    store_ranks(rating)


def _choice(shown: ModelCall, swapped: ModelCall, rating: Rating) -> tuple[str | None, str | None]:
    """Return the choice of two answers, or the reason why there is none."""
    for outcome in (CallOutcome.REFUSED, CallOutcome.UNPARSABLE):
        if outcome in {shown.outcome, swapped.outcome}:
            return None, str(outcome)
    if shown.value is None or swapped.value is None:
        raise ValueError("an answered call has no value")
    unit = rating.assignment.unit
    if unit.kind == UnitKind.PAIR:
        choice = choice_of_both_orders(shown.value, swapped.value)
    else:
        size = unit.unit_members.count()
        choice = best_worst_of_both_orders(shown.value, swapped.value, n_members=size)
    if choice is None and rating.dimension.allows_tie:
        choice = "A=B"
    return (choice, None) if choice else (None, INCONSISTENT)


def _asked(judge_id: int, dimension_id: int) -> tuple[Judge, Dimension]:
    """Return a model judge and what it is asked; refuse what cannot be stored."""
    judge = Judge.objects.select_related("study", "group").get(pk=judge_id)
    dimension = Dimension.objects.select_related("scale", "phase").get(pk=dimension_id)
    if judge.kind != JudgeKind.MODEL or judge.group.kind != GroupKind.MODEL:
        raise ValidationError(f"{judge.pseudonym} is no language model.")
    if judge.excluded_at or judge.withdrawn_at:
        raise ValidationError(f"{judge.pseudonym} is excluded; nothing more is stored.")
    if judge.study.state == StudyState.FROZEN:
        raise ValidationError("The study is frozen; nothing can be added.")
    if dimension.phase.study_id != judge.study_id or not dimension.is_current:
        raise ValidationError(f"{dimension.name} is not asked in this study.")
    return judge, dimension


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


def _assignment(judge: Judge, unit: Unit, *, at: datetime) -> Assignment:
    if unit.study_id != judge.study_id:
        raise ValidationError("The output belongs to another study.")
    # Every model of the group has a slot of its own, so two never want the same place.
    slot = Judge.objects.filter(group=judge.group, pk__lte=judge.pk).count()
    # Locked: the same answer stored twice at once is one rating.
    assignment, _ = Assignment.objects.select_for_update().get_or_create(
        unit=unit,
        judge=judge,
        repeat_of=None,
        defaults={"group": judge.group, "slot": slot, "leased_at": at, "submitted_at": at},
    )
    return assignment


def _said(rating: Rating) -> dict[str, Any] | None:
    """Return what a rating says, for the list of changes; None of one that is not stored."""
    if not rating.version:
        return None
    said = {"value": rating.value, "missing_reason": rating.missing_reason}
    return said if rating.text is None else {**said, "text": rating.text}


def _store(rating: Rating, before: dict[str, Any] | None, *, at: datetime) -> None:
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
        new=_said(rating),
        at=at,
    )
