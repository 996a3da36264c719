"""The door out: plain rows, and who may have them."""

import datetime as dt

import pytest
from django.contrib.auth.models import AnonymousUser

from annotation.models import Judge, Rating, RatingEvent, Visit
from annotation.selectors import doors
from annotation.services.judges import exclude_judge
from tests.factories import (
    NOON,
    AssignmentFactory,
    DimensionFactory,
    JudgeFactory,
    StudyFactory,
    StudyMemberFactory,
    UserFactory,
)

pytestmark = pytest.mark.django_db


def _rating(**assignment):
    work = AssignmentFactory(**{"submitted_at": NOON, **assignment})
    dimension = DimensionFactory(phase__study=work.judge.study, key="fluency")
    Rating.objects.create(assignment=work, dimension=dimension, value=3, rated_at=NOON)
    return work


def _only_row(work):
    (row,) = doors.rating_rows(work.judge.study_id, "s")
    return row


def test_a_rating_comes_out_as_a_plain_row():
    work = _rating(position=4)
    Visit.objects.create(
        assignment=work, phase=Rating.objects.get().dimension.phase, position=1,
        opened_at=NOON, active_ms=2500,
    )  # fmt: skip

    row = _only_row(work)

    assert (row.item_id, row.system) == (work.unit.item.key, work.unit.system.key)
    assert (row.judge, row.judge_group) == (work.judge.pseudonym, work.group.key)
    assert (row.dimension, row.value, row.label) == ("fluency", 3, "Good")
    assert (row.valid, row.position, row.active_seconds) == (True, 4, 2.5)
    assert (row.opened_at, row.submitted_at) == (NOON, NOON)


@pytest.mark.parametrize(
    ("assignment", "excluded_by"),
    [
        ({"submitted_at": None}, ""),
        ({"slot": None}, ""),
        ({"judge__excluded_at": NOON, "judge__excluded_by": "too fast"}, "too fast"),
        ({"judge__withdrawn_at": NOON}, "withdrawn"),
    ],
)
def test_what_does_not_count_says_so(assignment, excluded_by):
    row = _only_row(_rating(**assignment))

    assert (row.valid, row.excluded_by) == (False, excluded_by)


def test_imported_work_counts_without_a_place():
    assert _only_row(_rating(slot=None, origin="imported")).valid


@pytest.mark.parametrize("n_ratings", [1, 3])
def test_rating_rows_need_the_same_queries_for_any_number(django_assert_num_queries, n_ratings):
    works = [_rating()]
    study = works[0].judge.study
    for _ in range(n_ratings - 1):
        work = AssignmentFactory(judge__group=works[0].group, submitted_at=NOON)
        Rating.objects.create(
            assignment=work, dimension=Rating.objects.first().dimension, value=2, rated_at=NOON
        )

    with django_assert_num_queries(4):  # names of systems, labels, visits, ratings
        rows = list(doors.rating_rows(study.pk, study.slug))

    assert len(rows) == n_ratings


@pytest.mark.parametrize("role", ["owner", "researcher"])
def test_study_for_gives_the_study_to_members_with_a_role(role):
    member = StudyMemberFactory(role=role)

    row = doors.study_for(member.user, member.study.slug, roles={"owner", "researcher"})

    assert row == doors.study_named(member.study.slug)


def test_study_for_hides_the_study_from_all_others():
    study = StudyFactory()
    monitor = StudyMemberFactory(study=study, role="monitor").user

    for user in (monitor, UserFactory(), AnonymousUser()):
        assert doors.study_for(user, study.slug, roles={"owner", "researcher"}) is None


def test_study_for_gives_every_study_to_a_superuser():
    study = StudyFactory()
    user = UserFactory(is_superuser=True)

    assert doors.study_for(user, study.slug, roles={"owner"}).slug == study.slug


def test_the_watermark_tells_how_many_ratings_came_later():
    work = _rating()
    study = work.judge.study
    dimension = Rating.objects.get().dimension
    mark = doors.watermark(study.pk)

    for minutes in (1, 2):
        RatingEvent.objects.create(
            study=study, assignment=work, dimension=dimension, source="key",
            old=None, new=3, at=NOON + dt.timedelta(minutes=minutes),
        )  # fmt: skip

    assert mark == doors.Watermark(0, 0)
    assert doors.ratings_since(study.pk, mark) == 2
    assert doors.ratings_since(study.pk, doors.watermark(study.pk)) == 0


def test_who_was_excluded_is_told_once():
    study = StudyFactory()
    here, elsewhere = JudgeFactory.create_batch(2, group__study=study)
    exclude_judge(here, reason="too fast", at=NOON)
    Judge.objects.filter(pk=elsewhere.pk).update(excluded_at=NOON, excluded_by="elsewhere")

    told = [row[1:] for row in doors.exclusion_rows(study.pk)]

    assert told == [
        ("judge_excluded", f"judge: {elsewhere.pseudonym}", "elsewhere"),
        ("judge_excluded", f"judge: {here.pseudonym}", "too fast"),
    ]
