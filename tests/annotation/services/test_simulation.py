import pytest
from django.core.exceptions import ValidationError

from annotation.models import Assignment, Choice, Rating
from annotation.selectors.audit import audit_study
from annotation.selectors.places import VALID
from annotation.services.demo import N_LEFT_OPEN, make_demo
from annotation.services.places import draw
from annotation.services.simulation import Crowd, rehearse, simulate_group
from tests.annotation.comparing_studies import make_study as comparing_study
from tests.annotation.services.test_places import make_study
from tests.factories import NOON, DimensionFactory, JudgeFactory

pytestmark = pytest.mark.django_db


def simulated_values(seed):
    group = make_study(n_items=3, n_systems=2, k=2)
    DimensionFactory(phase__study=group.study)
    simulate_group(group, Crowd(n_judges=2), seed=seed, at=NOON)
    assert Assignment.objects.filter(VALID, group=group).count() == 12
    return list(
        Rating.objects.filter(assignment__group=group)
        .order_by("assignment__unit__item__position", "assignment__slot")
        .values_list("value", flat=True)
    )


def test_simulated_judges_fill_every_place_with_points_of_the_scale():
    values = simulated_values(seed=1)

    assert len(values) == 12
    assert set(values) <= {1.0, 2.0, 3.0, 4.0}


def test_a_better_system_gets_better_ratings():
    group = make_study(n_items=10, n_systems=2, k=2)
    DimensionFactory(phase__study=group.study)
    good, bad = group.study.systems.values_list("key", flat=True)

    simulate_group(group, Crowd(n_judges=3, quality={good: 0.9, bad: 0.1}), seed=3, at=NOON)

    means = {
        key: sum(values) / len(values)
        for key in (good, bad)
        if (
            values := Rating.objects.filter(assignment__unit__system__key=key).values_list(
                "value", flat=True
            )
        )
    }
    assert means[good] > means[bad] + 1


def test_the_demo_study_is_made_once_and_leaves_places_for_the_newcomer():
    study = make_demo(at=NOON)
    again = make_demo(at=NOON)

    assert again == study
    assert study.items.count() == 20
    assert study.judges.filter(is_simulated=True).count() == 10
    newcomer = study.judges.get(is_simulated=False)
    assert newcomer.group.key == "crowd"
    free = Assignment.objects.filter(unit__study=study, judge=None)
    assert free.count() == N_LEFT_OPEN
    assert set(free.values_list("group__key", flat=True)) == {"crowd"}
    assert Rating.objects.filter(assignment__judge__is_simulated=False).count() == 0


def compared(kind, **given):
    group = comparing_study(kinds=[kind], n_systems=4, k=2, **given)
    keys = list(group.study.systems.values_list("key", flat=True))
    quality = dict(zip(keys, [0.9, 0.6, 0.4, 0.1], strict=True))
    simulate_group(group, Crowd(n_judges=3, quality=quality), seed=5, at=NOON)
    return group, keys


def mean_ranks(group, keys):
    path = "member__output_version__output__system__key"
    ranks = Choice.objects.filter(assignment__group=group).values_list(path, "rank")
    return [
        sum(own) / len(own) for key in keys for own in [[rank for k, rank in ranks if k == key]]
    ]


@pytest.mark.parametrize(("kind", "n_units"), [("pairwise", 4 * 6), ("best_worst", 4)])
def test_simulated_judges_prefer_the_better_outputs(kind, n_units):
    group, keys = compared(kind, n_items=4)

    assert Assignment.objects.filter(VALID, group=group).count() == n_units * 2
    assert Rating.objects.filter(assignment__group=group).count() == n_units * 2
    means = mean_ranks(group, keys)
    assert means[0] + 0.3 < means[-1]
    assert audit_study(group.study, at=NOON).deviations == []


def test_simulated_judges_say_where_two_outputs_look_the_same():
    group = comparing_study(n_systems=3, n_items=4, k=1)
    crowd = Crowd(n_judges=1, output_sd=0, noise_sd=0)

    simulate_group(group, crowd, seed=1, at=NOON)

    assert set(Rating.objects.values_list("text", flat=True)) == {"A=B"}


def test_a_rehearsal_fills_every_group_and_says_that_it_is_one():
    group = make_study(n_items=3, n_systems=2, k=2)
    DimensionFactory(phase__study=group.study)

    judges = rehearse(group.study, seed=1, at=NOON)

    assert len(judges) == 2
    assert {judge.is_simulated for judge in group.judges.all()} == {True}
    assert Assignment.objects.filter(VALID, group=group).count() == 12


@pytest.mark.parametrize("state", ["draft", "paused", "closed", "frozen"])
def test_no_rehearsal_where_nobody_can_judge(state):
    group = make_study(n_items=1, n_systems=1, k=1)
    group.study.state = state

    with pytest.raises(ValidationError, match="Open it first"):
        rehearse(group.study, seed=1, at=NOON)


def test_no_rehearsal_among_people():
    group = make_study(n_items=1, n_systems=1, k=2)
    draw(JudgeFactory(group=group), at=NOON)

    with pytest.raises(ValidationError, match="People judge here"):
        rehearse(group.study, seed=1, at=NOON)

    assert not group.judges.filter(is_simulated=True).exists()
