"""A study and its parts as plain rows."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Count, Max, Q, QuerySet

from annotation.enums import SystemKind
from annotation.models import (
    Dimension,
    JudgeGroup,
    OutputVersion,
    RatingEvent,
    ScalePoint,
    Study,
    StudyEvent,
    System,
)
from annotation.selectors.doors.blinding import system_names

User = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study, and what of its rules a report names."""

    id: int
    slug: str
    title: str
    state: str
    seed: int
    is_demo: bool
    has_simulated_judges: bool
    source_title: str
    output_title: str
    opened_at: datetime | None
    closed_at: datetime | None


@dataclass(frozen=True, slots=True)
class PointRow:
    """One point of a scale, or an anchor of a range."""

    value: float
    label: str


@dataclass(frozen=True, slots=True)
class ScaleRow:
    """The declared scale of a dimension: points in ascending order, or a range."""

    kind: str
    measurement: str
    minimum: float | None
    maximum: float | None
    step: float | None
    points: tuple[PointRow, ...]


@dataclass(frozen=True, slots=True)
class DimensionRow:
    """One version of a dimension; ``scale`` is None where none is needed (a comment)."""

    id: int
    phase: str
    key: str
    version: int
    is_current: bool
    kind: str
    name: str
    definition: str
    question: str
    scale: ScaleRow | None
    allows_tie: bool


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group of judges: how many judge each unit, and how many have joined."""

    key: str
    name: str
    kind: str
    judges_per_unit: int
    n_judges: int
    n_excluded: int


@dataclass(frozen=True, slots=True)
class SystemRow:
    """A generator of outputs."""

    key: str
    kind: str


@dataclass(frozen=True, slots=True)
class OutputRow:
    """The current text of one system for one item."""

    version_id: int
    item: str
    batch: int | None
    system: str
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far the study had come: the last change of a rating, and the last event."""

    rating_event: int
    study_event: int


def study_for(user: User, slug: str, *, roles: Collection[str]) -> StudyRow | None:
    """Return the study if the user has one of the roles in it; else None, as if it were not."""
    if not user.is_authenticated:
        return None
    studies = Study.objects.filter(slug=slug)
    if not getattr(user, "is_superuser", False):
        studies = studies.filter(members__user_id=user.pk, members__role__in=roles)
    return _study_row(studies)


def study_named(slug: str) -> StudyRow | None:
    """Return the study with this slug, or None."""
    return _study_row(Study.objects.filter(slug=slug))


def slug_of(study_id: int) -> str:
    """Return the slug of a study, empty where there is none."""
    return Study.objects.filter(pk=study_id).values_list("slug", flat=True).first() or ""


def _study_row(studies: QuerySet[Study]) -> StudyRow | None:
    simulated = Count("judges", filter=Q(judges__is_simulated=True), distinct=True)
    study = studies.annotate(n_simulated=simulated).first()
    if study is None:
        return None
    return StudyRow(
        id=study.pk,
        slug=study.slug,
        title=study.title,
        state=study.state,
        seed=study.seed,
        is_demo=study.is_demo,
        has_simulated_judges=study.n_simulated > 0,
        source_title=study.source_title,
        output_title=study.output_title,
        opened_at=study.opened_at,
        closed_at=study.closed_at,
    )


def dimension_rows(study_id: int) -> list[DimensionRow]:
    """Return every version of the study's dimensions, in the order in which judges meet them."""
    dimensions = list(
        Dimension.objects.filter(phase__study_id=study_id)
        .select_related("phase", "scale")
        .order_by("phase__position", "position", "version")
    )
    points: dict[int, list[PointRow]] = {}
    for point in ScalePoint.objects.filter(scale__study_id=study_id).order_by("scale", "value"):
        points.setdefault(point.scale_id, []).append(PointRow(point.value, point.label))
    return [
        DimensionRow(
            id=dimension.pk,
            phase=dimension.phase.key,
            key=dimension.key,
            version=dimension.version,
            is_current=dimension.is_current,
            kind=dimension.kind,
            name=dimension.name,
            definition=dimension.definition,
            question=dimension.question,
            scale=_scale_row(dimension, points),
            allows_tie=dimension.allows_tie,
        )
        for dimension in dimensions
    ]


def _scale_row(dimension: Dimension, points: dict[int, list[PointRow]]) -> ScaleRow | None:
    scale = dimension.scale
    if scale is None:
        return None
    return ScaleRow(
        kind=scale.kind,
        measurement=scale.measurement,
        minimum=scale.minimum,
        maximum=scale.maximum,
        step=scale.step,
        points=tuple(points.get(scale.pk, [])),
    )


def group_rows(study_id: int) -> list[GroupRow]:
    """Return the study's groups of judges in the order of their creation."""
    is_out = Q(judges__excluded_at__isnull=False) | Q(judges__withdrawn_at__isnull=False)
    groups = (
        JudgeGroup.objects.filter(study_id=study_id)
        .annotate(
            n_judges=Count("judges", distinct=True),
            n_excluded=Count("judges", filter=is_out, distinct=True),
        )
        .order_by("pk")
    )
    return [
        GroupRow(g.key, g.name, g.kind, g.judges_per_unit, g.n_judges, g.n_excluded) for g in groups
    ]


def system_rows(study_id: int) -> list[SystemRow]:
    """Return the study's systems in their order.

    While the study is blind they bear neutral names, in the order of these, and all count as
    machines.
    """
    names = system_names(study_id)
    if all(key == name for key, name in names.items()):
        return own_system_rows(study_id)
    neutral = sorted(names.values(), key=lambda name: (len(name), name))
    return [SystemRow(name, SystemKind.MACHINE) for name in neutral]


def own_system_rows(study_id: int) -> list[SystemRow]:
    """Return the study's systems in their order by their own names, blind or not."""
    systems = System.objects.filter(study_id=study_id).order_by("position", "pk")
    return [SystemRow(system.key, system.kind) for system in systems]


def output_rows(study_id: int, *, items: Collection[str] | None = None) -> Iterator[OutputRow]:
    """Yield the current text of every output, or of those of some items, by item and system."""
    chosen = OutputVersion.objects.filter(output__item__study_id=study_id, is_current=True)
    if items is not None:
        chosen = chosen.filter(output__item__key__in=items)
    versions = chosen.order_by(
        "output__item__position", "output__system__position", "pk"
    ).values_list(
        "pk",
        "output__item__key",
        "output__item__batch__number",
        "output__system__key",
        "number",
        "text",
    )
    for row in versions.iterator(chunk_size=5_000):
        yield OutputRow(*row)


def n_outputs(study_id: int) -> int:
    """Return how many outputs the study has, each counted by its current text."""
    return OutputVersion.objects.filter(output__item__study_id=study_id, is_current=True).count()


def watermark(study_id: int) -> Watermark:
    """Return how far the study has come; 0 where nothing has happened yet."""
    rating = RatingEvent.objects.filter(study_id=study_id).aggregate(last=Max("pk"))["last"]
    event = StudyEvent.objects.filter(study_id=study_id).aggregate(last=Max("pk"))["last"]
    return Watermark(rating or 0, event or 0)


def ratings_since(study_id: int, mark: Watermark) -> int:
    """Return how many changes of ratings came after the watermark."""
    return RatingEvent.objects.filter(study_id=study_id, pk__gt=mark.rating_event).count()


def events_since(study_id: int, mark: Watermark) -> int:
    """Return how many events came after the watermark that may change what was found.

    Taking data out changes nothing, and who is a member neither.
    """
    events = StudyEvent.objects.filter(study_id=study_id, pk__gt=mark.study_event)
    return events.exclude(kind__startswith="export_").exclude(kind__startswith="member_").count()
