from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.design.comparisons import pair_design, set_design

SEEDS = st.integers(0, 2**31)


def full(n_items, n_systems):
    return {item: list(range(n_systems)) for item in range(n_items)}


def spread(counts, keys):
    n = [counts[key] for key in keys]
    return max(n) - min(n)


@given(st.integers(1, 12), st.integers(2, 6), SEEDS)
def test_all_pairs_of_every_item_come_once(n_items, n_systems, seed):
    design = pair_design(full(n_items, n_systems), per_item=None, seed=seed)

    found = Counter((item, frozenset(pair)) for item, pair in design)

    assert len(found) == n_items * comb(n_systems, 2)
    assert set(found.values()) == {1}


@given(st.integers(1, 12), st.integers(2, 6), st.integers(1, 20), SEEDS)
def test_pairs_and_sides_are_balanced(n_items, n_systems, per_item, seed):
    design = pair_design(full(n_items, n_systems), per_item=per_item, seed=seed)

    pairs = list(combinations(range(n_systems), 2))
    assert Counter(item for item, _ in design) == {
        item: min(per_item, len(pairs)) for item in range(n_items)
    }
    ordered = Counter(pair for _, pair in design)
    assert spread(Counter(tuple(sorted(pair)) for _, pair in design), pairs) <= 1
    assert all(abs(ordered[a, b] - ordered[b, a]) <= 1 for a, b in pairs)
    left, right = (Counter(pair[side] for _, pair in design) for side in (0, 1))
    assert all(abs(left[system] - right[system]) <= 1 for system in range(n_systems))


@given(st.dictionaries(st.integers(0, 20), st.sets(st.integers(0, 6)), max_size=8), SEEDS)
def test_items_with_gaps_get_the_pairs_they_have(systems, seed):
    given_systems = {item: sorted(own) for item, own in systems.items()}

    design = pair_design(given_systems, per_item=None, seed=seed)

    assert Counter(item for item, _ in design) == Counter(
        {item: comb(len(own), 2) for item, own in systems.items() if len(own) > 1}
    )
    assert all(set(pair) <= systems[item] for item, pair in design)
    left, right = (Counter(pair[side] for _, pair in design) for side in (0, 1))
    assert all(abs(left[system] - right[system]) <= 1 for system in range(7))


@given(st.integers(1, 12), st.integers(3, 7), st.integers(3, 5), st.integers(1, 4), SEEDS)
def test_sets_are_distinct_and_stand_in_every_position_equally_often(
    n_items, n_systems, size, per_item, seed
):
    design = set_design(full(n_items, n_systems), size=size, per_item=per_item, seed=seed)

    n_sets = min(per_item, comb(n_systems, size))
    assert Counter(item for item, _ in design) == {
        item: n_sets for item in range(n_items) if n_sets
    }
    assert len({(item, frozenset(members)) for item, members in design}) == len(design)
    assert all(len(set(members)) == size for _, members in design)
    for system in range(n_systems):
        at = Counter(members.index(system) for _, members in design if system in members)
        assert spread(at, range(size)) <= 1


@given(st.integers(1, 12), st.integers(4, 8), SEEDS)
def test_systems_are_drawn_into_sets_equally_often(n_items, n_systems, seed):
    design = set_design(full(n_items, n_systems), size=4, per_item=1, seed=seed)

    drawn = Counter(system for _, members in design for system in members)

    assert spread(drawn, range(n_systems)) <= 1


@pytest.mark.parametrize("per_item", [None, 2])
def test_the_same_seed_draws_the_same_design(per_item):
    first, second, other = (
        pair_design(full(6, 4), per_item=per_item, seed=seed) for seed in (3, 3, 4)
    )
    sets = [set_design(full(6, 6), size=3, per_item=2, seed=seed) for seed in (3, 3, 4)]

    assert first == second != other
    assert sets[0] == sets[1] != sets[2]


def test_each_combination_comes_once_before_any_comes_again():
    design = pair_design(full(5, 4), per_item=None, seed=1)

    for start in range(0, 30, 6):
        assert len({frozenset(pair) for _, pair in design[start : start + 6]}) == 6


@given(st.integers(1, 6), st.integers(1, 5), SEEDS)
def test_what_is_made_is_not_made_again(n_items, per_item, seed):
    made = pair_design(full(n_items, 4), per_item=per_item, seed=seed)

    more = pair_design(full(n_items, 4), per_item=None, seed=seed, made=made)
    none = set_design(
        full(n_items, 4), size=4, per_item=1, seed=seed,
        made=set_design(full(n_items, 4), size=4, per_item=1, seed=seed),
    )  # fmt: skip

    together = Counter((item, frozenset(pair)) for item, pair in [*made, *more])
    assert set(together.values()) == {1}
    assert len(together) == n_items * 6
    assert none == []
