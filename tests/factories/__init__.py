"""The smallest valid rows. Related rows agree: a system belongs to its item's study."""

import datetime as dt
import hashlib

import factory
from factory.django import DjangoModelFactory

from annotation import models

NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)


class UserFactory(DjangoModelFactory):
    class Meta:
        model = "auth.User"

    username = factory.Sequence("user{}".format)


class StudyFactory(DjangoModelFactory):
    class Meta:
        model = models.Study

    slug = factory.Sequence("study-{}".format)
    title = "A study"
    state = "open"
    seed = 7
    created_at = NOON


class StudyMemberFactory(DjangoModelFactory):
    class Meta:
        model = models.StudyMember

    study = factory.SubFactory(StudyFactory)
    user = factory.SubFactory(UserFactory)
    role = "owner"


class ScaleFactory(DjangoModelFactory):
    class Meta:
        model = models.Scale
        skip_postgeneration_save = True

    study = factory.SubFactory(StudyFactory)
    key = factory.Sequence("scale-{}".format)

    @factory.post_generation
    def points(self, _create, extracted, **_):
        """Four points, Poor to Great, unless others are given."""
        labels = extracted or [(1, "Poor"), (2, "Fair"), (3, "Good"), (4, "Great")]
        for position, (value, label) in enumerate(labels, start=1):
            models.ScalePoint.objects.create(
                scale=self, position=position, value=value, label=label
            )


class PhaseFactory(DjangoModelFactory):
    class Meta:
        model = models.Phase

    study = factory.SubFactory(StudyFactory)
    key = factory.Sequence("phase-{}".format)
    position = factory.Sequence(lambda n: n + 1)
    title = "Rating"


class DimensionFactory(DjangoModelFactory):
    class Meta:
        model = models.Dimension

    phase = factory.SubFactory(PhaseFactory)
    key = factory.Sequence("dimension-{}".format)
    position = factory.Sequence(lambda n: n + 1)
    name = factory.LazyAttribute(lambda row: row.key.title())
    scale = factory.SubFactory(ScaleFactory, study=factory.SelfAttribute("..phase.study"))


class ItemFactory(DjangoModelFactory):
    class Meta:
        model = models.Item

    study = factory.SubFactory(StudyFactory)
    key = factory.Sequence("item-{}".format)
    position = factory.Sequence(lambda n: n + 1)
    source = ["A source text."]


class SystemFactory(DjangoModelFactory):
    class Meta:
        model = models.System

    study = factory.SubFactory(StudyFactory)
    key = factory.Sequence("system-{}".format)
    position = factory.Sequence(lambda n: n + 1)


class OutputFactory(DjangoModelFactory):
    class Meta:
        model = models.Output

    item = factory.SubFactory(ItemFactory)
    system = factory.SubFactory(SystemFactory, study=factory.SelfAttribute("..item.study"))


class OutputVersionFactory(DjangoModelFactory):
    class Meta:
        model = models.OutputVersion

    output = factory.SubFactory(OutputFactory)
    text = "A short output."
    checksum = factory.LazyAttribute(lambda row: hashlib.sha256(row.text.encode()).hexdigest())


class UnitFactory(DjangoModelFactory):
    class Meta:
        model = models.Unit

    output_version = factory.SubFactory(OutputVersionFactory)
    item = factory.SelfAttribute("output_version.output.item")
    study = factory.SelfAttribute("item.study")
    system = factory.SelfAttribute("output_version.output.system")


class JudgeGroupFactory(DjangoModelFactory):
    class Meta:
        model = models.JudgeGroup

    study = factory.SubFactory(StudyFactory)
    key = factory.Sequence("group-{}".format)
    name = "Crowd"
    kind = "crowd"


class JudgeFactory(DjangoModelFactory):
    class Meta:
        model = models.Judge

    group = factory.SubFactory(JudgeGroupFactory)
    study = factory.SelfAttribute("group.study")
    pseudonym = factory.Sequence("J{:03d}".format)
    joined_at = NOON


class AssignmentFactory(DjangoModelFactory):
    class Meta:
        model = models.Assignment

    judge = factory.SubFactory(JudgeFactory)
    group = factory.SelfAttribute("judge.group")
    unit = factory.SubFactory(
        UnitFactory, output_version__output__item__study=factory.SelfAttribute(".....judge.study")
    )
    slot = 1
    leased_at = NOON
    lease_until = NOON + dt.timedelta(hours=1)
