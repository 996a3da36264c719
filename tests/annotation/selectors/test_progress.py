import pytest

from annotation.selectors.progress import judges_with_progress
from tests.factories import (
    NOON,
    AssignmentFactory,
    JudgeFactory,
    JudgeGroupFactory,
    UnitFactory,
)

pytestmark = pytest.mark.django_db


def work(judge, **fields):
    unit = UnitFactory(output_version__output__item__study=judge.study)
    return AssignmentFactory(unit=unit, group=judge.group, judge=judge, **fields)


def test_a_judge_is_told_by_what_is_handed_in_held_and_late():
    judge = JudgeFactory(group=JudgeGroupFactory())
    done = work(judge, slot=1, submitted_at=NOON)
    work(judge, slot=1)
    work(judge, slot=None, is_late=True)
    work(judge, slot=None, submitted_at=NOON, is_late=True)
    work(judge, slot=None, submitted_at=NOON, repeat_of=done)

    (row,) = judges_with_progress(judge.study)

    assert (row.n_done, row.n_open, row.n_late) == (2, 1, 2)


def test_judges_stand_by_group_those_without_work_too_and_nobody_of_another_study():
    group = JudgeGroupFactory()
    other = JudgeGroupFactory(study=group.study)
    judges = [JudgeFactory(group=other), JudgeFactory(group=group), JudgeFactory(group=group)]
    work(JudgeFactory(group=JudgeGroupFactory()), slot=1)

    rows = judges_with_progress(group.study)

    assert [row.judge for row in rows] == [judges[1], judges[2], judges[0]]
    assert {(row.n_done, row.n_open, row.n_late) for row in rows} == {(0, 0, 0)}
