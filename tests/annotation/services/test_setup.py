"""Setting a study up: what is kept, what is refused, and the race with the opening."""

import threading

import pytest
from django.core.exceptions import ValidationError
from django.db import connections

from annotation.enums import StudyState
from annotation.models import Dimension, Example, JudgeGroup, Phase, Scale, Study
from annotation.services.presets import SUBJECT_LINES
from annotation.services.protocol import NewScale
from annotation.services.setup import (
    keep_dimension,
    keep_part,
    keep_settings,
    move_part,
    remove_part,
)
from annotation.services.studies import change_state, create_study
from tests.factories import (
    NOON,
    AssignmentFactory,
    DimensionFactory,
    JudgeFactory,
    JudgeGroupFactory,
    PhaseFactory,
    StudyFactory,
    UnitFactory,
)

YES_NO = NewScale("", points=[(1, "Yes"), (0, "No")], measurement="nominal")


@pytest.fixture
def study():
    return create_study("lines", title="Lines", protocol=SUBJECT_LINES, at=NOON)


def names(phase):
    return list(phase.dimensions.order_by("position").values_list("name", flat=True))


@pytest.mark.django_db
def test_a_new_dimension_comes_last_with_its_scale_and_a_name_that_is_free(study):
    phase = study.phases.get()

    first, second = (
        keep_dimension(study, Dimension(phase=phase, name="Is it true?"), YES_NO) for _ in range(2)
    )

    assert names(phase)[-2:] == ["Is it true?", "Is it true?"]
    assert (first.key, second.key) == ("is_it_true", "is_it_true_2")
    assert first.scale == second.scale
    assert [(p.value, p.label) for p in first.scale.points.all()] == [(1, "Yes"), (0, "No")]


@pytest.mark.django_db
def test_a_name_without_a_latin_letter_has_a_key_too(study):
    phase = keep_part(study, Phase(study=study, title="忠实度"))

    assert (phase.key, phase.position) == ("phase", 2)


@pytest.mark.django_db
def test_a_changed_scale_is_that_of_one_dimension_only(study):
    fluency = Dimension.objects.get(phase__study=study, key="fluency")
    shared = fluency.scale

    keep_dimension(study, fluency, YES_NO)

    others = Dimension.objects.filter(phase__study=study).exclude(key="fluency")
    assert {dimension.scale for dimension in others} == {shared}
    assert shared.points.count() == 4
    assert fluency.scale.points.count() == 2


@pytest.mark.django_db
def test_a_scale_that_nobody_uses_any_more_is_gone(study):
    for dimension in Dimension.objects.filter(phase__study=study):
        keep_dimension(study, dimension, YES_NO)

    assert Scale.objects.filter(study=study).count() == 1


@pytest.mark.django_db
def test_a_scale_of_one_point_changes_nothing(study):
    before = names(study.phases.get())

    with pytest.raises(ValidationError, match="at least two points"):
        keep_dimension(
            study, Dimension(phase=study.phases.get(), name="New"), NewScale("", points=[(1, "")])
        )

    assert names(study.phases.get()) == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ([("overall", True)], ["informativeness", "overall", "fluency"]),
        ([("informativeness", False)] * 2, ["fluency", "overall", "informativeness"]),
        ([("informativeness", True), ("overall", False)], None),
    ],
)
def test_parts_move_among_their_like(study, moves, expected):
    for key, up in moves:
        part = Dimension.objects.get(phase__study=study, key=key)
        move_part(study, part, up=up)

    keys = [dimension.key for dimension in study.phases.get().dimensions.order_by("position")]
    assert keys == (expected or ["informativeness", "fluency", "overall"])


@pytest.mark.django_db
def test_phases_and_examples_move_though_no_two_share_a_place(study):
    second = keep_part(study, Phase(study=study, title="Again"))
    one, two = (keep_part(study, Example(phase=second, text=text)) for text in "ab")

    move_part(study, second, up=True)
    move_part(study, one, up=False)

    assert [phase.title for phase in study.phases.all()] == ["Again", "Rate the subject lines"]
    assert list(second.examples.all()) == [two, one]


@pytest.mark.django_db
def test_removing_a_phase_takes_what_is_in_it(study):
    remove_part(study, study.phases.get())

    assert not Dimension.objects.filter(phase__study=study).exists()
    assert not study.scales.exists()


@pytest.mark.django_db
def test_a_group_with_judges_stays(study):
    judge = JudgeFactory(group=study.groups.get())

    with pytest.raises(ValidationError, match="Crowd has judges"):
        remove_part(study, judge.group)

    assert study.groups.get() == judge.group


@pytest.mark.django_db
def test_settings_leave_all_else_as_it_is(study):
    Study.objects.filter(pk=study.pk).update(title="Renamed meanwhile")

    keep_settings(study, {"layout": "page", "page_size": 10})

    stored = Study.objects.get(pk=study.pk)
    assert (stored.layout, stored.page_size, stored.title) == ("page", 10, "Renamed meanwhile")


@pytest.mark.django_db
@pytest.mark.parametrize("settings", [{"page_size": 0}, {"set_size": 9}, {"layout": "circle"}])
def test_settings_that_cannot_be_are_refused(study, settings):
    with pytest.raises(ValidationError):
        keep_settings(study, settings)

    assert Study.objects.get(pk=study.pk).page_size == 1


def acts(study):
    phase = study.phases.get()
    dimension = DimensionFactory.build(phase=phase, name="New", scale=None, kind="comment")
    return [
        lambda: keep_settings(study, {"page_size": 3}),
        lambda: keep_part(study, Phase(study=study, title="New")),
        lambda: keep_part(study, JudgeGroup(study=study, name="New")),
        lambda: keep_dimension(study, dimension, None),
        lambda: remove_part(study, phase),
        lambda: move_part(study, phase, up=True),
    ]


@pytest.mark.django_db
@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("state", ["opened", "rated"])
def test_what_judges_have_seen_stays(study, state, number):
    if state == "opened":
        Study.objects.filter(pk=study.pk).update(opened_at=NOON, state=StudyState.PAUSED)
    else:
        AssignmentFactory(unit=UnitFactory(output_version__output__item__study=study))
    before = list(study.phases.values()), list(study.groups.values()), names(study.phases.get())

    with pytest.raises(ValidationError, match="stays as it is"):
        acts(study)[number]()

    after = list(study.phases.values()), list(study.groups.values()), names(study.phases.get())
    assert before == after


@pytest.mark.django_db(transaction=True)
def test_k_is_not_changed_while_the_study_opens():
    study = StudyFactory(state=StudyState.DRAFT)
    DimensionFactory(phase=PhaseFactory(study=study))
    UnitFactory(output_version__output__item__study=study)
    group = JudgeGroupFactory(study=study, judges_per_unit=3)
    barrier = threading.Barrier(2)
    refused = []

    def run(act):
        try:
            barrier.wait()
            act()
        except ValidationError as refusal:
            refused.append(refusal)
        finally:
            connections.close_all()

    def raise_k():
        row = JudgeGroup.objects.get(pk=group.pk)
        row.judges_per_unit = 5
        keep_part(study, row)

    def open_study():
        change_state(study, StudyState.OPEN, at=NOON)

    threads = [threading.Thread(target=run, args=[act]) for act in (raise_k, open_study)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    group.refresh_from_db()
    assert group.judges_per_unit == group.assignments.count() == (3 if refused else 5)
