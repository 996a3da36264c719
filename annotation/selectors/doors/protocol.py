"""What a study asked, of whom, and how, as plain values: the protocol of its release."""

from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet

from annotation.models import Dimension, Example, Phase, Scale, Study
from annotation.selectors.doors.studies import group_rows, system_rows

SETTINGS = (
    "slug", "title", "description", "state", "seed", "layout", "page_size",
    "one_dimension_per_pass", "shuffles_dimensions", "source_once_per_judge", "repeat_percent",
    "hides_systems", "hides_results", "exclusion_rules", "lease_minutes",
    "pairs_per_item", "sets_per_item", "set_size",
    "source_title", "output_title",
)  # fmt: skip

DIMENSION = (
    "key", "version", "is_current", "kind", "name", "definition", "question",
    "is_required", "allows_no_answer", "allows_tie",
)  # fmt: skip
SCALE = ("kind", "measurement", "minimum", "maximum", "step")


def protocol_of(study_id: int) -> dict[str, Any]:
    """Return settings, phases with all their texts, dimensions, groups and systems.

    `annotation.forms.protocol_documents` reads it back: a study made of it asks the same.
    """
    study = Study.objects.get(pk=study_id)
    moments = {name: getattr(study, name) for name in ("created_at", "opened_at", "closed_at")}
    return {
        "study": {name: getattr(study, name) for name in SETTINGS}
        | {name: at.isoformat() if at else None for name, at in moments.items()},
        "phases": [_phase(phase) for phase in study.phases.prefetch_related("examples")],
        "dimensions": [_dimension(dimension) for dimension in _every_version(study_id)],
        "groups": [asdict(row) for row in group_rows(study_id)],
        "systems": [asdict(row) for row in system_rows(study_id)],
    }


def _every_version(study_id: int) -> QuerySet[Dimension]:
    return (
        Dimension.objects.filter(phase__study=study_id)
        .select_related("phase", "scale")
        .prefetch_related("scale__points")
        .order_by("phase__position", "position", "version")
    )


def _dimension(dimension: Dimension) -> dict[str, Any]:
    named = {name: getattr(dimension, name) for name in DIMENSION}
    return {
        "phase": dimension.phase.key,
        **named,
        "scale": _scale(dimension.scale) if dimension.scale else None,
    }


def _scale(scale: Scale) -> dict[str, Any]:
    """Return a scale; its points in the order in which judges see them."""
    points = [{"value": point.value, "label": point.label} for point in scale.points.all()]
    return {name: getattr(scale, name) for name in SCALE} | {"points": points}


def _phase(phase: Phase) -> dict[str, Any]:
    return {
        "phase": phase.key,
        "title": phase.title,
        "instructions": phase.instructions,
        "suggestions": phase.suggestions,
        "examples": [_example(example) for example in phase.examples.all()],
    }


def _example(example: Example) -> dict[str, str]:
    return {
        "kind": example.kind,
        "source": example.source,
        "text": example.text,
        "explanation": example.explanation,
    }
