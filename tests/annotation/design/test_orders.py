from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.design.orders import (
    counterbalanced,
    latin_lists,
    least_used,
    shuffled_order,
    williams_square,
)


@given(st.integers(min_value=2, max_value=12))
def test_williams_square_balances_neighbours(n):
    rows = williams_square(n)

    pairs = Counter(pair for row in rows for pair in pairwise(row))

    assert len(pairs) == n * (n - 1)
    assert len(set(pairs.values())) == 1
    assert all(sorted(row) == list(range(n)) for row in rows)


def test_williams_square_needs_a_condition():
    with pytest.raises(ValueError, match="at least one condition"):
        williams_square(0)


@given(st.integers(1, 20), st.integers(1, 6))
def test_latin_lists_meet_each_pair_once(n_sources, n_systems):
    lists = latin_lists(n_sources, n_systems)

    pairs = {(source, system) for row in lists for source, system in enumerate(row)}

    assert len(pairs) == n_sources * n_systems
    assert all(len(row) == n_sources for row in lists)


@given(st.integers(0, 2**31), st.sets(st.integers(), max_size=30))
def test_shuffled_order_is_a_permutation_that_repeats(seed, keys):
    ordered = sorted(keys)

    first, second = (shuffled_order(ordered, seed=seed) for _ in range(2))

    assert first == second
    assert sorted(first.values()) == list(range(len(keys)))


def test_shuffled_order_differs_between_seeds():
    keys = list(range(50))
    assert shuffled_order(keys, seed=1) != shuffled_order(keys, seed=2)


def test_counterbalanced_blocks_put_each_system_first_once():
    units = [(3, "c"), (1, "a"), (2, "b"), (4, "d")]

    firsts = [counterbalanced(units, row=row)[0] for row in range(4)]

    assert sorted(firsts) == ["a", "b", "c", "d"]


def test_least_used_groups_systems_of_equal_use():
    assert least_used([1, 2, 3, 4], {1: 2, 3: 1}) == [[2, 4], [3], [1]]
