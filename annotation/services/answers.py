"""Answers: what a dimension may be answered with."""

import math
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from annotation.design.choices import read_choice
from annotation.enums import COMPARED, DimensionKind, ScaleKind, UnitKind
from annotation.models import Assignment, Dimension, Fact, Scale

MAX_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: exactly one of a number, a text, or the reason why there is none."""

    value: float | None = None
    text: str | None = None
    missing_reason: str | None = None


def check_answer(
    assignment: Assignment, *, dimension: Dimension, fact: Fact | None, answer: Answer
) -> None:
    """Raise ValidationError where the answer is none that this dimension takes."""
    _check_place(assignment, dimension, fact)
    given = [answer.value, answer.text, answer.missing_reason]
    if sum(part is not None for part in given) != 1:
        raise ValidationError("Give exactly one of a value, a text, or a reason for no answer.")
    if answer.missing_reason is not None:
        _check_reason(dimension, answer.missing_reason)
    elif dimension.kind == DimensionKind.COMMENT:
        _check_text(dimension, answer.text)
    elif dimension.kind in COMPARED:
        _check_choice(assignment, dimension, answer.text)
    elif answer.value is None:
        raise ValidationError(f"{dimension.name} is answered with a number, not with a text.")
    elif dimension.scale is None:
        raise ValidationError(f"{dimension.name} has no scale to be answered on.")
    else:
        check_value(dimension.scale, answer.value, name=dimension.name)


def check_value(scale: Scale, value: float, *, name: str) -> None:
    """Raise ValidationError where the value is not on the scale."""
    if scale.kind == ScaleKind.RANGE:
        _check_range(scale, value, name=name)
        return
    points = [point.value for point in scale.points.all()]
    if value not in points:
        wanted = ", ".join(f"{point:g}" for point in points)
        raise ValidationError(f"{value:g} is not on the scale of {name}: {wanted}.")


def _check_place(assignment: Assignment, dimension: Dimension, fact: Fact | None) -> None:
    if dimension.phase.study_id != assignment.unit.study_id or not dimension.is_current:
        raise ValidationError(f"{dimension.name} is not asked in this study.")
    if (fact is not None) != (dimension.kind == DimensionKind.FACTS):
        raise ValidationError(f"{dimension.name} is answered once for each fact, or not at all.")
    kind = DimensionKind(dimension.kind)
    asked_of = COMPARED.get(kind, UnitKind.SINGLE)
    if kind != DimensionKind.COMMENT and asked_of != assignment.unit.kind:
        raise ValidationError(f"{dimension.name} is asked of {asked_of.label.lower()} only.")
    if fact is not None and fact.item_id != assignment.unit.item_id:
        raise ValidationError("This fact belongs to another item.")


def _check_choice(assignment: Assignment, dimension: Dimension, code: str | None) -> None:
    try:
        choice = read_choice(code or "", n_members=assignment.unit.unit_members.count())
    except ValueError as fault:
        raise ValidationError(f"{dimension.name}: {fault}") from fault
    if choice.is_tie and not dimension.allows_tie:
        raise ValidationError(f"{dimension.name} does not allow a tie: choose A or B.")


def _check_reason(dimension: Dimension, reason: str) -> None:
    if not dimension.allows_no_answer:
        raise ValidationError(f"{dimension.name} must be answered.")
    if not reason.strip() or len(reason) > 200:
        raise ValidationError("Say in up to 200 characters why there is no answer.")


def _check_text(dimension: Dimension, text: str | None) -> None:
    if text is None:
        raise ValidationError(f"{dimension.name} is answered with a text.")
    if len(text) > MAX_TEXT:
        raise ValidationError(f"The text has {len(text)} characters; {MAX_TEXT} are allowed.")


def _check_range(scale: Scale, value: float, *, name: str) -> None:
    low, high, step = scale.minimum or 0.0, scale.maximum or 0.0, scale.step or 1.0
    if not math.isfinite(value) or not low <= value <= high:
        raise ValidationError(f"{value:g} is outside the range of {name}: {low:g} to {high:g}.")
    steps = (value - low) / step
    if abs(steps - round(steps)) > 1e-9 * max(1.0, abs(steps)):
        raise ValidationError(f"{value:g} is between the steps of {name}, which are {step:g} wide.")
