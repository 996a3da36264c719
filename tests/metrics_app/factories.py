"""A small rated study, for tests of analyses and their pages."""

from itertools import product

from annotation.models import OutputVersion, Rating
from metrics_app.models import Metric, Score
from tests.factories import (
    NOON,
    AssignmentFactory,
    DimensionFactory,
    ItemFactory,
    JudgeFactory,
    JudgeGroupFactory,
    OutputVersionFactory,
    ScaleFactory,
    StudyFactory,
    SystemFactory,
    UnitFactory,
)


def rated_study(*, n_items=4, systems=("Alpha", "Beta"), dimensions=("fluency", "overall")):
    """Return a study in which two experts and three crowd judges rated every output.

    Alpha is better than Beta by a point, and the crowd is milder by half a point.
    """
    study = StudyFactory()
    scale = ScaleFactory(study=study)
    asked = [DimensionFactory(phase__study=study, key=key, scale=scale) for key in dimensions]
    judges = [
        JudgeFactory(group=group, study=study)
        for kind, number in (("expert", 2), ("crowd", 3))
        for group in [JudgeGroupFactory(study=study, key=kind, kind=kind, name=kind.title())]
        for _ in range(number)
    ]
    rows = [SystemFactory(study=study, key=key) for key in systems]
    items = [ItemFactory(study=study) for _ in range(n_items)]
    for (place, item), (rank, system) in product(enumerate(items), enumerate(rows)):
        version = OutputVersionFactory(output__item=item, output__system=system)
        unit = UnitFactory(output_version=version)
        for slot, judge in enumerate(judges, start=1):
            work = AssignmentFactory(judge=judge, unit=unit, slot=slot, submitted_at=NOON)
            value = max(1, min(4, 3 - rank + (place + slot) % 2 + (slot == 4)))
            Rating.objects.bulk_create(
                Rating(assignment=work, dimension=dimension, value=value, rated_at=NOON)
                for dimension in asked
            )
    return study


def with_scores(study, *metrics):
    """Give every output of the study a score of each metric."""
    versions = list(OutputVersion.objects.filter(output__item__study=study).order_by("pk"))
    for position, key in enumerate(metrics, start=1):
        metric = Metric.objects.create(study=study, key=key, position=position)
        Score.objects.bulk_create(
            Score(metric=metric, output_version=version, value=(position * place) % 5)
            for place, version in enumerate(versions)
        )
