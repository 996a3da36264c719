import pytest

from annotation.design.choices import FIRST, SECOND, TIED, choice_of_both_orders, read_choice


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
