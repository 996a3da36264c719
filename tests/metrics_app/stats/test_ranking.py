"""Rankings with known clusters, against scipy and by hand."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from metrics_app.stats.item_scores import ItemScores
from metrics_app.stats.lines.ranking import HANDLERS
from metrics_app.stats.ranking import RankingOptions, rank_systems


def rng():
    return np.random.default_rng(0)


def planted(n_items=60):
    """Return four systems: A and B alike on top, C a step below, D far below; seed fixed."""
    generator = np.random.default_rng(6)
    item = generator.normal(size=(n_items, 1))
    noise = generator.normal(scale=0.4, size=(n_items, 4))
    return ItemScores.from_array(item + noise + [1.0, 1.0, 0.5, -1.0], systems=tuple("ABCD"))


def by_name(ranking):
    return {row.system: row for row in ranking.systems}


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "t"])
@pytest.mark.parametrize("adjustment", ["holm", "BH", "bonferroni"])
def test_known_clusters_are_found(test, adjustment):
    options = RankingOptions(test=test, adjustment=adjustment, n_resamples=200)
    found = by_name(rank_systems(planted(), rng=rng(), options=options))

    assert {name: row.cluster for name, row in found.items()} == {"A": 1, "B": 1, "C": 2, "D": 3}
    assert {found["A"].rank, found["B"].rank} == {1, 2}
    assert (found["C"].rank, found["D"].rank) == (3, 4)
    assert found["A"].rank_range == found["B"].rank_range == (1, 2)
    assert (found["C"].rank_range, found["D"].rank_range) == ((3, 3), (4, 4))


def test_a_line_needs_every_pair_across_it():
    # B beats D, A beats C and D, but B does not beat C: no line between B and C.
    n = 12
    a = np.full(n, 3.0)
    d = np.zeros(n)
    b = np.where(np.arange(n) % 2 == 0, 1.9, 2.1)
    c = np.where(np.arange(n) % 2 == 0, 2.1, 1.8)
    scores = ItemScores.from_array(np.column_stack([a, b, c, d]), systems=tuple("ABCD"))
    found = by_name(rank_systems(scores, rng=rng()))
    assert {name: row.cluster for name, row in found.items()} == {"A": 1, "B": 2, "C": 2, "D": 3}


def test_pairs_are_tested_as_scipy_does_and_corrected_for_all():
    scores = planted(30)
    pairs = rank_systems(scores, rng=rng()).head_to_head
    p = {}
    for i, first in enumerate(pairs.systems):
        for j, second in enumerate(pairs.systems):
            if i < j:
                gaps = (
                    scores.values[:, "ABCD".index(first)] - scores.values[:, "ABCD".index(second)]
                )
                p[i, j] = stats.wilcoxon(gaps, method="exact").pvalue
                assert pairs.difference[i, j] == pytest.approx(gaps.mean())
                assert pairs.n_better[i, j] == (gaps > 0).sum()
    assert {pair: pairs.p[pair] for pair in p} == pytest.approx(p)
    step, corrected = 0.0, {}
    for k, pair in enumerate(sorted(p, key=p.get)):
        step = max(step, min(1, p[pair] * (6 - k)))
        corrected[pair] = step
    assert {pair: pairs.p_adjusted[pair] for pair in p} == pytest.approx(corrected)


def test_means_have_students_interval_over_items():
    scores = planted(20)
    row = by_name(rank_systems(scores, rng=rng()))["C"]
    expected = stats.ttest_1samp(scores.values[:, 2], 0).confidence_interval()
    assert row.mean.ci == pytest.approx((expected.low, expected.high))


def test_rank_ranges_are_percentiles_of_ranks_over_drawn_items():
    scores = planted(12)
    options = RankingOptions(n_resamples=4000)
    found = by_name(rank_systems(scores, rng=rng(), options=options))
    generator = np.random.default_rng(5)
    ranks = [
        1 + (means > means[:, None]).sum(axis=1)
        for means in (
            scores.values[generator.integers(12, size=12)].mean(axis=0) for _ in range(4000)
        )
    ]
    low, high = np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf")
    assert {name: found[name].rank_range for name in "ABCD"} == {
        name: (low[i], high[i]) for i, name in enumerate("ABCD")
    }


def test_equal_systems_share_the_better_rank_and_have_no_test():
    scores = ItemScores.from_array([[1, 1, 0], [2, 2, 1]], systems=("a", "b", "c"))
    found = rank_systems(scores, rng=rng())
    assert [row.rank for row in found.systems] == [1, 1, 3]
    assert found.n_undefined == 1
    assert np.isnan(found.head_to_head.p[0, 1])
    assert {row.cluster for row in found.systems} == {1}


def test_pairs_rest_on_shared_items_and_a_system_without_scores_comes_last():
    values = [[1, 2, np.nan], [2, np.nan, np.nan], [3, 5, np.nan]]
    found = rank_systems(ItemScores.from_array(values, systems=("a", "b", "c")), rng=rng())
    assert [row.system for row in found.systems] == ["b", "a", "c"]
    assert found.head_to_head.n_items[0, 1] == 2
    assert found.head_to_head.difference[0, 1] == 1.5
    last = found.systems[-1]
    assert (last.mean.undefined, last.cluster, last.rank) == ("all_missing", 0, 3)


@pytest.mark.parametrize(
    ("values", "reason"),
    [([[np.nan, np.nan]], "all_missing"), ([[1.0], [2.0]], "too_few_units")],
)
def test_undefined(values, reason):
    assert rank_systems(ItemScores.from_array(values), rng=rng()).undefined == reason


def test_scores_without_an_item_are_undefined():
    assert HANDLERS["ranking"]({}, {"scores": []}) == {"undefined": "all_missing"}


def test_the_same_seed_repeats():
    first, second = (
        rank_systems(planted(15), rng=np.random.default_rng(3)).systems for _ in range(2)
    )
    assert first == second


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.5, 20), st.floats(-50, 50))
@example(16152, 5.570979785617195, 1.8506903972911175)  # two means equal up to rounding
def test_shift_scale_and_order_of_items_do_not_matter(seed, scale, shift):
    generator = np.random.default_rng(seed)
    values = generator.integers(1, 6, size=(10, 3)).astype(float)
    options = RankingOptions(n_resamples=10)
    plain = rank_systems(ItemScores.from_array(values), rng=rng(), options=options)
    moved = rank_systems(
        ItemScores.from_array(generator.permutation(values) * scale + shift),
        rng=rng(),
        options=options,
    )
    assert [(r.system, r.rank, r.cluster) for r in moved.systems] == [
        (r.system, r.rank, r.cluster) for r in plain.systems
    ]
    assert moved.head_to_head.p == pytest.approx(plain.head_to_head.p, nan_ok=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"test": "z"}, "wilcoxon, sign or t"), ({"alpha": 0}, "between 0 and 1")],
)
def test_senseless_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        RankingOptions(**options)


def test_lines():
    scores = planted(20)
    answer = HANDLERS["ranking"]({"systems": list("ABCD")}, {"scores": scores.values.tolist()})
    assert answer["cluster"]["D"] == 3
    rows = [["j", i, "XY"[s], 1 + s + i % 2] for i in range(6) for s in range(2)]
    answer = HANDLERS["ranking"]({"standardise": True}, {"ratings": rows})
    assert answer["rank"] == {"Y": 1, "X": 2}
    assert answer["p"]["Y-X"] == pytest.approx(2 * 0.5**6)
