"""Whatever the judges do at the same time, every output ends with exactly k valid judgements."""

import threading
from functools import partial

import pytest
from django.db import connection, connections

from annotation.models import Assignment, Choice, Rating
from annotation.selectors.places import VALID
from annotation.services.hand_in import hand_in
from annotation.services.places import draw
from tests.annotation.comparing_studies import make_study as comparing_study
from tests.annotation.services.at_once import at_once
from tests.annotation.services.racing import Race
from tests.annotation.services.test_chaos import N_RUNS, assert_exactly_k
from tests.annotation.services.test_places import make_study
from tests.factories import NOON, DimensionFactory, JudgeFactory


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(N_RUNS))
def test_moves_of_six_threads_end_with_exactly_k(seed):
    group = make_study(
        n_items=6, n_systems=2, k=3, lease_minutes=30,
        repeat_percent=30 * (seed % 2), layout=["one_output", "item"][seed // 2 % 2],
    )  # fmt: skip
    DimensionFactory(phase__study=group.study)
    race = Race(group, n_judges=30, seed=seed)

    race.run(n_moves=12, n_threads=6)
    race.finish()

    assert race.faults == []
    assert_exactly_k(group)
    counted = Rating.objects.filter(assignment__in=Assignment.objects.filter(VALID))
    assert counted.count() == 12 * 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("seed", range(N_RUNS // 2))
def test_moves_of_six_threads_on_comparisons_end_with_exactly_k(seed):
    group = comparing_study(
        kinds=["pairwise"], n_items=4, n_systems=3, k=3, lease_minutes=30, repeat_percent=20
    )
    race = Race(group, n_judges=30, seed=seed)

    race.run(n_moves=12, n_threads=6)
    race.finish()

    assert race.faults == []
    assert_exactly_k(group)
    counted = Choice.objects.filter(assignment__in=Assignment.objects.filter(VALID))
    assert counted.count() == 12 * 3 * 2


@pytest.mark.django_db(transaction=True)
def test_judges_in_parallel_never_share_a_place():
    group = make_study(n_items=4, n_systems=3, k=3)
    judges = JudgeFactory.create_batch(6, group=group)

    def work(judge):
        while places := draw(judge, at=NOON):
            for place in places:
                hand_in(place, at=NOON)

    answers = at_once(*(partial(work, judge) for judge in judges))

    assert answers == ["done"] * len(judges)
    assert_exactly_k(group)


@pytest.mark.django_db(transaction=True)
def test_ux_7_two_requests_for_the_last_place_give_it_to_one():
    group = make_study(n_items=1, n_systems=1, k=1)
    judges = JudgeFactory.create_batch(2, group=group)
    barrier, given_out = threading.Barrier(2), []

    def ask(judge):
        barrier.wait()
        given_out.append(len(draw(judge, at=NOON)))
        connections.close_all()

    threads = [threading.Thread(target=ask, args=[judge]) for judge in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert sorted(given_out) == [0, 1]
    assert Assignment.objects.filter(judge__isnull=False).count() == 1


def test_the_threads_of_these_tests_share_the_database():
    # A database in memory would give each thread its own, and the races above would prove nothing.
    name = connection.settings_dict["NAME"]
    test_name = connection.settings_dict["TEST"].get("NAME")
    assert connection.vendor == "postgresql" or ":memory:" not in str(test_name or name)
