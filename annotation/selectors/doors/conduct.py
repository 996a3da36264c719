"""How a study was carried out, in counts: what a datasheet says beside the protocol."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.enums import DimensionKind, JudgeKind, Origin
from annotation.models import Assignment, Dimension, Judge


@dataclass(frozen=True, slots=True)
class ConductRow:
    """Counts of work and of judges, and dimensions that a judge may leave open.

    ``n_collected`` and ``n_imported`` count finished assignments by where they come from,
    ``n_repeats`` those shown to the same judge again.
    """

    n_collected: int
    n_imported: int
    n_repeats: int
    n_simulated: int
    n_model_judges: int
    n_joint_judges: int
    optional: frozenset[str]
    has_comments: bool


def conduct_of(study_id: int) -> ConductRow:
    """Return how the study was carried out."""
    work = Assignment.objects.filter(unit__study_id=study_id, submitted_at__isnull=False)
    done = work.aggregate(
        collected=Count("pk", filter=Q(origin=Origin.COLLECTED)),
        imported=Count("pk", filter=Q(origin=Origin.IMPORTED)),
        repeats=Count("pk", filter=Q(repeat_of__isnull=False)),
    )
    judges = Judge.objects.filter(study_id=study_id).aggregate(
        simulated=Count("pk", filter=Q(is_simulated=True)),
        models=Count("pk", filter=Q(kind=JudgeKind.MODEL)),
        joint=Count("pk", filter=Q(kind=JudgeKind.JOINT)),
    )
    dimensions = Dimension.objects.filter(phase__study_id=study_id, is_current=True)
    asked = list(dimensions.values_list("key", "kind", "allows_no_answer"))
    return ConductRow(
        n_collected=done["collected"],
        n_imported=done["imported"],
        n_repeats=done["repeats"],
        n_simulated=judges["simulated"],
        n_model_judges=judges["models"],
        n_joint_judges=judges["joint"],
        optional=frozenset(key for key, _, is_optional in asked if is_optional),
        has_comments=any(kind == DimensionKind.COMMENT for _, kind, _ in asked),
    )
