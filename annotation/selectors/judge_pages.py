"""What one page of a judge shows: a part of a draw, its outputs, and what was answered so far."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db.models import prefetch_related_objects

from annotation.design.dimension_orders import order_for_judge
from annotation.enums import DimensionKind, Layout, UnitKind
from annotation.models import Assignment, Dimension, Fact, Judge, OutputVersion, Phase, Rating
from annotation.selectors.asked import asked_lately
from annotation.selectors.units import unit_kinds


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of a draw in which the same dimensions are asked of all its outputs."""

    phase: Phase
    pass_number: int
    dimensions: list[Dimension]
    unit_kind: UnitKind

    @property
    def is_comparison(self) -> bool:
        """Whether outputs are compared, rather than judged one by one."""
        return self.unit_kind != UnitKind.SINGLE

    @property
    def asks_facts(self) -> bool:
        """Whether a dimension is answered once for each fact."""
        return any(dimension.kind == DimensionKind.FACTS for dimension in self.dimensions)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One output to judge, its facts where they are asked, and the answers so far."""

    assignment: Assignment
    facts: list[Fact]
    ratings: dict[tuple[int, int | None], Rating]

    @property
    def members(self) -> list[OutputVersion]:
        """The outputs compared, in the order of their positions; none of a single output."""
        unit = self.assignment.unit
        if unit.kind == UnitKind.SINGLE:
            return []
        return [member.output_version for member in unit.unit_members.all()]

    def asked_facts(self, dimension: Dimension) -> list[int | None]:
        """Return what a dimension is asked of: each fact, or once the output."""
        if dimension.kind == DimensionKind.FACTS:
            return [fact.pk for fact in self.facts]
        return [None]


@dataclass(frozen=True, slots=True)
class Page:
    """One part asked of outputs of one draw that are shown together.

    ``number`` counts the pages of the draw from 1, of which there are ``n_pages``.
    """

    draw: int
    number: int
    n_pages: int
    part: Part
    sheets: list[Sheet]
    is_last_part: bool
    # Dimension keys that several phases share, and that need their phase beside them.
    shared_keys: frozenset[str]

    @property
    def is_last(self) -> bool:
        """Whether the draw ends with this page."""
        return self.number == self.n_pages

    @property
    def has_blank(self) -> bool:
        """Whether a required answer is missing."""
        return any(
            (dimension.pk, fact) not in sheet.ratings
            for sheet in self.sheets
            for dimension in self.part.dimensions
            if dimension.is_required
            for fact in sheet.asked_facts(dimension)
        )

    @property
    def first(self) -> int:
        """The position of the first output, counted over all that the judge was given."""
        return self.sheets[0].assignment.position or 0

    @property
    def last(self) -> int:
        """The position of the last output."""
        return self.sheets[-1].assignment.position or 0


def parts_for(judge: Judge) -> list[Part]:
    """Return the parts in which a judge of the study is asked."""
    study = judge.study
    parts: list[Part] = []
    kinds = unit_kinds(asked_lately(study.pk))
    for _, of_phase in groupby(asked_lately(study.pk), key=lambda d: d.phase_id):
        asked = list(of_phase)
        phase = asked[0].phase
        if study.shuffles_dimensions:
            asked = order_for_judge(asked, seed=study.seed, judge=judge.pseudonym)
        if study.one_dimension_per_pass:
            parts += [
                Part(phase, number, [one], kinds[phase.pk])
                for number, one in enumerate(asked, start=1)
            ]
        else:
            parts.append(Part(phase, 1, asked, kinds[phase.pk]))
    return parts


def page_of(judge: Judge, *, draw: int, number: int = 1) -> Page | None:
    """Return a page of what this judge was given, or None where there is no such page."""
    own = Assignment.objects.filter(judge=judge, draw=draw).order_by("position")
    pages = pages_of(judge, own.select_related("unit__item", "unit__output_version"))
    return next((page for page in pages if page.number == number), None)


def pages_of(
    judge: Judge, assignments: Iterable[Assignment], *, just_leased: datetime | None = None
) -> list[Page]:
    """Return the pages of the given assignments of a judge, in order.

    Answers are not looked for where an assignment was leased at the moment ``just_leased``.
    """
    given = list(assignments)
    prefetch_related_objects(given, "unit__item", "unit__output_version")
    compared = [row for row in given if row.unit.kind != UnitKind.SINGLE]
    prefetch_related_objects(compared, "unit__unit_members__output_version")
    parts = parts_for(judge) if given else []
    facts = _facts(given) if any(part.asks_facts for part in parts) else {}
    ratings = _ratings([row for row in given if row.leased_at != just_leased])
    pages: list[Page] = []
    for draw, of_draw in groupby(given, key=lambda row: row.draw or 0):
        sheets = [
            Sheet(row, facts.get(row.unit.item_id, []), ratings.get(row.pk, {})) for row in of_draw
        ]
        bunches = _shown_together(sheets, judge.study.layout)
        in_passes = judge.study.one_dimension_per_pass
        pages += _pages_of_draw(draw, bunches, parts, in_passes=in_passes)
    return pages


def _pages_of_draw(
    draw: int, bunches: list[list[Sheet]], parts: list[Part], *, in_passes: bool
) -> list[Page]:
    keys = [dimension.key for part in parts for dimension in part.dimensions]
    shared = frozenset(key for key in keys if keys.count(key) > 1)
    stretches = [
        (bunch, part, part is own[-1])
        for bunch in bunches
        for own in [[part for part in parts if part.unit_kind == bunch[0].assignment.unit.kind]]
        for part in own
    ]
    if in_passes:
        # One dimension of all that was drawn before the next, repeats and comparisons included.
        stretches.sort(key=lambda stretch: parts.index(stretch[1]))
    return [
        Page(draw, number, len(stretches), part, bunch, is_last_part, shared)
        for number, (bunch, part, is_last_part) in enumerate(stretches, start=1)
    ]


def _shown_together(sheets: list[Sheet], layout: str) -> list[list[Sheet]]:
    """Return the outputs of a draw page by page.

    A repeat of another item, and every comparison, has its own page.
    """

    def page(sheet: Sheet) -> object:
        unit = sheet.assignment.unit
        if layout == Layout.ONE_OUTPUT or unit.kind != UnitKind.SINGLE:
            return sheet.assignment.pk
        return f"item {unit.item_id}" if layout == Layout.ITEM else "together"

    return [list(bunch) for _, bunch in groupby(sheets, key=page)]


def _facts(assignments: list[Assignment]) -> dict[int, list[Fact]]:
    facts: dict[int, list[Fact]] = {}
    for fact in Fact.objects.filter(item__in={row.unit.item_id for row in assignments}):
        facts.setdefault(fact.item_id, []).append(fact)
    return facts


def _ratings(
    assignments: list[Assignment],
) -> dict[int, dict[tuple[int, int | None], Rating]]:
    stored: dict[int, dict[tuple[int, int | None], Rating]] = {}
    if not assignments:
        return stored
    for rating in Rating.objects.filter(assignment__in=assignments):
        of_sheet = stored.setdefault(rating.assignment_id, {})
        of_sheet[rating.dimension_id, rating.fact_id] = rating
    return stored
