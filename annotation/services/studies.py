"""Studies: set up, opened, paused, closed, frozen."""

import secrets
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from annotation.enums import DimensionKind, Role, ScaleKind, StudyState
from annotation.models import (
    Dimension,
    Example,
    Fact,
    JudgeGroup,
    Phase,
    Scale,
    ScalePoint,
    Study,
    StudyEvent,
    StudyMember,
)
from annotation.services.batches import fill_batches
from annotation.services.comparisons import make_comparisons, what_comparisons_lack
from annotation.services.place_making import Tell, make_places
from annotation.services.protocol import NewExample, NewGroup, NewPhase, NewScale, Protocol

# From where to where a study may go.
MOVES = {
    StudyState.DRAFT: {StudyState.PILOT, StudyState.OPEN},
    StudyState.PILOT: {StudyState.OPEN, StudyState.PAUSED, StudyState.CLOSED},
    StudyState.OPEN: {StudyState.PAUSED, StudyState.CLOSED},
    StudyState.PAUSED: {StudyState.OPEN, StudyState.CLOSED},
    StudyState.CLOSED: {StudyState.OPEN, StudyState.FROZEN},
    StudyState.FROZEN: set(),
}


@transaction.atomic
def create_study(
    slug: str,
    *,
    title: str,
    protocol: Protocol,
    at: datetime,
    owner: User | None = None,
    seed: int | None = None,
) -> Study:
    """Store a study in draft with its scales, phases, dimensions and groups."""
    study = Study(
        slug=slug,
        title=title,
        seed=secrets.randbelow(2**31) if seed is None else seed,
        created_at=at,
        **protocol.settings,
    )
    study.full_clean()
    study.save()
    scales = {new.key: add_scale(study, new) for new in protocol.scales}
    for position, new_phase in enumerate(protocol.phases, start=1):
        _add_phase(study, new_phase, position=position, scales=scales)
    for new_group in protocol.groups:
        add_group(study, new_group)
    if owner is not None:
        StudyMember.objects.create(study=study, user=owner, role=Role.OWNER)
    StudyEvent.objects.create(study=study, kind="created", actor=owner, at=at)
    return study


def add_group(study: Study, new: NewGroup) -> JudgeGroup:
    """Store a group of judges."""
    group = JudgeGroup(study=study, **asdict(new))
    group.full_clean()
    group.save()
    return group


@transaction.atomic
def change_state(
    study: Study,
    state: StudyState,
    *,
    at: datetime,
    actor: User | None = None,
    reason: str = "",
    tell: Tell | None = None,
) -> Study:
    """Move a study to another state; opening it makes its places, and tells of them."""
    locked = Study.objects.select_for_update().get(pk=study.pk)
    refuse_move(locked, state)
    if state in {StudyState.PILOT, StudyState.OPEN} and locked.opened_at is None:
        refuse_unless_ready(locked)
        fill_batches(locked)
        make_comparisons(locked)
        # What was read off a file is asked for from now on.
        locked.groups.update(is_observed=False)
        make_places(locked, tell=tell)
        locked.opened_at = at
    if state == StudyState.CLOSED:
        locked.closed_at = at
    before, locked.state = locked.state, state
    locked.save(update_fields=["state", "opened_at", "closed_at"])
    StudyEvent.objects.create(
        study=locked,
        kind="state",
        actor=actor,
        reason=reason,
        detail={"from": before, "to": str(state)},
        at=at,
    )
    return locked


def refuse_move(study: Study, state: StudyState) -> None:
    """Raise ValidationError where no way leads from the study's state to the other."""
    if state not in MOVES[StudyState(study.state)]:
        raise ValidationError(
            f"A study that is {study.get_state_display().lower()} cannot become "
            f"{StudyState(state).label.lower()}."
        )


def refuse_unless_ready(study: Study) -> None:
    """Raise ValidationError naming everything that a study still lacks to be opened."""
    missing = []
    if not study.units.exists():
        missing.append("It has no outputs to judge: upload some.")
    if not Dimension.objects.filter(phase__study=study, is_current=True).exists():
        missing.append("It asks nothing: add a dimension.")
    if not study.groups.exists():
        missing.append("It has no group of judges: add one.")
    missing += _without_facts(study)
    missing += what_comparisons_lack(study)
    if missing:
        raise ValidationError(missing)


def _without_facts(study: Study) -> list[str]:
    if not study.units.exists() or Fact.objects.filter(item__study=study).exists():
        return []
    asking = Dimension.objects.filter(phase__study=study, is_current=True, kind=DimensionKind.FACTS)
    return [
        f"{dimension.name} asks about facts, and no item has any: upload the facts with the "
        "outputs, or remove the dimension."
        for dimension in asking
    ]


def add_scale(study: Study, new: NewScale) -> Scale:
    """Store a scale with its points."""
    scale = Scale(study=study, key=new.key, measurement=new.measurement)
    if new.limits is not None:
        scale.kind = ScaleKind.RANGE
        scale.minimum, scale.maximum, scale.step = new.limits
    elif len(new.points) < 2:
        raise ValidationError(f"The scale {new.key} needs at least two points.")
    scale.full_clean()
    scale.save()
    ScalePoint.objects.bulk_create(
        ScalePoint(scale=scale, position=position, value=value, label=label)
        for position, (value, label) in enumerate(new.points, start=1)
    )
    return scale


def _add_phase(study: Study, new: NewPhase, *, position: int, scales: dict[str, Scale]) -> None:
    phase = Phase(
        study=study,
        key=new.key,
        position=position,
        title=new.title,
        instructions=new.instructions,
        suggestions=new.suggestions,
    )
    phase.full_clean()
    phase.save()
    _add_examples(phase, new.examples)
    for place, asked in enumerate(new.dimensions, start=1):
        if asked.scale is not None and asked.scale not in scales:
            raise ValidationError(
                f"{asked.name} names a scale that is not declared: {asked.scale}."
            )
        scale = scales[asked.scale] if asked.scale else None
        own = {**asdict(asked), "scale": scale}
        dimension = Dimension(phase=phase, position=place, **own)
        dimension.full_clean()
        dimension.save()


def _add_examples(phase: Phase, new: Sequence[NewExample]) -> None:
    for position, shown in enumerate(new, start=1):
        example = Example(phase=phase, position=position, **asdict(shown))
        example.full_clean()
        example.save()
