"""What a study asked, of whom, and how, as plain values: the protocol of its release."""

from dataclasses import asdict
from typing import Any

from annotation.models import Example, Phase, Study
from annotation.selectors.doors.studies import dimension_rows, group_rows, system_rows

SETTINGS = (
    "slug", "title", "description", "state", "seed", "layout", "page_size",
    "one_dimension_per_pass", "shuffles_dimensions", "source_once_per_judge", "repeat_percent",
    "hides_systems", "hides_results", "exclusion_rules", "lease_minutes",
    "source_title", "output_title",
)  # fmt: skip


def protocol_of(study_id: int) -> dict[str, Any]:
    """Return settings, phases with instructions and examples, dimensions, groups and systems."""
    study = Study.objects.get(pk=study_id)
    moments = {name: getattr(study, name) for name in ("created_at", "opened_at", "closed_at")}
    return {
        "study": {name: getattr(study, name) for name in SETTINGS}
        | {name: at.isoformat() if at else None for name, at in moments.items()},
        "phases": [_phase(phase) for phase in study.phases.prefetch_related("examples")],
        "dimensions": [_plain(row) for row in dimension_rows(study_id)],
        "groups": [asdict(row) for row in group_rows(study_id)],
        "systems": [asdict(row) for row in system_rows(study_id)],
    }


def _plain(row: Any) -> dict[str, Any]:  # noqa: ANN401 -- any row of the door
    return {name: value for name, value in asdict(row).items() if name != "id"}


def _phase(phase: Phase) -> dict[str, Any]:
    return {
        "phase": phase.key,
        "title": phase.title,
        "instructions": phase.instructions,
        "examples": [_example(example) for example in phase.examples.all()],
    }


def _example(example: Example) -> dict[str, str]:
    return {
        "kind": example.kind,
        "source": example.source,
        "text": example.text,
        "explanation": example.explanation,
    }
