import hashlib

import pytest

from annotation.models import Assignment, Output, OutputVersion, Unit
from annotation.services.comparisons import make_comparisons
from annotation.services.loading import make_places_for
from annotation.services.loading_outputs import retire
from annotation.services.places import draw
from tests.annotation.comparing_studies import add_item, make_study
from tests.factories import NOON, JudgeFactory

pytestmark = pytest.mark.django_db


def members_of(unit):
    return [m.output_version.output.system_id for m in unit.unit_members.all()]


def change_text(output):
    old = output.versions.get(is_current=True)
    retire([old.pk])
    text = f"{old.text}, changed"
    OutputVersion.objects.create(
        output=output, number=old.number + 1, text=text,
        checksum=hashlib.sha256(text.encode()).hexdigest(),
    )  # fmt: skip


def test_all_pairs_of_an_item_become_units_with_places_and_single_outputs_get_none():
    group = make_study(n_items=2, n_systems=3, k=2)

    pairs = Unit.objects.filter(study=group.study, kind="pair")

    assert pairs.count() == 2 * 3
    assert {(unit.item_id, frozenset(members_of(unit))) for unit in pairs} == {
        (item.pk, frozenset(pair))
        for item in group.study.items.all()
        for pair in _pairs(group.study.systems.values_list("pk", flat=True))
    }
    assert all(
        m.output_version.output.item_id == u.item_id for u in pairs for m in u.unit_members.all()
    )
    places = Assignment.objects.filter(group=group)
    assert places.count() == 6 * 2
    assert set(places.values_list("unit__kind", flat=True)) == {"pair"}


def _pairs(keys):
    ordered = sorted(keys)
    return [(a, b) for n, a in enumerate(ordered) for b in ordered[n + 1 :]]


def test_sets_have_the_declared_size_and_number():
    group = make_study(kinds=["best_worst"], n_systems=6, n_items=3, sets_per_item=2, set_size=5)

    sets = Unit.objects.filter(study=group.study)

    assert sets.filter(kind="pair").count() == 0
    assert sets.filter(kind="set").count() == 3 * 2
    assert {unit.unit_members.count() for unit in sets.filter(kind="set")} == {5}


def test_a_study_that_asks_of_single_outputs_makes_no_comparison():
    group = make_study(kinds=["points"])

    assert make_comparisons(group.study) == []
    assert set(Unit.objects.values_list("kind", flat=True)) == {"single"}


def test_made_again_nothing_is_added():
    group = make_study(kinds=["pairwise", "best_worst"], n_systems=4)
    before = Unit.objects.count()

    assert make_comparisons(group.study) == []
    assert Unit.objects.count() == before


def test_items_that_come_later_are_compared_too():
    group = make_study(n_items=1, n_systems=3, k=2)
    item = add_item(group.study, list(group.study.systems.all()))

    make_places_for(group.study, [unit.pk for unit in item.units.all()])

    assert item.units.filter(kind="pair").count() == 3
    assert Assignment.objects.filter(unit__item=item).count() == 3 * 2
    assert not Assignment.objects.filter(unit__kind="single").exists()


def test_a_changed_text_is_compared_anew_and_what_was_judged_stays():
    group = make_study(n_items=1, n_systems=3, k=2)
    place = draw(JudgeFactory(group=group), at=NOON)[0]
    member = place.unit.unit_members.first()
    output = Output.objects.get(pk=member.output_version.output_id)

    change_text(output)
    make_places_for(group.study, [])

    pairs = Unit.objects.filter(kind="pair")
    with_it = [unit for unit in pairs if output.system_id in members_of(unit)]
    assert len(with_it) == 3  # the judged one of the old text, two of the new
    assert place.unit in with_it
    assert list(place.unit.assignments.all()) == [place]
    for unit in with_it:
        if unit != place.unit:
            assert unit.unit_members.get(output_version__output=output).output_version.number == 2
            assert unit.assignments.filter(judge=None).count() == 2


def test_a_mixed_study_hands_out_single_outputs_first():
    group = make_study(kinds=["points", "pairwise"], n_items=1, n_systems=2, k=1)
    judge = JudgeFactory(group=group)

    drawn = draw(judge, at=NOON, n_ahead=9)

    assert [row.unit.kind for row in drawn] == ["single", "single", "pair"]


def test_an_item_at_a_time_brings_its_comparisons_after_its_outputs():
    group = make_study(kinds=["points", "pairwise"], n_items=2, n_systems=3, k=1, layout="item")

    drawn = draw(JudgeFactory(group=group), at=NOON)

    assert [row.unit.kind for row in drawn] == ["single"] * 3 + ["pair"] * 3
    assert len({row.unit.item_id for row in drawn}) == 1
    assert {row.slot for row in drawn} == {1}


def test_a_judge_meets_all_pairs_before_any_comes_again():
    group = make_study(n_items=4, n_systems=3, k=1)

    drawn = draw(JudgeFactory(group=group), at=NOON, n_ahead=11)

    assert len(drawn) == 12
    for start in range(0, 12, 3):
        assert len({frozenset(members_of(row.unit)) for row in drawn[start : start + 3]}) == 3
