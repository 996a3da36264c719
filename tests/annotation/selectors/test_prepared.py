import threading
import uuid
from datetime import timedelta

import pytest
from django.db import connection

from annotation.models import Assignment
from annotation.selectors.prepared import prepared
from annotation.services.places import draw
from tests.annotation.judging_studies import make_judge, make_study
from tests.factories import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def held():
    judge, _ = make_judge(make_study())
    return draw(judge, at=NOON, n_ahead=2)


def test_it_finds_what_the_plain_query_finds_for_ever_other_values(held):
    @prepared
    def by_handle(handle):
        return Assignment.objects.filter(handle=handle).select_related("judge")

    found = [by_handle(row.handle) for row in held]

    assert found == [[row] for row in held]
    assert [rows[0].lease_until for rows in found] == [row.lease_until for row in held]
    assert by_handle(uuid.uuid4()) == []


def test_moments_and_related_rows_are_compared_as_the_database_stores_them(held):
    @prepared
    def running(judge, at):
        held = Assignment.objects.filter(judge=judge, lease_until__gte=at)
        return held.order_by("position").values_list("position", flat=True)

    judge = held[0].judge_id
    until = held[0].lease_until

    assert running(judge, until) == [1, 2, 3]
    assert running(judge, until + timedelta(microseconds=1)) == []
    assert running(judge + 1, until) == []


def test_the_query_is_built_once_for_each_number_of_values(held):
    built = []

    @prepared
    def with_keys(*keys):
        built.append(len(keys))
        return Assignment.objects.filter(pk__gte=keys[0], pk__lte=keys[-1])

    first, second, _ = sorted(row.pk for row in held)
    found = [with_keys(first), with_keys(first, second), with_keys(second), with_keys(first, first)]

    assert built == [1, 2]
    assert [first in {row.pk for row in rows} for rows in found] == [True, True, False, True]


@pytest.mark.django_db(transaction=True)
def test_threads_share_neither_values_nor_connections():
    @prepared
    def one(key):
        return Assignment.objects.filter(pk=key).values_list("pk", flat=True)

    judge, _ = make_judge(make_study())
    keys = [row.pk for row in draw(judge, at=NOON, n_ahead=2)]
    wrong, together = [], threading.Barrier(len(keys))

    def ask(key):
        try:
            together.wait()
            wrong.extend(found for found in (one(key) for _ in range(50)) if found != [key])
        finally:
            connection.close()

    threads = [threading.Thread(target=ask, args=[key]) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert wrong == []
