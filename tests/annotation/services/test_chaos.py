"""Whatever the judges do, every output ends with exactly k valid judgements, by k judges."""

import os
import threading
from collections import Counter

import pytest
from django.db import connection, connections
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from annotation.models import Assignment, Rating
from annotation.selectors.audit import audit_study
from annotation.selectors.places import VALID
from annotation.services.hand_in import hand_in
from annotation.services.places import draw
from tests.annotation.services.chaos import Chaos
from tests.annotation.services.test_places import make_study
from tests.factories import NOON, DimensionFactory, JudgeFactory

N_RUNS = int(os.environ.get("CHAOS_RUNS", "2"))


def assert_exactly_k(group):
    valid = Assignment.objects.filter(VALID, group=group)
    per_unit = Counter(valid.values_list("unit", flat=True))
    assert set(per_unit.values()) == {group.judges_per_unit}
    assert len(per_unit) == group.study.units.count()
    twice = Counter(valid.values_list("unit", "judge"))
    assert max(twice.values()) == 1
    kept = {d.kind for d in audit_study(group.study, at=NOON).deviations}
    assert kept <= {"surplus"}


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(N_RUNS))
@pytest.mark.parametrize("repeat_percent", [0, 30])
def test_any_interleaving_of_thirty_judges_ends_with_exactly_k(seed, repeat_percent):
    group = make_study(n_items=6, n_systems=2, k=3, lease_minutes=30, repeat_percent=repeat_percent)
    DimensionFactory(phase__study=group.study)
    chaos = Chaos(group, n_judges=30, seed=seed)

    chaos.run(n_moves=60)
    chaos.finish()

    assert_exactly_k(group)
    assert Rating.objects.filter(assignment__in=Assignment.objects.filter(VALID)).count() == 12 * 3


@pytest.mark.django_db
# A failing design is small as it is: shrinking it would cost minutes.
@settings(max_examples=4, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    n_items=st.integers(1, 4),
    n_systems=st.integers(1, 3),
    k=st.integers(1, 3),
    layout=st.sampled_from(["one_output", "page", "item"]),
    seed=st.integers(0, 10**6),
)
def test_every_design_ends_with_exactly_k(n_items, n_systems, k, layout, seed):
    group = make_study(
        n_items=n_items, n_systems=n_systems, k=k, layout=layout, page_size=3, lease_minutes=30
    )
    DimensionFactory(phase__study=group.study)
    chaos = Chaos(group, n_judges=k + 6, seed=seed)

    chaos.run(n_moves=25)
    chaos.finish()

    assert_exactly_k(group)


@pytest.mark.django_db(transaction=True)
def test_judges_in_parallel_never_share_a_place():
    group = make_study(n_items=4, n_systems=3, k=3)
    judges = JudgeFactory.create_batch(6, group=group)
    barrier, faults = threading.Barrier(len(judges)), []

    def work(judge):
        try:
            barrier.wait()
            while places := draw(judge, at=NOON):
                for place in places:
                    hand_in(place, at=NOON)
        except Exception as fault:  # noqa: BLE001 -- a thread's fault is the test's finding
            faults.append(fault)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=[judge]) for judge in judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)

    assert faults == []
    assert_exactly_k(group)


@pytest.mark.django_db(transaction=True)
def test_two_requests_for_the_last_place_give_it_to_one():
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
