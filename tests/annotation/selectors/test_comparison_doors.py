import pytest

from annotation.selectors.doors import comparison_rows, rating_rows
from annotation.services.judges import exclude_judge
from annotation.services.places import draw
from tests.annotation.comparing_studies import choose, make_study
from tests.factories import NOON, JudgeFactory

pytestmark = pytest.mark.django_db


def rows(group):
    return list(comparison_rows(group.study.pk, group.study.slug))


def shown(place):
    members = place.unit.unit_members.select_related("output_version__output__system")
    return [member.output_version.output.system.key for member in members]


def test_a_choice_is_one_row_with_its_members_as_they_were_shown():
    group = make_study(k=1)
    judge = JudgeFactory(group=group)
    (place,) = choose(judge, "B>A")

    (row,) = rows(group)

    assert [member.system for member in row.members] == shown(place)
    assert [member.rank for member in row.members] == [2, 1]
    assert row.best_and_worst == tuple(reversed(shown(place)))
    assert (row.choice, row.kind, row.item_id) == ("B>A", "pairwise", place.unit.item.key)
    assert (row.judge, row.position, row.revision) == (judge.pseudonym, 1, 1)
    assert row.valid
    assert not row.is_tie


def test_a_tie_a_set_and_no_answer():
    group = make_study(k=1, n_items=1)
    choose(JudgeFactory(group=group), "A=B", "")
    sets = make_study(kinds=["best_worst"], n_systems=4, n_items=1, k=1)
    (place,) = choose(JudgeFactory(group=sets), "D>B", dimension="best_worst")

    tie, missing = rows(group)
    (of_set,) = rows(sets)

    assert (tie.is_tie, tie.best_and_worst) == (True, ("", ""))
    assert (missing.missing_reason, missing.choice) == ("broken text", "")
    assert [member.rank for member in missing.members] == [None, None]
    assert not missing.is_tie
    assert of_set.best_and_worst == (shown(place)[3], shown(place)[1])
    assert [member.rank for member in of_set.members] == [2, 3, 2, 1]


def test_only_what_is_handed_in_by_a_judge_who_is_in_and_of_current_texts_is_valid():
    group = make_study(k=3, n_items=1)
    out, unfinished, old = (JudgeFactory(group=group) for _ in range(3))
    choose(out, "A>B")
    exclude_judge(out, reason="too fast", at=NOON)
    (begun,) = choose(unfinished, "A>B")
    begun.submitted_at = None
    begun.save()
    (place,) = choose(old, "A>B")
    version = place.unit.unit_members.first().output_version
    version.is_current = False
    version.save()

    found = rows(group)

    assert [row.valid for row in found] == [False, False, False]
    assert [row.excluded_by for row in found] == ["too fast", "", ""]


def test_the_doors_of_ratings_and_comparisons_do_not_mix():
    group = make_study(kinds=["points", "pairwise"], n_items=1, n_systems=2, k=1)
    judge = JudgeFactory(group=group)
    assert len(draw(judge, at=NOON, n_ahead=2)) == 3

    assert list(rating_rows(group.study.pk, group.study.slug)) == []
    assert rows(group) == []


@pytest.mark.parametrize("n", [1, 3])
def test_any_number_of_choices_takes_the_same_queries(django_assert_num_queries, n):
    group = make_study(k=1, n_items=3)
    choose(JudgeFactory(group=group), *["A>B"] * n)

    with django_assert_num_queries(5):  # names of systems, answers, visits, ranks, members
        assert len(rows(group)) == n
