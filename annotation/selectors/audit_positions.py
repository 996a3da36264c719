"""How evenly the systems of comparisons stand left and right, or first to last."""

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count

from annotation.enums import UnitKind
from annotation.models import Study, UnitMember
from annotation.selectors.units import asked_kinds, judged_units


@dataclass(frozen=True, slots=True)
class PositionAudit:
    """The comparisons of one kind, and the widest difference, over systems, between positions."""

    kind: str
    label: str
    n_units: int
    widest_difference: int


def audit_positions(study: Study) -> list[PositionAudit]:
    """Count, for pairs and for sets, how often each system stands in each position."""
    return [_audit(study, kind) for kind in sorted(asked_kinds(study)) if kind != UnitKind.SINGLE]


def _audit(study: Study, kind: UnitKind) -> PositionAudit:
    units = judged_units(study).filter(kind=kind)
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    members = UnitMember.objects.filter(unit__in=units).order_by()
    rows = members.values_list("output_version__output__system", "position")
    for system, position, n in rows.annotate(n=Count("pk")):
        counts[system][position] += n
    positions = {position for of_system in counts.values() for position in of_system}
    widest = max(
        (max(c[p] for p in positions) - min(c[p] for p in positions) for c in counts.values()),
        default=0,
    )
    return PositionAudit(kind, str(kind.label), units.count(), widest)
