"""The audit of a study: every deviation from k, from balance and from blindness, or none."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q

from annotation.enums import DimensionKind, GroupKind, Origin, StudyState
from annotation.models import Assignment, Dimension, Fact, JudgeGroup, Rating, Study
from annotation.selectors.judging import asked_dimensions
from annotation.selectors.places import RUNNING, VALID

COLLECTING = {StudyState.PILOT, StudyState.OPEN, StudyState.PAUSED}
# A system's name of one or two letters stands in any text by chance.
SHORTEST_TELLING_NAME = 3


@dataclass(frozen=True, slots=True)
class Deviation:
    """One thing that is not as the design has it."""

    kind: str
    where: str
    sentence: str


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
    deviations: list[Deviation]


def audit_study(study: Study, *, at: datetime) -> StudyAudit:
    """Count the places of every group and list what deviates from the design."""
    dimensions = list(asked_dimensions(study.pk))
    groups = list(study.groups.order_by("pk"))
    deviations = [
        deviation
        for group in groups
        if group.kind != GroupKind.MODEL  # its places come with its answers
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
        deviations=[*deviations, *_incomplete(study, dimensions), *_tell_tales(study, dimensions)],
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
        n_units=study.units.filter(output_version__is_current=True).count(),
        n_ratings_due=group.judges_per_unit * _answers_due(study, dimensions),
        widest_system_difference=max(_system_differences(study, group).values(), default=0),
        **counts,
    )


def _answers_due(study: Study, dimensions: list[Dimension]) -> int:
    """Return the required answers of one judge who rates every unit."""
    n_units = study.units.filter(output_version__is_current=True).count()
    n_fact_units = Fact.objects.filter(
        item__study=study, item__units__output_version__is_current=True
    ).count()
    required = [dimension for dimension in dimensions if dimension.is_required]
    n_per_fact = sum(dimension.kind == DimensionKind.FACTS for dimension in required)
    return n_units * (len(required) - n_per_fact) + n_fact_units * n_per_fact


def _place_deviations(study: Study, group: JudgeGroup) -> Iterator[Deviation]:
    """Yield the units whose places are not exactly slots 1 to k, once each."""
    if study.opened_at is None:
        return
    slots: dict[int, list[int]] = defaultdict(list)
    rows = Assignment.objects.filter(group=group, slot__isnull=False)
    for key, slot in rows.values_list("unit", "slot"):
        slots[key].append(slot or 0)
    wanted = list(range(1, group.judges_per_unit + 1))
    units = study.units.select_related("output_version", "item", "system")
    for unit in units.iterator(chunk_size=2_000):
        held = sorted(slots.get(unit.pk, []))
        is_old = unit.output_version is not None and not unit.output_version.is_current
        if held != wanted and not (is_old and set(held) <= set(wanted)):
            name = f"{unit.item.key}, {unit.system.key if unit.system else unit.kind}"
            yield Deviation(
                "k", name, f"{group.key} has places {held} here where {wanted} are due."
            )
    if study.state not in COLLECTING:
        yield from _short_units(study, group)


def _short_units(study: Study, group: JudgeGroup) -> Iterator[Deviation]:
    """Yield, once collecting is over, the units that ended with other than k valid ratings."""
    n_valid = Count(
        "assignments",
        filter=Q(
            assignments__group=group,
            assignments__slot__isnull=False,
            assignments__submitted_at__isnull=False,
            assignments__judge__excluded_at__isnull=True,
            assignments__judge__withdrawn_at__isnull=True,
        ),
    )
    units = study.units.filter(output_version__is_current=True).annotate(n_valid=n_valid)
    for unit in units.exclude(n_valid=group.judges_per_unit).select_related("item", "system"):
        name = f"{unit.item.key}, {unit.system.key if unit.system else unit.kind}"
        yield Deviation(
            "short",
            name,
            f"{unit.n_valid} of {group.judges_per_unit} valid judgements by {group.key}.",
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
    for dimension in dimensions:
        if not dimension.is_required or dimension.kind == DimensionKind.FACTS:
            continue
        lacking = (
            Assignment.objects.filter(VALID, unit__study=study, slot__isnull=False)
            .exclude(group__kind=GroupKind.MODEL)
            .exclude(pk__in=Rating.objects.filter(dimension=dimension).values("assignment"))
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
    rows = Assignment.objects.filter(
        group=group, judge__isnull=False, origin=Origin.COLLECTED, unit__system__isnull=False
    ).values_list("judge", "unit__system")
    for judge, system, n in rows.annotate(n=Count("pk")):
        counts[judge or 0][system or 0] += n
    systems = list(study.systems.values_list("pk", flat=True))
    return {
        judge: max(used[s] for s in systems) - min(used[s] for s in systems)
        for judge, used in counts.items()
    }


def _tell_tales(study: Study, dimensions: list[Dimension]) -> Iterator[Deviation]:
    """Yield texts shown to judges that name a system."""
    names = [
        key
        for key in study.systems.values_list("key", flat=True)
        if len(key) >= SHORTEST_TELLING_NAME
    ]
    shown = [("title", study.title), ("source title", study.source_title)]
    shown += [("instructions", phase.instructions) for phase in study.phases.all()]
    shown += [
        (dimension.name, f"{dimension.name} {dimension.question} {dimension.definition}")
        for dimension in dimensions
    ]
    for where, text in shown:
        for name in names:
            if name.casefold() in text.casefold():
                yield Deviation("blindness", where, f"It names the system {name}.")
    for name in names:
        telling = study.units.filter(
            system__key=name, output_version__text__icontains=name
        ).select_related("item")
        for unit in telling[:100]:
            yield Deviation("blindness", unit.item.key, f"An output names its own system, {name}.")
