"""What holds for the rest of the registry, so that no statistic is without a property.

Most of it is one rule: in which order things come, and what they are called, does not matter.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.registry import STATISTICS, statistic
from metrics_app.stats.lines.answers import answer
from metrics_app.stats.results import as_plain
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable
from tests.metrics_app import test_registry_agreement, test_registry_comparison
from tests.metrics_app.test_registry_random import RANDOM

relaxed = settings(max_examples=8, deadline=None, derandomize=True)
FOUR = Scale.points([1, 2, 3, 4], measurement="interval")
# Rows of labels; columns of scores; what must be asked beside the data.
LABELS = ["majority_vote", "dawid_skene", "glad", "wawa", "zero_based_skill"]
FACTS = ["fact_coverage", "fact_agreement", "fact_comparison"]
DEPENDENT = ["williams_test", "steiger_z", "meng_z"]
CORRECTED = ["corrected_share", "corrected_mean"]
ROWS = ["twoway_anova", "mixed_model", "ordinal_regression"]
FORMULAS = {"mixed_model": "y ~ x + (1|g)", "ordinal_regression": "y ~ x"}


def ask(name, data, **options):
    found = answer({"statistic": name, "options": options, "data": data})
    assert "error" not in found, found
    return {key: part for key, part in found.items() if key != "method"}


def assert_alike(first, second):
    """Compare answers of any depth; numbers up to rounding."""
    assert type(first) is type(second)
    if isinstance(first, dict):
        assert first.keys() == second.keys()
        for key in first:
            assert_alike(first[key], second[key])
    elif isinstance(first, list):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_alike(one, other)
    elif isinstance(first, float):
        assert second == pytest.approx(first, rel=1e-5, abs=1e-6, nan_ok=True)
    else:
        assert first == second


def shuffled(rows, rng):
    return [rows[i] for i in rng.permutation(len(rows))]


def labels(rng):
    truth = rng.integers(2, size=9)
    return [
        [f"j{judge}", f"u{unit}", "ab"[right if rng.random() < 0.8 else 1 - right]]
        for unit, right in enumerate(truth.tolist())
        for judge in range(4)
    ]


def facts(rng):
    return [
        {
            "judge": f"j{judge}",
            "item": f"i{item}",
            "system": "s",
            "fact": fact,
            "label": ["Present", "Absent"][rng.integers(2)],
            "group": ["expert", "crowd"][judge % 2],
        }
        for judge in range(4)
        for item in range(5)
        for fact in ("f1", "f2", "f3")
    ]


def model_rows(rng):
    groups = [f"g{n % 3}" for n in range(30)]
    return [[float(rng.integers(1, 5)), float(rng.integers(9)), group] for group in groups]


def factor_rows(rng):
    return [[f"a{n % 2}", f"b{n % 3}", float(rng.integers(1, 6))] for n in range(24)]


@pytest.mark.parametrize("name", LABELS)
@relaxed
@given(st.integers(0, 10**6))
def test_order_of_labels_does_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    rows = labels(rng)
    first, second = ask(name, {"labels": rows}), ask(name, {"labels": shuffled(rows, rng)})
    assert sorted(first.pop("ties", [])) == sorted(second.pop("ties", []))
    if "undefined" in first:
        assert first["undefined"] == second["undefined"]
    else:
        assert first["value"]["labels"] == second["value"]["labels"]


@pytest.mark.parametrize("name", FACTS)
@relaxed
@given(st.integers(0, 10**6))
def test_order_of_facts_does_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    rows = facts(rng)
    options = {"groups": ["expert", "crowd"]} if name == "fact_comparison" else {}
    again = ask(name, {"labels": shuffled(rows, rng)}, **options)
    assert_alike(ask(name, {"labels": rows}, **options), again)


@pytest.mark.parametrize("name", ROWS)
@relaxed
@given(st.integers(0, 10**6))
def test_order_of_rows_does_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    rows = factor_rows(rng) if name == "twoway_anova" else model_rows(rng)
    extra = {} if name == "twoway_anova" else {"columns": ["y", "x", "g"]}
    options = {"formula": FORMULAS[name]} if name in FORMULAS else {}
    first, second = (
        ask(name, {"rows": given} | extra, **options) for given in (rows, shuffled(rows, rng))
    )
    assert_alike(first.get("value"), second.get("value"))


@pytest.mark.parametrize("name", DEPENDENT)
@relaxed
@given(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.floats(0, 0.5), st.integers(4, 99))
def test_exchanged_metrics_change_the_sign_only(name, r12, r13, r23, n):
    first = ask(name, {"r12": r12, "r13": r13, "r23": r23, "n": n})
    second = ask(name, {"r12": r13, "r13": r12, "r23": r23, "n": n})
    values = [
        one["value"]["t"] if name == "williams_test" else one["value"] for one in (first, second)
    ]
    assert values[0] == pytest.approx(-values[1])
    assert first["p"] == pytest.approx(second["p"])


@pytest.mark.parametrize("name", ["acc_eq", "acc_eq_calibrated"])
@relaxed
@given(st.integers(0, 10**6))
def test_order_of_groups_and_of_their_members_does_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    human, metric = rng.integers(1, 4, size=(4, 5)), rng.integers(1, 9, size=(4, 5))
    rows, columns = rng.permutation(4), rng.permutation(5)
    turned = [part[rows][:, columns].tolist() for part in (human, metric)]
    plain = ask(name, {"human": human.tolist(), "metric": metric.tolist()})
    assert_alike(plain, ask(name, {"human": turned[0], "metric": turned[1]}))


@pytest.mark.parametrize("name", ["ols", "robust_regression"])
@relaxed
@given(st.integers(0, 10**6))
def test_order_of_observations_does_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    x, y, order = rng.normal(size=(12, 2)), rng.normal(size=12), rng.permutation(12)
    plain = ask(name, {"X": x.tolist(), "y": y.tolist()})
    assert_alike(plain, ask(name, {"X": x[order].tolist(), "y": y[order].tolist()}))


@pytest.mark.parametrize("name", ["bradley_terry", "best_worst"])
@relaxed
@given(st.integers(0, 10**6))
def test_order_of_choices_does_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    picks = [rng.permutation(["a", "b", "c"]).tolist() for _ in range(25)]
    key = "comparisons" if name == "bradley_terry" else "choices"
    rows = [
        pick[:2] if key == "comparisons" else {"options": pick, "best": pick[0], "worst": pick[2]}
        for pick in picks
    ]
    first, second = (ask(name, {key: given}) for given in (rows, shuffled(rows, rng)))
    assert_alike(first.get("value"), second.get("value"))


@relaxed
@given(st.integers(0, 10**6), st.integers(-9, 9))
def test_bland_altman_ignores_order_and_a_common_shift(seed, shift):
    x, y = np.random.default_rng(seed).integers(1, 6, size=(2, 9)).astype(float)
    plain = ask("bland_altman", {"x": x.tolist(), "y": y.tolist()})
    moved = {"x": (x[::-1] + shift).tolist(), "y": (y[::-1] + shift).tolist()}
    assert_alike(plain.get("value"), ask("bland_altman", moved).get("value"))


@relaxed
@given(st.integers(0, 10**6))
def test_mean_agreement_ignores_the_order_of_systems(seed):
    rng = np.random.default_rng(seed)
    first, second = (dict(zip("abcde", rng.normal(size=5).tolist(), strict=True)) for _ in "xy")
    turned = dict(sorted(first.items(), key=lambda pair: pair[1]))
    assert_alike(*(as_plain(statistic("mean_agreement")(one, second)) for one in (first, turned)))


def test_nouveau_rouge_predicts_each_system_by_itself():
    data = {"r_ab": [0.1, 0.2, 0.3], "r_bb": [0.2, 0.1, 0.4]}
    turned = {key: values[::-1] for key, values in data.items()}
    options = {"variant": "2", "target": "responsiveness"}
    assert (
        ask("nouveau_rouge", data, **options)["value"]
        == (ask("nouveau_rouge", turned, **options)["value"][::-1])
    )


@relaxed
@given(st.integers(0, 10**6))
def test_reference_jackknife_ignores_the_order_of_references(seed):
    scores = np.random.default_rng(seed).random((4, 3))
    plain = ask("reference_jackknife", {"scores": scores.tolist()})
    assert_alike(plain, ask("reference_jackknife", {"scores": scores[:, ::-1].tolist()}))


@relaxed
@given(st.integers(0, 10**6))
def test_metric_gap_ignores_the_order_of_systems(seed):
    rng = np.random.default_rng(seed)
    scores, human, order = rng.random((12, 2)), rng.random(12), rng.permutation(12)
    is_machine = np.arange(12) < 8
    plain, turned = (
        ask(
            "metric_gap",
            {
                "scores": scores[i].tolist(),
                "human": human[i].tolist(),
                "is_machine": is_machine[i].tolist(),
            },
        )
        for i in (np.arange(12), order)
    )
    assert_alike(plain.get("value"), turned.get("value"))


def test_more_power_needs_more_items():
    model = {"sd_item": 0.3, "sd_system_item": 0.3, "sd_judge": 0.3, "sd_residual": 0.6}
    options = {"n_judges": 2, "difference": 0.5, "n_runs": 200}
    low, high, again = (
        ask("required_items", model, power=power, **options)["value"] for power in (0.5, 0.9, 0.5)
    )
    assert low == again < high


def rated(rng):
    keys = [(item, system) for item in range(8) for system in "ab"]
    values = rng.integers(1, 5, size=(16, 3)).astype(float)
    return values, keys


@relaxed
@given(st.integers(0, 10**6))
def test_a_pilot_ignores_the_order_of_units(seed):
    rng = np.random.default_rng(seed)
    values, keys = rated(rng)
    fits = []
    for order in (np.arange(16), rng.permutation(16)):
        item, system = ([keys[i][part] for i in order] for part in (0, 1))
        table = RatingTable.from_array(values[order], scale=FOUR, item=item, system=system)
        fits.append(as_plain(statistic("pilot")(table)))
    assert_alike(*fits)


@relaxed
@given(st.integers(0, 10**6))
def test_judges_are_the_same_in_any_order_of_units(seed):
    rng = np.random.default_rng(seed)
    values, _ = rated(rng)
    plain = ask("judge_profiles", {"ratings": values.tolist()})
    assert_alike(plain, ask("judge_profiles", {"ratings": values[::-1].tolist()}))


@relaxed
@given(st.integers(0, 10**6))
def test_copies_and_repeats_are_the_same_in_any_order(seed):
    rng = np.random.default_rng(seed)
    values = np.repeat(rng.integers(1, 5, size=(24, 1)), 2, axis=1).astype(float)
    values = np.column_stack([values, rng.integers(1, 5, size=24)])
    for found in (values, values[::-1]):
        (pair,) = statistic("identical_pairs")(RatingTable.from_array(found, scale=FOUR))
        assert (pair.raters, pair.n_units) == ((0, 1), 24)
    rows = [(f"r{n % 2}", n, *rng.integers(1, 5, size=2).tolist()) for n in range(24)]
    assert_alike(
        *(
            statistic("intra_rater_agreement")(given, scale=FOUR)[0].value
            for given in (rows, rows[::-1])
        )
    )


def test_conduct_does_not_hang_on_names_or_units():
    answers = {"j1": [1, 1, 2, 2, 2], "j2": [3, None, 3, 1, 1]}
    renamed = {"j1": ["a", "a", "b", "b", "b"], "j2": ["c", None, "c", "a", "a"]}
    plain, other = (statistic("straight_lining")(given) for given in (answers, renamed))
    assert [one.longest_run for one in plain.values()] == [
        one.longest_run for one in other.values()
    ]
    rows = [("j", unit, dimension, unit % 3) for unit in range(4) for dimension in "xy"]
    assert statistic("flat_shares")(rows) == statistic("flat_shares")(rows[::-1]) == {"j": 1.0}
    seconds = {"j1": [3.0, 4.0], "j2": [5.0, 6.0], "j3": [9.0, 8.0], "j4": [7.0, 2.0]}
    minutes = {judge: [one / 60 for one in given] for judge, given in seconds.items()}
    z = [[one.z for one in statistic("paces")(given).values()] for given in (seconds, minutes)]
    assert z[0] == pytest.approx(z[1])


@pytest.mark.parametrize("name", CORRECTED)
@relaxed
@given(st.integers(0, 10**6))
def test_a_model_is_corrected_alike_in_any_order(name, seed):
    rng = np.random.default_rng(seed)
    judged, model, people = (rng.integers(2, size=n) for n in (20, 12, 12))
    order = rng.permutation(12)
    assert_alike(
        as_plain(statistic(name)(judged, model, people)),
        as_plain(statistic(name)(judged[::-1], model[order], people[order])),
    )


@relaxed
@given(st.integers(0, 10**6))
def test_a_pyramid_ignores_the_order_of_facts(seed):
    rng = np.random.default_rng(seed)
    weights, told = rng.integers(1, 5, size=6).tolist(), (rng.random(6) < 0.5).tolist()
    plain = ask("pyramid", {"weights": weights, "is_expressed": told})
    assert plain == ask("pyramid", {"weights": weights[::-1], "is_expressed": told[::-1]})


HERE = {
    *(*LABELS, *FACTS, *DEPENDENT, *ROWS, *CORRECTED),
    *("acc_eq", "acc_eq_calibrated", "ols", "robust_regression", "bradley_terry", "best_worst"),
    *("bland_altman", "mean_agreement", "nouveau_rouge", "reference_jackknife", "metric_gap"),
    *("required_items", "pilot", "judge_profiles", "identical_pairs", "intra_rater_agreement"),
    *("straight_lining", "flat_shares", "paces", "pyramid"),
}


def test_every_statistic_has_a_property():
    elsewhere = {
        *(entry.name for entry in test_registry_agreement.COEFFICIENTS),
        *test_registry_comparison.COVERED,
        *(entry.name for entry in RANDOM),
    }
    assert set(STATISTICS) - elsewhere == HERE
