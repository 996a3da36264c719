import pytest

from annotation.models import Assignment
from annotation.selectors import given
from annotation.selectors.given import given_to
from tests.factories import AssignmentFactory, JudgeFactory, SystemFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge():
    return JudgeFactory()


@pytest.fixture
def system(judge):
    return SystemFactory(study=judge.study)


def give(judge, system, position, draw=None):
    return AssignmentFactory(
        judge=judge,
        unit__output_version__output__system=system,
        position=position,
        draw=draw or position,
    )


def test_nobody_was_given_anything_at_first(judge):
    counted = given_to(judge.pk)

    assert (counted.position, counted.draw, dict(counted.n_of_system)) == (0, 0, {})


def test_what_came_since_is_added_to_what_was_counted(judge, system):
    other = SystemFactory(study=judge.study)
    for position in (1, 2):
        give(judge, system, position, draw=1)
    first = given_to(judge.pk)
    give(judge, other, 3, draw=2)
    give(JudgeFactory(group=judge.group), other, 4, draw=4)

    second = given_to(judge.pk)

    assert (first.position, first.draw, dict(first.n_of_system)) == (2, 1, {system.pk: 2})
    assert (second.position, second.draw) == (3, 2)
    assert dict(second.n_of_system) == {system.pk: 2, other.pk: 1}


def test_only_what_came_since_is_read(judge, system, django_assert_num_queries):
    give(judge, system, 1)
    given_to(judge.pk)
    Assignment.objects.all().delete()

    with django_assert_num_queries(1):
        assert given_to(judge.pk).n_of_system == {system.pk: 1}


def test_the_caller_may_count_on_without_changing_what_is_remembered(judge, system):
    give(judge, system, 1)

    given_to(judge.pk).n_of_system[system.pk] += 5

    assert given_to(judge.pk).n_of_system == {system.pk: 1}


def test_a_process_remembers_no_more_judges_than_it_should(judge, system, monkeypatch):
    monkeypatch.setattr(given, "MOST_JUDGES", 2)
    give(judge, system, 1)

    for number in range(10):
        given_to(judge.pk + 1 + number)

    assert len(given._counted) <= 2
    assert given_to(judge.pk).position == 1
