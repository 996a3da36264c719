"""The items of a study as a member reads them: source, outputs, and what judges said."""

from dataclasses import dataclass, field

from django.db.models import Prefetch, QuerySet

from annotation.enums import Origin
from annotation.models import Item, Output, OutputVersion, Rating, Reference, Study
from annotation.selectors.counting import count_of
from annotation.selectors.doors.blinding import system_names


@dataclass(frozen=True, slots=True)
class Said:
    """One answer: of whom, in words, and whether it is left out of every report."""

    judge: str
    answer: str
    fact: int | None
    is_left_out: bool


@dataclass(frozen=True, slots=True)
class ReadOutput:
    """The current output of a system, and by dimension what judges said of it."""

    system: str
    number: int
    text: str
    said: dict[str, list[Said]] = field(default_factory=dict)


def items_of(study: Study, *, wanted: str = "") -> QuerySet[Item]:
    """Return the items in order, each with ``n_outputs``; only those whose id holds ``wanted``."""
    n_outputs = count_of(Output.objects.all(), "item")
    items = study.items.annotate(n_outputs=n_outputs).order_by("position")
    return items.filter(key__icontains=wanted) if wanted else items


def neighbours(item: Item) -> tuple[Item | None, Item | None]:
    """Return the items before and after this one."""
    others = Item.objects.filter(study=item.study_id).only("pk", "key")
    before = others.filter(position__lt=item.position).order_by("-position").first()
    return before, others.filter(position__gt=item.position).order_by("position").first()


def with_texts(items: QuerySet[Item]) -> QuerySet[Item]:
    """Return items with their references and facts."""
    references = Reference.objects.order_by("role", "position")
    return items.prefetch_related(Prefetch("references", queryset=references), "facts")


def outputs_of(item: Item, *, with_ratings: bool) -> list[ReadOutput]:
    """Return the current outputs of an item, under neutral names while the study is blind."""
    names = system_names(item.study_id)
    versions = (
        OutputVersion.objects.filter(output__item=item, is_current=True)
        .select_related("output__system")
        .order_by("output__system__position")
    )
    outputs = {
        version.pk: ReadOutput(names[version.output.system.key], version.number, version.text)
        for version in versions
    }
    if with_ratings:
        for rating in _ratings(item):
            output = outputs[rating.assignment.unit.output_version_id or 0]
            output.said.setdefault(rating.dimension.name, []).append(_said(rating))
    if all(name == key for key, name in names.items()):
        return list(outputs.values())
    # The order of the systems would tell which is which.
    return sorted(outputs.values(), key=lambda output: (len(output.system), output.system))


def _ratings(item: Item) -> QuerySet[Rating]:
    """Return what was said of the current outputs and handed in, repeats not."""
    return (
        Rating.objects.filter(
            assignment__submitted_at__isnull=False,
            assignment__unit__item=item,
            assignment__unit__output_version__is_current=True,
            assignment__repeat_of__isnull=True,
            assignment__judge__withdrawn_at__isnull=True,
        )
        .select_related("assignment__unit", "assignment__judge", "dimension__phase", "fact")
        .order_by(
            "dimension__phase__position", "dimension__position", "fact__position",
            "assignment__judge__pseudonym", "pk",
        )
    )  # fmt: skip


def _said(rating: Rating) -> Said:
    work, judge = rating.assignment, rating.assignment.judge
    counts = work.slot is not None or (work.origin == Origin.IMPORTED and not work.is_late)
    if rating.value is not None:
        answer = f"{rating.value:.10g}"
    else:
        answer = rating.text or f"– ({rating.missing_reason})"
    return Said(
        judge=judge.pseudonym if judge else "",
        answer=answer,
        fact=rating.fact.position if rating.fact else None,
        is_left_out=not counts or bool(judge and judge.excluded_at),
    )
