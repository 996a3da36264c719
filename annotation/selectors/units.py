"""Which units of a study are judged, and what is asked of them."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, QuerySet

from annotation.enums import COMPARED, DimensionKind, UnitKind
from annotation.models import Dimension, Study, Unit, UnitMember

# A pair or set with a text that was changed since.
OUTDATED = Exists(UnitMember.objects.filter(unit=OuterRef("pk"), output_version__is_current=False))


def unit_kinds(asked: Iterable[Dimension]) -> dict[int, UnitKind]:
    """Return, by phase, what its dimensions are asked of: single outputs, pairs, or sets.

    Comments are about whatever else their phase asks of.
    """
    kinds: dict[int, UnitKind] = {}
    for dimension in asked:
        compared = COMPARED.get(DimensionKind(dimension.kind))
        if compared or dimension.phase_id not in kinds:
            kinds[dimension.phase_id] = compared or UnitKind.SINGLE
    return kinds


def asked_of(kind: str, asked: Iterable[Dimension]) -> list[Dimension]:
    """Return those of a study's dimensions that are asked of a kind of unit."""
    dimensions = list(asked)
    kinds = unit_kinds(dimensions)
    return [dimension for dimension in dimensions if kinds[dimension.phase_id] == kind]


def asked_kinds(study: Study) -> set[UnitKind]:
    """Return the kinds of units that a study asks about; single outputs where it asks nothing."""
    asked = Dimension.objects.filter(phase__study=study, is_current=True)
    return set(unit_kinds(asked).values()) or {UnitKind.SINGLE}


def judged_units(study: Study) -> QuerySet[Unit]:
    """Return the units of current texts, of the kinds that the study asks about."""
    kinds = asked_kinds(study)
    units = study.units.filter(kind__in=kinds).exclude(output_version__is_current=False)
    return units if kinds == {UnitKind.SINGLE} else units.exclude(OUTDATED)
