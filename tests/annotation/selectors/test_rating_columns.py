"""The door's columns: the same ratings as the door's rows, however they came about."""

import datetime as dt
import math

import pytest

from annotation.models import Batch, Fact, Rating, Visit
from annotation.selectors import doors
from annotation.selectors.number_columns import number_columns
from tests.factories import (
    NOON,
    AssignmentFactory,
    DimensionFactory,
    JudgeFactory,
    JudgeGroupFactory,
    OutputFactory,
    OutputVersionFactory,
    PhaseFactory,
    StudyFactory,
    UnitFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    """A study with every way in which a rating can come about, and a neighbour."""
    group = JudgeGroupFactory()
    study, phase = group.study, PhaseFactory(study=group.study)
    points = DimensionFactory(phase=phase, key="fluency")
    comment = DimensionFactory(phase=phase, key="comment", kind="comment", scale=None)
    out = {"excluded_at": NOON, "excluded_by": "too fast"}
    judges = [JudgeFactory(group=group, **more) for more in ({}, out, {"withdrawn_at": NOON}, {})]
    ways = [
        {}, {"submitted_at": None}, {"slot": None}, {"slot": None, "is_late": True},
        {"slot": None, "origin": "imported"},
        {"slot": None, "origin": "imported", "is_late": True},
    ]  # fmt: skip
    for number, judge in enumerate(judges):
        for way in ways:
            work = _work(judge, way)
            _rate(work, points, value=number + 1)
            Visit.objects.create(
                assignment=work, phase=phase, position=1, opened_at=NOON, active_ms=1500 * number
            )
    batched = _work(judges[0], {})
    batched.unit.item.batch = Batch.objects.create(study=study, number=7)
    batched.unit.item.save()
    fact = Fact.objects.create(item=batched.unit.item, position=1, key="f1", text="A fact.")
    _rate(batched, points, value=2, fact=fact)
    _rate(batched, comment, text="so so")
    _rate(_work(judges[0], {}), points, missing_reason="broken")
    again = {"repeat_of": batched, "slot": None, "unit": batched.unit}
    _rate(_work(judges[0], again), points, value=4)
    old = _work(judges[3], {})
    old.unit.output_version.is_current = False
    old.unit.output_version.save()
    _rate(old, points, value=1)
    neighbour = _work(JudgeFactory(), {})
    _rate(neighbour, DimensionFactory(phase__study=neighbour.judge.study), value=1)
    return study


def _work(judge, way):
    later = NOON + dt.timedelta(microseconds=AssignmentFactory._meta.model.objects.count())
    return AssignmentFactory(**{"judge": judge, "submitted_at": later, **way})


def _rate(work, dimension, **answer):
    Rating.objects.create(assignment=work, dimension=dimension, rated_at=NOON, **answer)


def _names(column):
    return [column.keys[code] for code in column.codes]


def _nan(value):
    return None if math.isnan(value) else value


def test_columns_hold_what_the_rows_hold(study):
    names = {key: f"neutral {key}" for key in doors.system_names(study.pk)}
    rows = list(doors.rating_rows(study.pk, study.slug, names=names))

    found = doors.rating_columns(study.pk, names=names)

    assert len(rows) == 29
    assert _names(found.dimension) == [(r.phase, r.dimension, r.dimension_version) for r in rows]
    for name, field in {
        "group": "judge_group", "judge": "judge", "item": "item_id", "system": "system",
        "fact": "fact_id", "excluded_by": "excluded_by",
    }.items():  # fmt: skip
        assert _names(getattr(found, name)) == [getattr(row, field) for row in rows], name
    assert _names(found.batch) == ["" if row.batch is None else str(row.batch) for row in rows]
    for name, expected in {
        "is_text": [row.text is not None for row in rows],
        "is_repeat": [row.is_repeat for row in rows],
        "is_current": [row.is_current for row in rows],
        "is_valid": [row.valid for row in rows],
        "is_imported": [row.origin == "imported" for row in rows],
    }.items():
        assert getattr(found, name).tolist() == expected, name
        assert 0 < sum(expected) < len(rows), name
    assert list(map(_nan, found.value)) == [row.value for row in rows]
    assert list(map(_nan, found.active_seconds)) == [row.active_seconds for row in rows]
    moments = [None if r.submitted_at is None else r.submitted_at.timestamp() for r in rows]
    assert list(map(_nan, found.submitted_at)) == moments


def test_a_study_without_ratings_has_empty_columns():
    found = doors.rating_columns(StudyFactory().pk, names={})

    assert found.value.size == found.is_valid.size == found.judge.codes.size == 0


def test_the_columns_need_the_same_queries_for_any_number(study, django_assert_num_queries):
    names = doors.system_names(study.pk)

    with django_assert_num_queries(17):
        doors.rating_columns(study.pk, names=names)

    work = _work(JudgeFactory(group=study.groups.get()), {})
    _rate(work, Rating.objects.first().dimension, value=3)
    names = doors.system_names(study.pk)
    with django_assert_num_queries(17):
        doors.rating_columns(study.pk, names=names)


def test_current_versions_come_with_their_items_and_systems():
    output = OutputFactory()
    OutputVersionFactory(output=output, is_current=False)
    current = OutputVersionFactory(output=output, number=2)
    study = output.item.study

    versions, item, system = doors.version_columns(study.pk, names={output.system.key: "A"})

    assert versions.tolist() == [current.pk]
    assert (_names(item), _names(system)) == ([output.item.key], ["A"])


def test_numbers_of_a_queryset_are_exact_and_null_is_nan():
    UnitFactory()
    work = AssignmentFactory(submitted_at=NOON + dt.timedelta(microseconds=7))
    AssignmentFactory(judge=work.judge)

    handed_in, draw = number_columns(work.judge.assignments.all(), "submitted_at", "draw")

    assert sorted(map(_nan, handed_in), key=str) == [work.submitted_at.timestamp(), None]
    assert list(map(_nan, draw)) == [None, None]
    assert number_columns(work.judge.assignments.none(), "pk")[0].size == 0
