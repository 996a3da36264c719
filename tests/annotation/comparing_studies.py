"""Studies whose outputs are compared, for the tests of comparisons."""

from annotation.models import Study
from annotation.services.comparisons import make_comparisons
from annotation.services.place_making import make_places
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
