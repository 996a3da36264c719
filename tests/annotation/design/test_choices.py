import pytest

from annotation.design.choices import (
    FIRST,
    SECOND,
    TIED,
    answers_of_set,
    best_worst_of_both_orders,
    choice_of_both_orders,
    chosen_of_set,
    read_choice,
)


@pytest.mark.parametrize(
    ("code", "n_members", "ranks"),
    [
        ("A>B", 2, (1, 2)),
        ("B>A", 2, (2, 1)),
        ("A=B", 2, (1, 1)),
        ("D>A", 4, (3, 2, 2, 1)),
        ("B>C", 3, (2, 1, 3)),
        ("E>A", 5, (3, 2, 2, 2, 1)),
    ],
)
def test_a_choice_gives_ranks(code, n_members, ranks):
    assert read_choice(code, n_members=n_members).ranks(n_members) == ranks


@pytest.mark.parametrize(
    ("code", "n_members", "told"),
    [
        ("A>A", 4, "A cannot be both the best and the worst"),
        ("A>C", 2, "Only A to B are shown"),
        ("E>A", 4, "Only A to D are shown"),
        ("A=B", 3, "which of A to C is best and which worst"),
        ("", 2, "A choice is written A>B"),
        ("a>b", 2, "A choice is written A>B"),
        ("A>B>C", 3, "A choice is written A>B"),
        ("A>" * 5_000, 3, "A choice is written A>B"),
    ],
)
def test_what_is_no_choice_is_refused_in_a_sentence(code, n_members, told):
    with pytest.raises(ValueError, match=told) as refusal:
        read_choice(code, n_members=n_members)

    assert len(str(refusal.value)) < 120


@pytest.mark.parametrize(
    ("shown", "swapped", "choice"),
    [
        (FIRST, SECOND, "A>B"),
        (SECOND, FIRST, "B>A"),
        (TIED, TIED, "A=B"),
        (FIRST, FIRST, None),
        (SECOND, SECOND, None),
        (TIED, FIRST, None),
        (SECOND, TIED, None),
    ],
)
def test_a_choice_counts_where_it_survives_the_swap(shown, swapped, choice):
    assert choice_of_both_orders(shown, swapped) == choice


@pytest.mark.parametrize("n_members", [3, 4, 5])
def test_every_answer_about_a_set_is_a_number_of_its_own_and_a_choice(n_members):
    answers = answers_of_set(n_members)

    assert len({number for number, _ in answers}) == n_members * (n_members - 1)
    for number, code in answers:
        assert read_choice(code, n_members=n_members) == chosen_of_set(number)


@pytest.mark.parametrize("n_members", [3, 4, 5])
def test_a_best_and_worst_count_where_both_survive_the_turn(n_members):
    texts = range(n_members)
    for shown, code in answers_of_set(n_members):
        for swapped, other in answers_of_set(n_members):
            named = [texts[ord(letter) - ord("A")] for letter in code[::2]]
            then = [texts[::-1][ord(letter) - ord("A")] for letter in other[::2]]
            found = best_worst_of_both_orders(shown, swapped, n_members=n_members)

            assert found == (code if named == then else None)
