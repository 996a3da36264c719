"""Whatever the judges do, every output ends with exactly k valid judgements, by k judges."""

import os
from collections import Counter

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from annotation.models import Assignment, Choice, Rating
from annotation.selectors.audit import audit_study
from annotation.selectors.places import VALID
from annotation.selectors.units import judged_units
from tests.annotation.comparing_studies import make_study as comparing_study
from tests.annotation.services.chaos import Chaos
from tests.annotation.services.test_places import make_study
from tests.factories import NOON, DimensionFactory

N_RUNS = int(os.environ.get("CHAOS_RUNS", "2"))


def assert_exactly_k(group):
    valid = Assignment.objects.filter(VALID, group=group)
    per_unit = Counter(valid.values_list("unit", flat=True))
    assert set(per_unit.values()) == {group.judges_per_unit}
    assert len(per_unit) == judged_units(group.study).count()
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
@pytest.mark.parametrize("seed", range(N_RUNS // 2))
def test_ux_6_thirty_judges_of_whom_a_fifth_drops_out_see_no_source_twice(seed):
    group = make_study(n_items=12, n_systems=3, k=3, lease_minutes=30, source_once_per_judge=True)
    DimensionFactory(phase__study=group.study)
    chaos = Chaos(group, n_judges=30, seed=seed)

    chaos.run(n_moves=60)
    chaos.finish()

    assert_exactly_k(group)
    given = Assignment.objects.filter(group=group, judge__isnull=False)
    assert max(Counter(given.values_list("judge", "unit__item")).values()) == 1
    of_judge = Counter(given.values_list("judge", "unit__system"))
    judges = {judge for judge, _ in of_judge}
    systems = group.study.systems.values_list("pk", flat=True)
    widest = max(
        max(counts) - min(counts)
        for counts in ([of_judge[judge, system] for system in systems] for judge in judges)
    )
    audit = audit_study(group.study, at=chaos.now)
    assert [of_group.widest_system_difference for of_group in audit.groups] == [widest]


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


@pytest.mark.django_db
@settings(max_examples=3, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    kinds=st.sampled_from([["pairwise"], ["best_worst"], ["points", "pairwise", "best_worst"]]),
    n_items=st.integers(1, 2),
    k=st.integers(1, 2),
    layout=st.sampled_from(["one_output", "page", "item"]),
    seed=st.integers(0, 10**6),
)
def test_every_design_of_comparisons_ends_with_exactly_k(kinds, n_items, k, layout, seed):
    group = comparing_study(
        kinds=kinds, n_items=n_items, n_systems=3, set_size=3, k=k, layout=layout, page_size=3,
        lease_minutes=30, repeat_percent=20,
    )  # fmt: skip
    chaos = Chaos(group, n_judges=k + 6, seed=seed)

    chaos.run(n_moves=25)
    chaos.finish()

    assert_exactly_k(group)
    of_pairs = Choice.objects.filter(member__unit__kind="pair", assignment__group=group)
    counted = of_pairs.filter(assignment__in=Assignment.objects.filter(VALID)).count()
    assert counted == (n_items * 3 * k * 2 if "pairwise" in kinds else 0)
