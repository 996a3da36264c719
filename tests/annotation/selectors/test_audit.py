import re

import pytest

from annotation.models import Assignment
from annotation.selectors.audit import audit_study
from annotation.services.hand_in import hand_in
from annotation.services.place_making import make_places
from annotation.services.places import draw
from annotation.services.presets import FACTS, OPINION_SUMMARIES
from annotation.services.protocol import NewGroup
from annotation.services.studies import create_study
from tests.annotation.comparing_studies import make_study as comparing_study
from tests.annotation.services.test_places import make_study
from tests.factories import (
    NOON,
    AssignmentFactory,
    DimensionFactory,
    ItemFactory,
    JudgeFactory,
    JudgeGroupFactory,
    PhaseFactory,
    SystemFactory,
    UnitFactory,
)

pytestmark = pytest.mark.django_db


def kinds(group, **study):
    for name, value in study.items():
        setattr(group.study, name, value)
    return [deviation.kind for deviation in audit_study(group.study, at=NOON).deviations]


def test_a_study_as_designed_has_no_deviation():
    group = make_study(opened_at=NOON)
    judge = JudgeFactory(group=group)
    hand_in(draw(judge, at=NOON)[0], at=NOON)
    draw(judge, at=NOON)

    audit = audit_study(group.study, at=NOON)

    (row,) = audit.groups
    assert audit.deviations == []
    assert (row.n_places, row.n_valid, row.n_running, row.n_free) == (8, 1, 1, 6)


@pytest.mark.parametrize("state", ["open", "closed"])
def test_no_query_asks_what_is_not_in_another_one(django_assert_max_num_queries, state):
    # PostgreSQL reads the whole of the inner one again for each row: hours for a million.
    group = make_study(opened_at=NOON, state=state)
    Assignment.objects.first().delete()

    with django_assert_max_num_queries(60) as asked:
        audit_study(group.study, at=NOON)

    assert not [q for q in asked if re.search(r"NOT \([^()]* IN \(SELECT", q["sql"])]


def test_a_missing_place_is_named():
    group = make_study(opened_at=NOON)
    Assignment.objects.first().delete()

    assert kinds(group) == ["k"]


def test_a_closed_study_names_the_units_that_ended_short():
    group = make_study(n_items=1, n_systems=1, k=1, opened_at=NOON, state="closed")

    assert kinds(group) == ["short"]


def test_late_work_is_listed_as_surplus():
    group = make_study(opened_at=NOON)
    AssignmentFactory(
        judge=JudgeFactory(group=group),
        unit=group.study.units.first(),
        slot=None,
        is_late=True,
        submitted_at=NOON,
    )

    assert kinds(group) == ["surplus"]


def test_work_without_a_required_answer_is_named():
    group = make_study(opened_at=NOON)
    (place,) = draw(JudgeFactory(group=group), at=NOON)
    hand_in(place, at=NOON)
    DimensionFactory(phase__study=group.study)

    assert kinds(group) == ["incomplete"]


def test_a_text_that_names_its_system_breaks_blindness():
    group = make_study(opened_at=NOON)
    unit = group.study.units.first()
    unit.output_version.text = f"As {unit.system.key} I wrote this."
    unit.output_version.save()

    assert kinds(group, title=f"Is {unit.system.key} good?") == ["blindness", "blindness"]


@pytest.mark.parametrize("name", ["instructions", "suggestions"])
def test_a_phase_that_names_a_system_breaks_blindness(name):
    group = make_study(opened_at=NOON)
    key = group.study.units.first().system.key
    PhaseFactory(study=group.study, **{name: f"Mind {key}."})

    (found,) = audit_study(group.study, at=NOON).deviations

    assert (found.kind, found.where) == ("blindness", name)


def test_a_source_met_twice_is_named():
    group = make_study(n_items=1, opened_at=NOON)
    judge = JudgeFactory(group=group)
    while places := draw(judge, at=NOON):
        hand_in(places[0], at=NOON)

    assert kinds(group, source_once_per_judge=True) == ["source"]


def preset_study(protocol, *, n_items, n_systems, n_facts=0, groups=None):
    from dataclasses import replace

    if groups:
        protocol = replace(protocol, groups=groups)
    study = create_study("published", title="Published", protocol=protocol, at=NOON, seed=1)
    systems = [SystemFactory(study=study) for _ in range(n_systems)]
    for _ in range(n_items):
        item = ItemFactory(study=study)
        for position in range(n_facts):
            item.facts.create(position=position, key=str(position), text="A fact.")
        for system in systems:
            UnitFactory(output_version__output__item=item, output_version__output__system=system)
    make_places(study)
    return audit_study(study, at=NOON)


def test_opinion_summaries_as_published_have_their_places_and_ratings():
    audit = preset_study(OPINION_SUMMARIES, n_items=10, n_systems=14)

    # A tenth of the published set, which has 2,800 places and 11,200 ratings.
    assert [(g.n_places, g.n_ratings_due) for g in audit.groups] == [(280, 1_120)]


@pytest.mark.parametrize(("k_experts", "n_places"), [(2, 240), (1, 220)])
def test_facts_as_published_have_their_places(k_experts, n_places):
    groups = [NewGroup("crowd", "Crowd", 10), NewGroup("expert", "Experts", k_experts)]

    audit = preset_study(FACTS, n_items=20, n_systems=1, n_facts=3, groups=groups)

    assert sum(group.n_places for group in audit.groups) == n_places
    assert audit.groups[0].n_ratings_due == 10 * 20 * (1 + 3 + 3)


def test_the_audit_counts_comparisons_and_tells_how_evenly_systems_stand():
    group = comparing_study(kinds=["pairwise", "best_worst"], n_items=4, n_systems=4, k=2)

    audit = audit_study(group.study, at=NOON)

    assert audit.deviations == []
    (row,) = audit.groups
    assert (row.n_units, row.n_places, row.n_ratings_due) == (4 * 6 + 4, 56, 56)
    assert [(k.kind, k.n_units, k.widest_difference) for k in audit.positions] == [
        ("pair", 24, 0),
        ("set", 4, 0),
    ]


def test_the_audit_names_a_pair_that_lost_its_place_and_a_side_that_is_uneven():
    group = comparing_study(n_items=2, n_systems=2, k=1)
    first = group.study.units.filter(kind="pair").first()
    first.assignments.all().delete()
    versions = [m.output_version for m in first.unit_members.all()]
    first.unit_members.all().delete()
    for position, version in enumerate(reversed(versions), start=1):
        first.unit_members.create(position=position, output_version=version)

    audit = audit_study(group.study, at=NOON)

    (deviation,) = audit.deviations
    assert deviation.kind == "k"
    assert all(system.key in deviation.where for system in group.study.systems.all())
    assert [k.widest_difference for k in audit.positions] == [2]


def test_a_comparison_handed_in_without_a_choice_is_named():
    group = comparing_study(n_items=1, n_systems=2, k=1)
    (place,) = draw(JudgeFactory(group=group), at=NOON)
    place.submitted_at = NOON
    place.save()

    assert kinds(group) == ["incomplete"]


@pytest.mark.parametrize("n_items", [1, 12])
def test_an_audit_takes_the_same_queries_for_few_outputs_and_for_many(
    n_items, django_assert_max_num_queries
):
    group = JudgeGroupFactory(study__state="closed", study__opened_at=NOON, judges_per_unit=2)
    system = SystemFactory(study=group.study)
    for _ in range(n_items):
        item = ItemFactory(study=group.study)
        UnitFactory(output_version__output__item=item, output_version__output__system=system)

    with django_assert_max_num_queries(28):
        audit = audit_study(group.study, at=NOON)

    kinds = [deviation.kind for deviation in audit.deviations]
    assert (kinds.count("k"), kinds.count("short")) == (n_items, n_items)
