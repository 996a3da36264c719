"""The audit of a study: every deviation from k, from balance and from blindness, or none."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet

from annotation.enums import DimensionKind, GroupKind, Origin, StudyState
from annotation.models import (
    Assignment,
    Dimension,
    Fact,
    JudgeGroup,
    Rating,
    Study,
    Unit,
    UnitMember,
)
from annotation.selectors.audit_blindness import Deviation, tell_tales
from annotation.selectors.audit_positions import PositionAudit, audit_positions
from annotation.selectors.judging import asked_dimensions
from annotation.selectors.places import RUNNING, VALID
from annotation.selectors.units import OUTDATED, asked_kinds, asked_of, judged_units, unit_kinds

COLLECTING = {StudyState.PILOT, StudyState.OPEN, StudyState.PAUSED}


@dataclass(frozen=True, slots=True)
class GroupAudit:
    """The places of one group and what became of them."""

    group: str
    judges_per_unit: int
    n_units: int
    n_places: int
    n_ratings_due: int
    n_valid: int
    n_running: int
    n_lapsed: int
    n_free: int
    n_late: int
    n_repeats: int
    n_imported: int
    # The widest difference, over judges, between the systems they rated most and least.
    widest_system_difference: int


@dataclass(frozen=True, slots=True)
class StudyAudit:
    """The audit of a study at one moment."""

    study: str
    state: str
    at: datetime
    groups: list[GroupAudit]
    positions: list[PositionAudit]
    deviations: list[Deviation]


def audit_study(study: Study, *, at: datetime) -> StudyAudit:
    """Count the places of every group and list what deviates from the design."""
    dimensions = list(asked_dimensions(study.pk))
    groups = list(study.groups.order_by("pk"))
    deviations = [
        deviation
        for group in groups
        # Places of models come with their answers; work done elsewhere has none.
        if group.kind != GroupKind.MODEL and not group.is_observed
        for deviation in [
            *_place_deviations(study, group),
            *_judge_deviations(study, group),
            *_lateness(group),
        ]
    ]
    return StudyAudit(
        study=study.slug,
        state=study.state,
        at=at,
        groups=[_group_audit(study, group, dimensions, at=at) for group in groups],
        positions=audit_positions(study),
        deviations=[*deviations, *_incomplete(study, dimensions), *tell_tales(study, dimensions)],
    )


def _group_audit(
    study: Study, group: JudgeGroup, dimensions: list[Dimension], *, at: datetime
) -> GroupAudit:
    counts = Assignment.objects.filter(group=group).aggregate(
        n_places=Count("pk", filter=Q(slot__isnull=False)),
        n_valid=Count("pk", filter=VALID & Q(slot__isnull=False)),
        n_running=Count("pk", filter=RUNNING & Q(lease_until__gte=at)),
        n_lapsed=Count("pk", filter=RUNNING & Q(lease_until__lt=at)),
        n_free=Count("pk", filter=Q(judge__isnull=True)),
        n_late=Count("pk", filter=Q(is_late=True, submitted_at__isnull=False)),
        n_repeats=Count("pk", filter=Q(repeat_of__isnull=False)),
        n_imported=Count("pk", filter=Q(origin=Origin.IMPORTED)),
    )
    return GroupAudit(
        group=group.key,
        judges_per_unit=group.judges_per_unit,
        n_units=judged_units(study).count(),
        n_ratings_due=(
            0 if group.is_observed else group.judges_per_unit * _answers_due(study, dimensions)
        ),
        widest_system_difference=max(_system_differences(study, group).values(), default=0),
        **counts,
    )


def _answers_due(study: Study, dimensions: list[Dimension]) -> int:
    """Return the required answers of one judge who rates every unit."""
    due = 0
    units = judged_units(study)
    for kind in asked_kinds(study):
        asked = asked_of(kind, dimensions)
        required = [dimension for dimension in asked if dimension.is_required]
        n_per_fact = sum(dimension.kind == DimensionKind.FACTS for dimension in required)
        due += units.filter(kind=kind).count() * (len(required) - n_per_fact)
        if n_per_fact:
            due += Fact.objects.filter(item__units__in=units.filter(kind=kind)).count() * n_per_fact
    return due


def _place_deviations(study: Study, group: JudgeGroup) -> Iterator[Deviation]:
    """Yield the units whose places are not exactly slots 1 to k, once each."""
    if study.opened_at is None:
        return
    k = group.judges_per_unit
    places = Assignment.objects.filter(group=group, slot__isnull=False).order_by()
    # No two places of a unit have one slot, so k of them from 1 to k are just those that are due.
    counted = places.values("unit").annotate(n=Count("pk"), low=Min("slot"), high=Max("slot"))
    whole = counted.filter(unit=OuterRef("pk"), n=k, low=1, high=k)
    others = study.units.filter(~Exists(whole), kind__in=asked_kinds(study))
    names = dict(_names(others))
    if names:
        yield from _unlike(group, others, names)
    if study.state not in COLLECTING:
        yield from _short_units(study, group)


def _unlike(group: JudgeGroup, units: QuerySet[Unit], names: dict[int, str]) -> Iterator[Deviation]:
    """Yield those units whose places are not due; an old text may keep a part of its own."""
    held: dict[int, list[int]] = {key: [] for key in names}
    places = Assignment.objects.filter(group=group, slot__isnull=False, unit__in=units)
    for key, slot in places.order_by("slot").values_list("unit", "slot"):
        held[key].append(slot or 0)
    old = set(
        units.filter(Q(output_version__is_current=False) | Q(OUTDATED)).values_list("pk", flat=True)
    )
    wanted = list(range(1, group.judges_per_unit + 1))
    for key, name in names.items():
        if held[key] != wanted and not (key in old and set(held[key]) <= set(wanted)):
            yield Deviation(
                "k", name, f"{group.key} has places {held[key]} here where {wanted} are due."
            )


def _names(units: QuerySet[Unit]) -> Iterator[tuple[int, str]]:
    """Yield the keys of units, and what people call them: item and system, or systems."""
    members = UnitMember.objects.filter(unit__in=units).order_by("unit", "position")
    compared: dict[int, list[str]] = defaultdict(list)
    for key, system in members.values_list("unit", "output_version__output__system__key"):
        compared[key].append(system)
    rows = units.order_by("pk").values_list("pk", "item__key", "system__key")
    for key, item, single in rows.iterator(chunk_size=2_000):
        yield key, f"{item}, {single or ' / '.join(compared[key])}"


def _short_units(study: Study, group: JudgeGroup) -> Iterator[Deviation]:
    """Yield, once collecting is over, the units that ended with other than k valid ratings."""
    valid = Assignment.objects.filter(VALID, group=group, slot__isnull=False).order_by()
    n_valid = dict(valid.values_list("unit").annotate(n=Count("pk")))
    for key, name in _names(judged_units(study)):
        n = n_valid.get(key, 0)
        if n != group.judges_per_unit:
            yield Deviation(
                "short",
                name,
                f"{n} of {group.judges_per_unit} places of {group.key} hold a valid judgement.",
            )


def _judge_deviations(study: Study, group: JudgeGroup) -> Iterator[Deviation]:
    """Yield judges who met a source twice, where the study forbids it."""
    if not study.source_once_per_judge:
        return
    twice = (
        Assignment.objects.filter(
            group=group, judge__isnull=False, repeat_of__isnull=True, origin=Origin.COLLECTED
        )
        .values_list("judge__pseudonym", "unit__item__key")
        .annotate(n=Count("pk"))
        .filter(n__gt=1)
    )
    for judge, item, n in twice:
        yield Deviation("source", f"{judge}, {item}", f"This judge met the source {n} times.")


def _lateness(group: JudgeGroup) -> Iterator[Deviation]:
    late = Assignment.objects.filter(
        group=group, is_late=True, submitted_at__isnull=False, origin=Origin.COLLECTED
    ).select_related("judge", "unit__item")
    for row in late.iterator(chunk_size=2_000):
        judge = row.judge.pseudonym if row.judge else ""
        yield Deviation(
            "surplus",
            f"{judge}, {row.unit.item.key}",
            "Handed in after its place was given away; kept, not counted.",
        )


def _incomplete(study: Study, dimensions: list[Dimension]) -> Iterator[Deviation]:
    """Yield handed-in work that lacks a required answer."""
    kinds = unit_kinds(dimensions)
    # Not by "not in": PostgreSQL would search a list of millions once for each row.
    answers = Rating.objects.filter(assignment=OuterRef("pk"))
    for dimension in dimensions:
        if not dimension.is_required or dimension.kind == DimensionKind.FACTS:
            continue
        lacking = (
            Assignment.objects.filter(VALID, unit__study=study, slot__isnull=False)
            .filter(unit__kind=kinds[dimension.phase_id])
            .exclude(group__kind=GroupKind.MODEL)
            .filter(~Exists(answers.filter(dimension=dimension)))
        )
        for row in lacking.select_related("judge", "unit__item")[:100]:
            judge = row.judge.pseudonym if row.judge else ""
            yield Deviation(
                "incomplete",
                f"{judge}, {row.unit.item.key}",
                f"Handed in without an answer on {dimension.name}.",
            )


def _system_differences(study: Study, group: JudgeGroup) -> dict[int, int]:
    """Return, by judge, how many more outputs of one system than of another they were given."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    given = Assignment.objects.filter(group=group, judge__isnull=False, origin=Origin.COLLECTED)
    for path in ("unit__system", "unit__unit_members__output_version__output__system"):
        rows = given.filter(**{f"{path}__isnull": False}).values_list("judge", path)
        for judge, system, n in rows.annotate(n=Count("pk")):
            counts[judge or 0][system or 0] += n
    systems = list(study.systems.values_list("pk", flat=True))
    return {
        judge: max(used[s] for s in systems) - min(used[s] for s in systems)
        for judge, used in counts.items()
    }
