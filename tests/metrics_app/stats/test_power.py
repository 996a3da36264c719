"""The power planner against an independent simulation and against a closed form."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from metrics_app.stats.lines.power import HANDLERS
from metrics_app.stats.power import Plan, power_table, required_items, simulate_power
from metrics_app.stats.power_model import NOISY, TRAINED, RatingModel


def rng():
    return np.random.default_rng(1)


def independent_power(model, plan, n_runs, seed):
    """Draw whole studies judge by judge as the model is stated, and test with scipy."""
    generator = np.random.default_rng(seed)
    d = model.distance_for(plan.difference)
    differences = []
    for _ in range(n_runs):
        severity = generator.normal(0, model.sd_judge, model.n_pool)
        item = generator.normal(0, model.sd_item, plan.n_items)
        means = []
        for shift in (d / 2, -d / 2):
            output = shift + item + generator.normal(0, model.sd_system_item, plan.n_items)
            judges = generator.permuted(
                np.tile(np.arange(model.n_pool), (plan.n_items, 1)), axis=1
            )[:, : plan.n_judges]
            noise = generator.normal(0, model.sd_residual, judges.shape)
            latent = output[:, None] + severity[judges] + noise
            means.append(np.digitize(latent, model.cut_points).mean(axis=1))
        differences.append(means[0] - means[1])
    if plan.test == "t":
        p = stats.ttest_1samp(differences, 0, axis=1).pvalue
    else:
        p = stats.wilcoxon(np.round(differences, 9), method="asymptotic", axis=1).pvalue
    return np.mean(p < plan.alpha)


@pytest.mark.parametrize(
    ("model", "plan"),
    [
        (NOISY, Plan(50, 3, 0.30)),
        (dataclasses.replace(TRAINED, n_pool=5), Plan(40, 2, 0.25, test="t")),
    ],
)
def test_power_is_that_of_an_independent_simulation_of_ten_thousand_runs(model, plan):
    expected = independent_power(model, plan, 10_000, seed=99)
    found = simulate_power(model, plan, rng=rng(), n_runs=10_000)
    assert found.value == pytest.approx(expected, abs=0.03)


def test_a_fine_scale_has_the_power_of_the_noncentral_t():
    cuts = tuple(np.linspace(-6, 6, 241))
    model = RatingModel(1, 0.5, 0, 0.8, cut_points=cuts, points=tuple(np.arange(242) * 0.05))
    plan = Plan(30, 2, 0.4, test="t")
    sd = np.sqrt(2 * (0.5**2 + 0.8**2 / 2))
    critical = stats.t.ppf(0.975, 29)
    centre = 0.4 / sd * np.sqrt(30)
    expected = stats.nct.sf(critical, 29, centre) + stats.nct.cdf(-critical, 29, centre)

    found = simulate_power(model, plan, rng=rng(), n_runs=8000)

    assert found.value == pytest.approx(expected, abs=0.02)
    assert found.ci[0] < found.value < found.ci[1]


def test_without_a_difference_the_power_is_alpha():
    found = simulate_power(NOISY, Plan(60, 2, 0.0, alpha=0.1), rng=rng(), n_runs=4000)
    assert found.value == pytest.approx(0.1, abs=0.02)


def test_the_distance_gives_the_difference_on_the_scale():
    d = NOISY.distance_for(0.3)
    assert NOISY.expected_rating(d / 2) - NOISY.expected_rating(-d / 2) == pytest.approx(0.3)
    assert NOISY.expected_rating(0) == pytest.approx(2.5)
    drawn = NOISY.rate(rng().normal(d / 2, NOISY.sd_total, 200_000)).mean()
    assert drawn == pytest.approx(NOISY.expected_rating(d / 2), abs=0.01)


def test_judges_of_an_output_differ_and_may_be_shared():
    # All noise is the judges': two of a pool of two, so that sharing removes every difference.
    model = RatingModel(0, 0, 1, 0, n_pool=2)
    apart = simulate_power(model, Plan(10, 1, 0), rng=rng(), n_runs=50)
    together = simulate_power(
        model.with_pool(2, shares_judges=True), Plan(10, 1, 0), rng=rng(), n_runs=50
    )
    both = simulate_power(model, Plan(10, 2, 0), rng=rng(), n_runs=50)

    assert apart.n_undefined < 50
    assert together.n_undefined == both.n_undefined == 50
    assert together.value == 0


def test_more_items_more_power_and_the_answer_is_the_smallest():
    plan = Plan(2, 3, 0.4)
    needed = required_items(TRAINED, plan, seed=3, power=0.8, n_runs=400)
    at = [
        simulate_power(
            TRAINED, dataclasses.replace(plan, n_items=n), rng=np.random.default_rng(3), n_runs=400
        ).value
        for n in (needed - 1, needed)
    ]
    assert at[0] < 0.8 <= at[1]


def test_a_size_out_of_reach_is_none():
    assert required_items(NOISY, Plan(2, 1, 0.01), seed=1, n_runs=100, n_most=16) is None


def test_the_table_has_a_row_for_each_plan_and_repeats():
    plans = [Plan(n, k, 0.3) for n in (20, 40) for k in (1, 3)]
    first, second = (power_table(NOISY, plans, rng=rng(), n_runs=200) for _ in range(2))
    assert [plan for plan, _ in first] == plans
    assert first == second


def test_the_model_is_stated_in_words():
    method = simulate_power(NOISY, Plan(20, 3, 0.3), rng=rng(), n_runs=10).method
    assert "item 0.5, system x item 0.6, judge 0.5, residual 1" in method
    assert "cut at -1, 0, 1 into 4 points" in method
    assert "Wilcoxon signed-rank test (normal) on 20 item means, 3 judges an output" in method


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: RatingModel(-1, 0, 0, 1), "must be 0 or more"),
        (lambda: RatingModel(0, 0, 0, 0), "not all 0"),
        (lambda: RatingModel(1, 1, 1, 1, cut_points=(1, 0, 2)), "must ascend"),
        (lambda: RatingModel(1, 1, 1, 1, points=(1, 2, 3)), "3 cut points make 4"),
        (lambda: RatingModel(1, 1, 1, 1, n_pool=0), "pool needs a judge"),
        (lambda: NOISY.distance_for(3), "below 3 scale points"),
        (lambda: Plan(1, 1, 0.1), "two items and a judge"),
        (lambda: Plan(5, 1, 0.1, test="z"), "wilcoxon or t"),
        (lambda: Plan(5, 1, 0.1, alpha=0), "alpha must lie"),
        (
            lambda: simulate_power(NOISY, Plan(5, 31, 0.1), rng=rng()),
            "31 judges an output need a pool of more than 30",
        ),
    ],
)
def test_senseless_plans_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_lines():
    data = {"sd_item": 0.5, "sd_system_item": 0.6, "sd_judge": 0.5, "sd_residual": 1.0}
    options = {"n_items": 30, "n_judges": 3, "difference": 0.3, "n_runs": 200, "seed": 1}
    answer = HANDLERS["power"](options, data)
    expected = simulate_power(NOISY, Plan(30, 3, 0.3), rng=rng(), n_runs=200)
    assert answer["value"] == expected.value
    needed = HANDLERS["required_items"](options | {"difference": 1}, data)["value"]
    assert 5 <= needed <= 30
