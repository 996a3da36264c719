"""Studies whose outputs are compared, for the tests of comparisons."""

import uuid

from django.db import transaction

from annotation.enums import RatingSource
from annotation.models import Dimension, Study
from annotation.services.answers import Answer
from annotation.services.comparisons import make_comparisons
from annotation.services.hand_in import hand_in
from annotation.services.place_making import make_places
from annotation.services.places import draw
from annotation.services.ratings import Change, submit_rating
from tests.factories import (
    NOON,
    DimensionFactory,
    ItemFactory,
    JudgeGroupFactory,
    StudyFactory,
    SystemFactory,
    UnitFactory,
)


def make_study(*, kinds=("pairwise",), n_items=2, n_systems=3, k=2, **settings):
    """Return the group of judges of an open study that asks dimensions of the given kinds."""
    study = StudyFactory(opened_at=NOON, **settings)
    for kind in kinds:
        if kind == "points":
            DimensionFactory(phase__study=study, key=kind)
        else:
            DimensionFactory(
                phase__study=study, key=kind, kind=kind, scale=None,
                allows_tie=kind == "pairwise", allows_no_answer=True,
            )  # fmt: skip
    systems = [SystemFactory(study=study) for _ in range(n_systems)]
    for _ in range(n_items):
        add_item(study, systems)
    group = JudgeGroupFactory(study=study, judges_per_unit=k)
    with transaction.atomic():
        make_comparisons(study)
    make_places(Study.objects.get(pk=study.pk))
    return group


def add_item(study, systems):
    """Add an item with an output of each system."""
    item = ItemFactory(study=study)
    for number, system in enumerate(systems, start=1):
        UnitFactory(
            output_version__output__item=item,
            output_version__output__system=system,
            output_version__text=f"The stairs are closed, notice {number}.",
        )
    return item


def choose(judge, *codes, at=NOON, dimension="pairwise"):
    """Let a judge draw one comparison after the other, answer each and hand it in."""
    asked = Dimension.objects.get(phase__study=judge.study_id, key=dimension)
    places = []
    for code in codes:
        (place,) = draw(judge, at=at)
        answer = Answer(text=code) if code else Answer(missing_reason="broken text")
        change = Change(uuid.uuid4(), RatingSource.KEY)
        submit_rating(place, dimension=asked, answer=answer, change=change, at=at)
        places.append(hand_in(place, at=at))
    return places


def empty_copy(study):
    """Return a study that is not opened yet, with the same texts and questions and no answers."""
    copy = StudyFactory(state="draft", opened_at=None, seed=study.seed + 1)
    for dimension in Dimension.objects.filter(phase__study=study):
        DimensionFactory(
            phase__study=copy, phase__key=dimension.phase.key, key=dimension.key,
            name=dimension.name, kind=dimension.kind, scale=None,
            allows_tie=dimension.allows_tie, allows_no_answer=dimension.allows_no_answer,
        )  # fmt: skip
    systems = {one.key: SystemFactory(study=copy, key=one.key) for one in study.systems.all()}
    for unit in study.units.filter(kind="single").select_related("item", "system"):
        item = copy.items.filter(key=unit.item.key).first()
        UnitFactory(
            output_version__output__item=item or ItemFactory(study=copy, key=unit.item.key),
            output_version__output__system=systems[unit.system.key],
            output_version__text=unit.output_version.text,
        )
    return copy
