"""Setting a study up: its phases, dimensions, examples, groups and layout, while it is a draft."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.text import slugify

from annotation.models import Dimension, Example, JudgeGroup, Phase, Scale, Study
from annotation.selectors.openings import is_being_opened
from annotation.selectors.setup import setup_is_fixed
from annotation.services.protocol import NewScale
from annotation.services.studies import add_scale

Part = Phase | Dimension | Example | JudgeGroup


@transaction.atomic
def keep_settings(study: Study, settings: Mapping[str, Any]) -> Study:
    """Store how a study is shown, as fields and values."""
    locked = refuse_unless_draft(study)
    for name, value in settings.items():
        setattr(locked, name, value)
    locked.full_clean()
    locked.save(update_fields=list(settings))
    return locked


@transaction.atomic
def keep_part(study: Study, part: Part) -> Part:
    """Store a phase, an example or a group, new or changed; what is new comes last.

    Raises
    ------
    ValidationError
        Where the study is no draft any more, or the part is not as it must be.
    """
    refuse_unless_draft(study)
    _name(part)
    if not part.pk and not isinstance(part, JudgeGroup):
        part.position = 1 + (_among(part).aggregate(last=Max("position"))["last"] or 0)
    part.full_clean()
    part.save()
    return part


@transaction.atomic
def keep_dimension(study: Study, dimension: Dimension, scale: NewScale | None) -> Dimension:
    """Store a dimension, new or changed, with its scale; equal scales of a study are one."""
    refuse_unless_draft(study)
    dimension.scale = None if scale is None else _stored_scale(study, scale)
    keep_part(study, dimension)
    _drop_unused_scales(study)
    return dimension


@transaction.atomic
def remove_part(study: Study, part: Part) -> None:
    """Remove a part with all that is in it; a group only while nobody is in it."""
    refuse_unless_draft(study)
    if isinstance(part, JudgeGroup) and part.judges.exists():
        raise ValidationError(f"{part.name} has judges, and cannot be removed. It can be renamed.")
    part.delete()
    _drop_unused_scales(study)


@transaction.atomic
def move_part(study: Study, part: Phase | Dimension | Example, *, up: bool) -> None:
    """Change places with the part before, or after; the first and the last stay where they are."""
    refuse_unless_draft(study)
    among = _among(part)
    if up:
        other = among.filter(position__lt=part.position).order_by("-position").first()
    else:
        other = among.filter(position__gt=part.position).order_by("position").first()
    if other is None:
        return
    here, there = part.position, other.position
    # No two may stand at one place, not even for a moment.
    beyond = 1 + among.aggregate(last=Max("position"))["last"]
    for row, position in ((part, beyond), (other, here), (part, there)):
        row.position = position
        row.save(update_fields=["position"])


def refuse_unless_draft(study: Study) -> Study:
    """Return the study, held until the commit; raise ValidationError once judges may know it."""
    if is_being_opened(study):
        raise ValidationError("The study is being opened; cancel that to change it.")
    # Locked: a study that is opened at this moment makes its places of what it asks.
    locked = Study.objects.select_for_update().get(pk=study.pk)
    if setup_is_fixed(locked):
        raise ValidationError(
            "The study has been opened or holds ratings: what judges are asked stays as it is. "
            "To ask something else, make a new study that begins with this one."
        )
    return locked


def _among(part: Phase | Dimension | Example) -> QuerySet[Any]:
    """Return the rows that share the part's order."""
    if isinstance(part, Phase):
        return Phase.objects.filter(study=part.study_id)
    return type(part).objects.filter(phase=part.phase_id)


def _name(part: Part) -> None:
    """Give a part without a short name one that is free, after what it is called."""
    if isinstance(part, Example) or part.key:
        return
    if isinstance(part, JudgeGroup):
        siblings: QuerySet[Any] = JudgeGroup.objects.filter(study=part.study_id)
    else:
        siblings = _among(part)
    called = part.title if isinstance(part, Phase) else part.name
    stem = slugify(called).replace("-", "_")[:50] or type(part).__name__.lower()
    part.key = _free_key(stem, set(siblings.values_list("key", flat=True)))


def _free_key(stem: str, taken: set[str]) -> str:
    keys = [stem, *(f"{stem}_{number}" for number in range(2, len(taken) + 3))]
    return next(key for key in keys if key not in taken)


def _stored_scale(study: Study, new: NewScale) -> Scale:
    for scale in study.scales.prefetch_related("points"):
        points = [(point.value, point.label) for point in scale.points.all()]
        limits = None if scale.minimum is None else (scale.minimum, scale.maximum, scale.step)
        if (points, limits, scale.measurement) == (list(new.points), new.limits, new.measurement):
            return scale
    taken = set(study.scales.values_list("key", flat=True))
    return add_scale(study, replace(new, key=_free_key("scale", taken)))


def _drop_unused_scales(study: Study) -> None:
    study.scales.filter(dimensions=None).delete()
