"""Answers: what a dimension may be answered with.

A refusal is put into words where it is shown, in the language of the judge who reads it.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from annotation.design.choices import LETTERS, read_choice
from annotation.enums import COMPARED, DimensionKind, ScaleKind, UnitKind
from annotation.models import Assignment, Dimension, Fact, Scale

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MAX_TEXT = 20_000
_ASKED_OF = {
    UnitKind.SINGLE: _("%(name)s is asked of one output only."),
    UnitKind.PAIR: _("%(name)s is asked of a pair of outputs only."),
    UnitKind.SET: _("%(name)s is asked of a set of outputs only."),
}


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
        raise ValidationError(_("Give exactly one of a value, a text, or a reason for no answer."))
    if answer.missing_reason is not None:
        _check_reason(dimension, answer.missing_reason)
    elif dimension.kind == DimensionKind.COMMENT:
        _check_text(dimension, answer.text)
    elif dimension.kind in COMPARED:
        _check_choice(assignment, dimension, answer.text)
    elif answer.value is None:
        raise _refusal(_("%(name)s is answered with a number, not with a text."), dimension)
    elif dimension.scale is None:
        raise _refusal(_("%(name)s has no scale to be answered on."), dimension)
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
        raise ValidationError(
            _("%(value)s is not on the scale of %(name)s: %(points)s."),
            params={"value": f"{value:g}", "name": name, "points": wanted},
        )


def _check_place(assignment: Assignment, dimension: Dimension, fact: Fact | None) -> None:
    if dimension.phase.study_id != assignment.unit.study_id or not dimension.is_current:
        raise _refusal(_("%(name)s is not asked in this study."), dimension)
    if (fact is not None) != (dimension.kind == DimensionKind.FACTS):
        raise _refusal(_("%(name)s is answered once for each fact, or not at all."), dimension)
    kind = DimensionKind(dimension.kind)
    asked_of = COMPARED.get(kind, UnitKind.SINGLE)
    if kind != DimensionKind.COMMENT and asked_of != assignment.unit.kind:
        raise _refusal(_ASKED_OF[asked_of], dimension)
    if fact is not None and fact.item_id != assignment.unit.item_id:
        raise ValidationError(_("This fact belongs to another item."))


def _check_choice(assignment: Assignment, dimension: Dimension, code: str | None) -> None:
    n_members = assignment.unit.unit_members.count()
    try:
        choice = read_choice(code or "", n_members=n_members)
    except ValueError as fault:
        raise ValidationError(
            _(
                "%(name)s: “%(code)s” is no choice here. Choose two different outputs from A to "
                "%(last)s, the better before the worse, as in A>B."
            ),
            params={
                "name": dimension.name,
                "code": (code or "")[:40],
                "last": LETTERS[n_members - 1],
            },
        ) from fault
    if choice.is_tie and not dimension.allows_tie:
        raise _refusal(_("%(name)s does not allow a tie: choose A or B."), dimension)


def _check_reason(dimension: Dimension, reason: str) -> None:
    if not dimension.allows_no_answer:
        raise _refusal(_("%(name)s must be answered."), dimension)
    if not reason.strip() or len(reason) > 200:
        raise ValidationError(_("Say in up to 200 characters why there is no answer."))


def _check_text(dimension: Dimension, text: str | None) -> None:
    if text is None:
        raise _refusal(_("%(name)s is answered with a text."), dimension)
    if len(text) > MAX_TEXT:
        raise ValidationError(
            _("The text has %(n)s characters; %(most)s are allowed."),
            params={"n": len(text), "most": MAX_TEXT},
        )


def _check_range(scale: Scale, value: float, *, name: str) -> None:
    low, high, step = scale.minimum or 0.0, scale.maximum or 0.0, scale.step or 1.0
    if not math.isfinite(value) or not low <= value <= high:
        raise ValidationError(
            _("%(value)s is outside the range of %(name)s: %(low)s to %(high)s."),
            params={"value": f"{value:g}", "name": name, "low": f"{low:g}", "high": f"{high:g}"},
        )
    steps = (value - low) / step
    if abs(steps - round(steps)) > 1e-9 * max(1.0, abs(steps)):
        raise ValidationError(
            _("%(value)s is between the steps of %(name)s, which are %(step)s wide."),
            params={"value": f"{value:g}", "name": name, "step": f"{step:g}"},
        )


def _refusal(sentence: "_StrPromise", dimension: Dimension) -> ValidationError:
    return ValidationError(sentence, params={"name": dimension.name})
