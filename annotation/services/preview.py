"""A study seen as a judge sees it, before there is one."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.db.models import Count

from annotation.enums import GroupKind, Layout, UnitKind
from annotation.models import (
    Assignment,
    Fact,
    Item,
    Judge,
    JudgeGroup,
    Output,
    OutputVersion,
    Study,
    System,
    Unit,
    UnitMember,
)
from annotation.selectors.asked import asked_lately
from annotation.selectors.units import asked_kinds, judged_units

# A whole batch would be long to look through, and says no more than its beginning.
MOST_OUTPUTS = 20
SOURCE = ["The source stands here, as it will be uploaded.", "It may have several paragraphs."]
TEXT = "An output to be judged stands here."
FACTS = ["The first fact of the item", "The second fact of the item"]


@contextmanager
def preview_judge(study: Study, *, at: datetime) -> Iterator[Judge]:
    """Give a judge who holds the first outputs of the study; at the end nothing of it is there.

    A study without outputs is seen with one that says so. All happens in a transaction that is
    rolled back, so that what is shown is made by the code that serves the judges.
    """
    # What was changed a moment ago is to be seen at once.
    asked_lately.forget(study.pk)
    with transaction.atomic():
        group = study.groups.exclude(kind=GroupKind.MODEL).first() or JudgeGroup.objects.create(
            study=study, key="preview", name="Preview"
        )
        judge = Judge.objects.create(study=study, group=group, pseudonym="Preview", joined_at=at)
        _hand_out(judge, _units(study))
        yield judge
        transaction.set_rollback(True)


def _hand_out(judge: Judge, units: Sequence[Unit]) -> None:
    Assignment.objects.bulk_create(
        Assignment(unit=unit, group=judge.group, judge=judge, draw=1, position=position)
        for position, unit in enumerate(units, start=1)
    )


def _units(study: Study) -> list[Unit]:
    """Return what one draw would hold: the first outputs, and one comparison of each kind."""
    kinds = asked_kinds(study)
    if not study.units.exists():
        _add_sample(study)
    units: list[Unit] = []
    if UnitKind.SINGLE in kinds:
        single = judged_units(study).filter(kind=UnitKind.SINGLE)
        ordered = single.order_by("item__position", "system__position", "pk")
        n_shown = {Layout.ONE_OUTPUT: 1, Layout.PAGE: study.page_size}
        first = ordered.first()
        if study.layout == Layout.ITEM and first is not None:
            ordered = ordered.filter(item=first.item_id)
        units += ordered[: min(n_shown.get(Layout(study.layout), MOST_OUTPUTS), MOST_OUTPUTS)]
    sizes = {UnitKind.PAIR: 2, UnitKind.SET: study.set_size}
    return units + [_comparison(study, kind, sizes[kind]) for kind in sorted(kinds & set(sizes))]


def _comparison(study: Study, kind: UnitKind, size: int) -> Unit:
    """Make a comparison of the item that has most outputs."""
    item = study.items.annotate(n=Count("outputs")).order_by("-n", "position")[0]
    texts = OutputVersion.objects.filter(output__item=item, is_current=True)
    unit = Unit.objects.create(study=study, item=item, kind=kind)
    UnitMember.objects.bulk_create(
        UnitMember(unit=unit, position=position, output_version=text)
        for position, text in enumerate(texts.order_by("output__system__position")[:size], start=1)
    )
    return unit


def _add_sample(study: Study) -> None:
    item = Item.objects.create(study=study, key="sample", position=1, source=SOURCE)
    Fact.objects.bulk_create(
        Fact(item=item, position=position, key=str(position), text=text)
        for position, text in enumerate(FACTS, start=1)
    )
    checksum = hashlib.sha256(TEXT.encode()).hexdigest()
    for number in range(1, max(study.set_size, study.page_size) + 1):
        system = System.objects.create(study=study, key=f"sample {number}", position=number)
        version = OutputVersion.objects.create(
            output=Output.objects.create(item=item, system=system), text=TEXT, checksum=checksum
        )
        Unit.objects.create(study=study, item=item, output_version=version, system=system)
