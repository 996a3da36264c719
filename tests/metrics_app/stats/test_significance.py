"""Differences of dependent correlations, and pairwise accuracy."""

import math
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.stats.pairwise_accuracy import acc_eq, acc_eq_calibrated
from metrics_app.stats.scores import ScoreMatrix
from metrics_app.stats.significance import (
    DependentCorrelations,
    meng_z,
    steiger_z,
    williams_test,
)
from metrics_app.stats.soft_pairwise import soft_pairwise_accuracy

CASE = DependentCorrelations(0.3, 0.4, 0.5, 100)


def test_variants_of_steigers_z_as_cocor_prints_them():
    # cran/cocor, cocor.dep.groups.overlap(.3, .4, .5, 100): Dunn and Clark -1.0722,
    # Hittner, May and Silver -1.0719 are recomputed here from their formulas.
    z = math.atanh(0.3) - math.atanh(0.4)

    def expected(a, b):
        shared = 0.5 * (1 - a * a - b * b) - a * b / 2 * (1 - a * a - b * b - 0.25)
        return z * math.sqrt(97 / (2 - 2 * shared / ((1 - a * a) * (1 - b * b))))

    middle = math.tanh((math.atanh(0.3) + math.atanh(0.4)) / 2)
    assert steiger_z(CASE, variant="unpooled").value == pytest.approx(expected(0.3, 0.4))
    assert steiger_z(CASE, variant="backtransformed").value == pytest.approx(
        expected(middle, middle)
    )
    assert steiger_z(CASE).value == pytest.approx(expected(0.35, 0.35))


@pytest.mark.parametrize("test", [williams_test, steiger_z, meng_z])
def test_exchanged_metrics_turn_the_sign(test):
    turned = DependentCorrelations(0.4, 0.3, 0.5, 100)

    assert test(turned).value == pytest.approx(-test(CASE).value)
    assert test(turned).p == pytest.approx(test(CASE).p)
    sides = [test(CASE, alternative=side).p for side in ("greater", "less")]
    assert sum(sides) == pytest.approx(1)
    assert 2 * min(sides) == pytest.approx(test(CASE).p)


@pytest.mark.parametrize("test", [williams_test, steiger_z, meng_z])
@pytest.mark.parametrize(
    ("series", "reason"),
    [
        (([1, 2, 3], [1, 3, 2], [3, 1, 2]), "too_few_units"),
        (([1, 2, 3, 4], [1, 1, 1, 1], [3, 1, 2, 5]), "constant_input"),
        (([1, 2, 3, 4], [1, 3, 2, 4], [2, 6, 4, 8]), "no_difference"),
        (([1, 2, 3, None], [1, 3, 2, 4], [2, 6, 4, 8]), "too_few_units"),
    ],
)
def test_undefined(test, series, reason):
    result = test(DependentCorrelations.of(*series))

    assert result.undefined == reason
    assert math.isnan(result.p)


def test_perfect_correlation_has_no_fisher_transform():
    perfect = DependentCorrelations(1.0, 0.5, 0.5, 10)

    assert steiger_z(perfect).undefined == "not_identified"
    assert meng_z(perfect).undefined == "not_identified"
    assert williams_test(perfect).value > 0


def test_unequal_series_are_refused():
    with pytest.raises(ValueError, match=r"\[2, 2, 3\] values"):
        DependentCorrelations.of([1, 2], [1, 2], [1, 2, 3])


tables = st.integers(2, 5).flatmap(
    lambda n: st.tuples(
        *[
            st.lists(
                st.lists(st.integers(0, 4).map(float), min_size=n, max_size=n),
                min_size=1,
                max_size=3,
            )
            for _ in range(2)
        ]
    ).map(lambda pair: [side[: min(map(len, pair))] for side in pair])
)


def by_hand(human, metric, epsilon):
    groups = []
    for people, scores in zip(human, metric, strict=True):
        right = []
        for i, k in combinations(range(len(people)), 2):
            distance = scores[i] - scores[k]
            if abs(distance) <= epsilon:
                right.append(people[i] == people[k])
            else:
                right.append((people[i] - people[k]) * distance > 0)
        groups.append(sum(right) / len(right))
    return sum(groups) / len(groups)


@settings(max_examples=60, deadline=None)
@given(tables, st.integers(0, 3))
def test_accuracy_is_counted_and_calibration_finds_the_best(pair, epsilon):
    human, metric = pair
    best = acc_eq_calibrated(human, metric)
    candidates = sorted({0.0} | {abs(a - b) for row in metric for a, b in combinations(row, 2)})
    reached = [by_hand(human, metric, one) for one in candidates]

    assert acc_eq(human, metric, epsilon=epsilon).value == pytest.approx(
        by_hand(human, metric, epsilon)
    )
    assert best.value == pytest.approx(max(reached))
    first = next(one for one, a in zip(candidates, reached, strict=True) if a > max(reached) - 1e-9)
    assert best.details["epsilon"] == first


def test_groups_without_a_pair_are_left_out_and_counted():
    result = acc_eq([[1, 2], [3, None]], [[1, 2], [1, 2]])

    assert (result.value, result.n_units, result.n_undefined) == (1, 1, 1)
    assert acc_eq([[1], [2]], [[1], [2]]).undefined == "no_defined_group"
    assert acc_eq_calibrated([[None, 1]], [[1, 2]]).undefined == "no_defined_group"


def test_soft_accuracy_counts_every_flip():
    rng = np.random.default_rng(2)
    human, metric = rng.integers(1, 6, size=(2, 3, 5)).astype(float)

    def p(a, b):
        d = a - b
        flips = [np.dot(signs, d) for signs in product([1, -1], repeat=5)]
        return np.mean(np.array(flips) >= d.sum())

    doubts = [
        abs(p(human[i], human[k]) - p(metric[i], metric[k])) for i, k in combinations(range(3), 2)
    ]
    result = soft_pairwise_accuracy(ScoreMatrix.from_arrays(metric, human))
    assert result.value == pytest.approx(1 - np.mean(doubts), abs=1e-12)


def test_drawn_flips_repeat_with_the_seed_and_come_close_to_all():
    rng = np.random.default_rng(3)
    human = rng.integers(1, 6, size=(4, 15)).astype(float)
    matrix = ScoreMatrix.from_arrays(human + rng.normal(size=human.shape), human)

    first, second = (
        soft_pairwise_accuracy(matrix, rng=np.random.default_rng(4), n_resamples=4_000)
        for _ in range(2)
    )
    fewer = ScoreMatrix.from_arrays(matrix.metric[:, :14], matrix.human[:, :14])
    padded = [np.hstack([one, np.zeros((4, 1))]) for one in (fewer.metric, fewer.human)]
    drawn = soft_pairwise_accuracy(
        ScoreMatrix.from_arrays(*padded), rng=np.random.default_rng(4), n_resamples=20_000
    )

    assert first == second
    # An item on which nobody differs changes no p-value.
    assert drawn.value == pytest.approx(soft_pairwise_accuracy(fewer).value, abs=0.02)


def test_soft_accuracy_needs_a_generator_and_two_systems():
    many = ScoreMatrix.from_arrays(np.eye(2, 20), np.eye(2, 20))
    with pytest.raises(ValueError, match="20 items are too many to enumerate"):
        soft_pairwise_accuracy(many)
    one = ScoreMatrix.from_arrays([[1, 2]], [[1, 2]])
    assert soft_pairwise_accuracy(one).undefined == "too_few_units"
