"""Comparisons: the pairs and sets of outputs that a study has judged, made by its design."""

from collections import defaultdict

from django.db.models import Count, Q, QuerySet

from annotation.design.comparisons import Comparison, pair_design, set_design
from annotation.enums import COMPARED, DimensionKind, UnitKind
from annotation.models import Dimension, OutputVersion, Study, Unit, UnitMember
from annotation.selectors.units import OUTDATED, asked_kinds
from annotation.services.bulk_rows import insert_rows, reserve_ids
from annotation.services.place_handover import drop_units


def make_comparisons(study: Study) -> list[int]:
    """Make the pairs and sets that the design asks for and the study lacks; return their keys.

    Those of a text that was changed are judged no further. Call it in a transaction.
    """
    kinds = asked_kinds(study) - {UnitKind.SINGLE}
    if not kinds:
        return []
    # Locked: two files loaded at once would make the same comparisons twice.
    study = Study.objects.select_for_update().get(pk=study.pk)
    drop_units(study.units.filter(OUTDATED))
    texts = _texts(study)
    return [
        unit
        for kind in sorted(kinds)
        for unit in _insert(study, kind, _design(study, kind, texts), texts)
    ]


def what_comparisons_lack(study: Study) -> list[str]:
    """Return, in sentences, what stands in the way of the comparisons that a study asks for."""
    asked = Dimension.objects.filter(phase__study=study, is_current=True)
    lacking = [
        f"The phase {phase.title} asks both of comparisons and of single outputs, or of pairs and "
        "of sets: give each a phase of its own."
        for phase in study.phases.all()
        if len(_kinds(asked.filter(phase=phase))) > 1
    ]
    for kind in sorted(asked_kinds(study) - {UnitKind.SINGLE}):
        size = 2 if kind == UnitKind.PAIR else study.set_size
        counted = study.items.annotate(
            n=Count("outputs", filter=Q(outputs__versions__is_current=True))
        )
        if study.units.exists() and not counted.filter(n__gte=size).exists():
            lacking.append(
                f"No item has the {size} outputs that a comparison needs: upload those of more "
                "systems."
            )
    return lacking


def _kinds(asked: QuerySet[Dimension]) -> set[UnitKind]:
    """Return what dimensions are asked of; comments go along with any."""
    kinds = asked.exclude(kind=DimensionKind.COMMENT).values_list("kind", flat=True)
    return {COMPARED.get(DimensionKind(kind), UnitKind.SINGLE) for kind in kinds}


Texts = dict[int, dict[int, int]]


def _texts(study: Study) -> Texts:
    """Return the current texts by item and system."""
    texts: Texts = defaultdict(dict)
    current = OutputVersion.objects.filter(output__item__study=study, is_current=True)
    for item, system, version in current.values_list("output__item", "output__system", "pk"):
        texts[item][system] = version
    return texts


def _design(study: Study, kind: UnitKind, texts: Texts) -> list[Comparison]:
    systems = {item: list(of_item) for item, of_item in texts.items()}
    made = _made(study, kind)
    if kind == UnitKind.PAIR:
        return pair_design(systems, per_item=study.pairs_per_item, seed=study.seed, made=made)
    return set_design(
        systems, size=study.set_size, per_item=study.sets_per_item, seed=study.seed, made=made
    )


def _made(study: Study, kind: UnitKind) -> list[Comparison]:
    current = study.units.filter(kind=kind).exclude(OUTDATED)
    systems: dict[tuple[int, int], list[int]] = defaultdict(list)
    for item, unit, system in current.order_by("pk", "unit_members__position").values_list(
        "item", "pk", "unit_members__output_version__output__system"
    ):
        systems[item, unit].append(system)
    return [(item, tuple(members)) for (item, _), members in systems.items()]


def _insert(study: Study, kind: UnitKind, design: list[Comparison], texts: Texts) -> list[int]:
    units = reserve_ids(Unit, len(design))
    insert_rows(
        Unit,
        ("id", "study_id", "item_id", "kind"),
        ((unit, study.pk, item, kind.value) for unit, (item, _) in zip(units, design, strict=True)),
    )
    insert_rows(
        UnitMember,
        ("unit_id", "position", "output_version_id"),
        (
            (unit, position, texts[item][system])
            for unit, (item, members) in zip(units, design, strict=True)
            for position, system in enumerate(members, start=1)
        ),
    )
    return units
