"""Bootstrap and permutation of correlations against plain copies of the data."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.stats.columns import correlate_columns
from metrics_app.stats.correlation import COEFFICIENTS
from metrics_app.stats.correlation_bootstrap import (
    Question,
    bootstrap_correlation,
    bootstrap_correlations,
)
from metrics_app.stats.correlation_permutation import Contest, compare_metrics, permutation_test
from metrics_app.stats.levels import correlate
from metrics_app.stats.resampled_columns import prepare
from metrics_app.stats.scores import ScoreMatrix
from metrics_app.stats.swapped_levels import standardize, swapped_differences
from metrics_app.stats.swapped_taus import swapped_tau_differences
from metrics_app.stats.swaps import Swaps

LEVELS = ["system", "summary", "global"]
ON_COUNTS = ["pearson", "spearman", "kendall_tau_a", "kendall_tau_b"]


def table(seed, *, gaps=False, shape=(6, 9)):
    rng = np.random.default_rng(seed)
    human = rng.integers(1, 6, size=shape).astype(float)
    metric = np.round(human + rng.normal(scale=2, size=shape), 1)
    if gaps:
        metric[1, 2] = human[3, 4] = np.nan
    return metric, human


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("coefficient", ON_COUNTS)
def test_counts_give_what_copies_give(coefficient, gaps):
    metric, human = table(1, gaps=gaps)
    gone = np.isnan(metric + human)
    metric[gone] = human[gone] = np.nan
    drawn = np.random.default_rng(2).integers(6, size=(50, 6))
    counts = np.array([np.bincount(row, minlength=6) for row in drawn])

    sides = [prepare(one, counts, coefficient) for one in (metric, human)]

    copies = [correlate_columns(metric[rows], human[rows], coefficient) for rows in drawn]
    found = sides[0].correlate(sides[1])
    if coefficient == "kendall_tau_a":
        copies = np.nan_to_num(copies)
    assert found == pytest.approx(np.array(copies), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("coefficient", ["pearson", "kendall_tau_b", "kendall_tau_c"])
@pytest.mark.parametrize("level", LEVELS)
def test_interval_is_that_of_copied_tables(level, coefficient):
    metric, human = table(3, gaps=True)
    rng = np.random.default_rng(7)
    systems, items = rng.integers(6, size=(80, 6)), rng.integers(9, size=(80, 9))
    copies = []
    for rows, columns in zip(systems, items, strict=True):
        pick = np.ix_(rows, columns)
        copied = ScoreMatrix.from_arrays(metric[pick], human[pick])
        copies.append(correlate(copied, level=level, coefficient=coefficient).value)

    result = bootstrap_correlation(
        ScoreMatrix.from_arrays(metric, human),
        Question(level, coefficient),
        rng=np.random.default_rng(7),
        n_resamples=80,
    )

    defined = np.array(copies)[~np.isnan(copies)]
    assert result.ci == pytest.approx(np.quantile(defined, [0.025, 0.975]), abs=1e-12)
    assert result.se == pytest.approx(defined.std(ddof=1))
    assert result.n_undefined == 80 - defined.size


@pytest.mark.parametrize("level", LEVELS)
def test_what_is_not_resampled_stays(level):
    metric, human = table(4)
    same_systems = np.tile(metric[:1], (6, 1)) + np.arange(6)[:, None]
    people = np.tile(human[:1], (6, 1)) + np.arange(6)[:, None]
    matrix = ScoreMatrix.from_arrays(same_systems, people)

    result = bootstrap_correlation(
        matrix, Question(level, "pearson", "items"), rng=np.random.default_rng(1), n_resamples=50
    )

    # Systems differ by a constant: without resampling them the system correlation is always 1.
    assert result.n_undefined == 0
    if level != "global":
        assert result.ci == pytest.approx((1, 1))


def test_many_metrics_share_their_resamples_and_repeat_with_the_seed():
    metrics = {name: table(seed)[0] for name, seed in (("a", 1), ("b", 2))}
    people = {"fluency": table(5)[1], "coverage": table(6, gaps=True)[1]}
    question = Question("summary", "kendall_tau_b")

    together = bootstrap_correlations(metrics, people, question, rng=np.random.default_rng(9))
    alone = bootstrap_correlation(
        ScoreMatrix.from_arrays(metrics["b"], people["coverage"]),
        question,
        rng=np.random.default_rng(9),
    )

    assert list(together) == [(m, d) for m in metrics for d in people]
    assert together["b", "coverage"] == alone


def test_undefined_resamples_are_counted():
    matrix = ScoreMatrix.from_arrays([[1.0], [2.0]], [[1.0], [2.0]])

    result = bootstrap_correlation(
        matrix, Question("system", "pearson"), rng=np.random.default_rng(0), n_resamples=400
    )

    # Half of all resamples of two systems hold one of them twice.
    assert result.ci == (1, 1)
    assert 150 < result.n_undefined < 250


def test_constant_metric_has_no_interval():
    matrix = ScoreMatrix.from_arrays([[1.0, 1.0], [1.0, 1.0]], [[1.0, 2.0], [3.0, 1.0]])

    result = bootstrap_correlation(
        matrix, Question("system", "pearson"), rng=np.random.default_rng(0), n_resamples=20
    )

    assert (result.undefined, result.ci, result.n_undefined) == ("constant_input", None, 20)


def scores(seed, n_metrics=3, shape=(4, 3)):
    rng = np.random.default_rng(seed)
    human = rng.integers(1, 6, size=shape).astype(float)
    return {f"m{i}": np.round(rng.normal(size=shape), 1) for i in range(n_metrics)}, human


def swapped_by_hand(x, y, human, masks, level, coefficient):
    found = []
    for mask in masks:
        sides = (np.where(mask, y, x), np.where(mask, x, y))
        first, second = (
            correlate(ScoreMatrix.from_arrays(side, human), level=level, coefficient=coefficient)
            for side in sides
        )
        found.append(first.value - second.value)
    return np.array(found)


@pytest.mark.parametrize("coefficient", sorted(COEFFICIENTS))
@pytest.mark.parametrize("level", LEVELS)
def test_swaps_give_what_swapped_tables_give(level, coefficient):
    metrics, human = scores(1)
    x, y = standardize(metrics["m0"]), standardize(metrics["m1"])
    masks = np.random.default_rng(3).integers(2, size=(15, 4, 3)).astype(bool)

    (found,) = swapped_differences((x, y), [human], masks, level, coefficient)

    expected = swapped_by_hand(x, y, human, masks, level, coefficient)
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(["kendall_tau_a", "kendall_tau_b"]))
def test_all_pairs_by_signs_equal_one_by_one(seed, gaps, coefficient):
    rng = np.random.default_rng(seed)
    tables = rng.integers(0, 3, size=(3, 4, 5)).astype(float)
    people = [rng.integers(1, 4, size=(4, 5)).astype(float) for _ in range(2)]
    if gaps:
        for one in [*tables, *people]:
            one[0, 0] = one[2, 3] = np.nan
    masks = rng.integers(2, size=(8, 4, 5)).astype(bool)

    found = swapped_tau_differences(tables, people, masks, coefficient)

    expected = np.stack(
        [
            swapped_differences(pair, people, masks, "summary", coefficient)
            for pair in combinations(tables, 2)
        ],
        axis=1,
    )
    assert found == pytest.approx(expected, abs=1e-6, nan_ok=True)


@pytest.mark.parametrize(
    ("swaps", "n_ways"),
    [
        (Swaps("PERM-SYS"), 2**4),
        (Swaps("PERM-INPUTS"), 2**3),
        (Swaps("PERM-BOTH"), 2**12),
        (Swaps("PERM-BOTH", "rows then columns"), 2**7),
    ],
)
def test_small_tables_are_counted_whole(swaps, n_ways):
    masks = np.concatenate(list(swaps.masks((4, 3), None)))

    assert masks.shape == (n_ways, 4, 3)
    different = {mask.tobytes() for mask in masks}
    # Swapping all rows and all columns is swapping nothing: each mask comes twice.
    assert len(different) == (n_ways // 2 if "rows" in swaps.unit else n_ways)


def test_systems_and_items_are_swapped_whole():
    by_system = np.concatenate(list(Swaps("PERM-SYS").masks((4, 3), None)))
    by_item = np.concatenate(list(Swaps("PERM-INPUTS").masks((4, 3), None)))

    assert (by_system == by_system[:, :, :1]).all()
    assert (by_item == by_item[:, :1, :]).all()


@pytest.mark.parametrize("level", LEVELS)
def test_exact_p_counts_swaps(level):
    metrics, human = scores(2)
    x, y = standardize(metrics["m0"]), standardize(metrics["m1"])
    contest = Contest(level, "pearson", Swaps("PERM-SYS"))
    masks = np.concatenate(list(contest.swaps.masks((4, 3), None)))
    swapped = swapped_by_hand(x, y, human, masks, level, "pearson")
    observed = swapped_by_hand(x, y, human, np.zeros((1, 4, 3), bool), level, "pearson")[0]

    result = permutation_test((metrics["m0"], metrics["m1"]), human, contest)

    assert result.value == pytest.approx(observed)
    assert result.p == np.mean(np.abs(swapped) >= abs(observed) - 1e-12)
    assert result.details["p_greater"] == np.mean(swapped >= observed - 1e-12)


def test_random_swaps_add_one_repeat_with_the_seed_and_come_close():
    metrics, human = scores(3, shape=(5, 6))
    contest = Contest("system", "pearson", Swaps(n_resamples=4_000))
    pair = (metrics["m0"], metrics["m1"])

    first, second = (
        permutation_test(pair, human, contest, rng=np.random.default_rng(1)) for _ in range(2)
    )

    assert first == second
    assert first.p == (1 + round(first.details["p_plain"] * 4_000)) / 4_001
    other = permutation_test(pair, human, contest, rng=np.random.default_rng(2))
    assert other.p == pytest.approx(first.p, abs=0.04)


@pytest.mark.parametrize(
    ("level", "coefficient"), [("system", "pearson"), ("summary", "kendall_tau_b")]
)
def test_all_pairs_are_tested_and_corrected_together(level, coefficient):
    metrics, human = scores(4)
    contest = Contest(level, coefficient, correction="bonferroni")

    found = compare_metrics(metrics, {"fluency": human}, contest)

    assert list(found) == [(a, b, "fluency") for a, b in combinations(metrics, 2)]
    for (a, b, _), result in found.items():
        alone = permutation_test((metrics[a], metrics[b]), human, contest)
        assert result.p == alone.p
        assert result.details["p_adjusted"] == min(1, 3 * result.p)


def test_difference_is_that_of_the_two_correlations_to_the_last_digit():
    metrics, human = scores(8, shape=(6, 9))
    contest = Contest("summary", "kendall_tau_b", Swaps(n_resamples=5))
    pair = (metrics["m0"], metrics["m1"])

    result = permutation_test(pair, human, contest, rng=np.random.default_rng(0))

    values = [
        correlate(ScoreMatrix.from_arrays(one, human), level="summary", coefficient="kendall_tau_b")
        for one in pair
    ]
    assert result.value == pytest.approx(values[0].value - values[1].value, abs=1e-15)


def test_a_metric_does_not_differ_from_itself():
    metrics, human = scores(5)

    for level, coefficient in (("system", "pearson"), ("summary", "kendall_tau_b")):
        result = permutation_test((metrics["m0"],) * 2, human, Contest(level, coefficient))
        assert (result.value, result.p) == (0, 1)


def test_constant_people_leave_nothing_to_compare():
    metrics, human = scores(6)
    flat = np.ones_like(human)

    found = compare_metrics(metrics, {"flat": flat}, Contest("summary", "kendall_tau_b"))

    assert {one.undefined for one in found.values()} == {"no_defined_group"}
    assert {one.as_json()["details"]["p_adjusted"] for one in found.values()} == {None}


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.full((3, 4), np.nan), "all_missing"),
        (np.zeros((0, 0)), "all_missing"),
        (np.zeros((2, 0)), "all_missing"),
        (np.arange(4.0).reshape(1, 4), "too_few_units"),
    ],
    ids=["all missing", "no system", "no item", "one system"],
)
@pytest.mark.filterwarnings("error")
def test_too_little_to_compare_is_undefined_with_its_reason(values, reason):
    contest = Contest("system", "pearson")

    found = compare_metrics({"a": values, "b": values}, {"d": values}, contest)["a", "b", "d"]

    assert (found.undefined, found.groups) == (reason, ("a", "b"))
    assert np.isnan([found.value, found.p, found.details["p_adjusted"]]).all()


@pytest.mark.parametrize("shape", [(0, 0), (2, 0)], ids=["no system", "no item"])
def test_nothing_to_resample_is_undefined(shape):
    matrix = ScoreMatrix.from_arrays(np.zeros(shape), np.zeros(shape))

    found = bootstrap_correlation(
        matrix, Question("system", "pearson"), rng=np.random.default_rng(0)
    )

    assert (found.undefined, found.ci) == ("too_few_units", None)


def test_gaps_are_left_out_of_every_series():
    metrics, human = scores(7)
    metrics["m0"][1, 1] = np.nan
    contest = Contest("summary", "pearson", Swaps("PERM-SYS"))

    result = permutation_test((metrics["m0"], metrics["m1"]), human, contest)
    metrics["m1"][1, 1] = human[1, 1] = 99
    again = permutation_test((metrics["m0"], metrics["m1"]), human, contest)

    assert result.n_missing == 1
    assert (again.value, again.p) == (result.value, result.p)


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Swaps("PERM"), "method must be one of"),
        (lambda: Swaps(unit="rows"), "swap must be one of"),
        (lambda: Swaps(n_resamples=0), "at least one random swap"),
        (lambda: Contest("document", "pearson"), "level must be one of"),
        (lambda: Contest("system", "tau"), "there is no coefficient 'tau'"),
        (lambda: Contest("system", "pearson", correction="none"), "must be holm"),
        (lambda: Question("system", "pearson", "judges"), "resample must be"),
        (lambda: compare_metrics({"a": [[1]]}, {"h": [[1]]}, Contest("system", "pearson")), "two"),
        (
            lambda: permutation_test(([[1]], [[1, 2]]), [[1]], Contest("system", "pearson")),
            "same systems and items",
        ),
        (
            lambda: permutation_test((np.eye(5),) * 2, np.eye(5), Contest("system", "pearson")),
            "give an rng",
        ),
    ],
)
def test_bad_input_is_refused(make, sentence):
    with pytest.raises(ValueError, match=sentence):
        make()
