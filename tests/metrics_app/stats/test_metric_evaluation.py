"""The evaluation of fitted metrics, on systems whose truth is planted."""

import numpy as np
import pytest
from scipy import stats

from metrics_app.stats.lines.nouveau import HANDLERS
from metrics_app.stats.metric_evaluation import (
    SystemScores,
    bootstrap_evaluation,
    fit_metrics,
    half_split,
    metric_gap,
)
from metrics_app.stats.regression import robust_regression


def planted(noise=0.0, n_machines=24, n_people=8):
    """Return systems scored 1 - 5 AB + 20 BB, the last of them people's; seed fixed."""
    rng = np.random.default_rng(11)
    scores = rng.uniform(0.05, 0.15, size=(n_machines + n_people, 2))
    human = 1 - 5 * scores[:, 0] + 20 * scores[:, 1] + rng.normal(0, 1, len(scores)) * noise
    is_machine = np.arange(len(scores)) < n_machines
    return SystemScores.from_arrays(scores, human, metrics=["AB", "BB"], is_machine=is_machine)


def rng():
    return np.random.default_rng(4)


def test_the_fit_uses_machine_systems_only():
    data = planted()
    data.human[~data.is_machine] = 99
    assert fit_metrics(data).coefficients == pytest.approx([1, -5, 20])


def test_half_split_finds_the_planted_plane():
    found = half_split(planted(), rng=rng())
    assert found.value == pytest.approx(1)
    assert found.n_units == 12
    assert found.details["single"]["BB"] < 1


def test_half_split_is_the_correlation_of_the_half_that_was_held_back():
    data = planted(noise=0.3)
    order = rng().permutation(24)
    fitted, held = order[:12], order[12:]
    fit = robust_regression(data.scores[fitted], data.human[fitted])
    expected = stats.pearsonr(fit.predict(data.scores[held]), data.human[held])

    found = half_split(data, rng=rng())

    assert found.value == pytest.approx(expected.statistic)
    assert found.p == pytest.approx(expected.pvalue)


def test_bootstrap_prefers_the_fitted_metric_where_both_scores_count():
    found = bootstrap_evaluation(planted(noise=0.05), baseline="BB", rng=rng(), n_resamples=100)

    assert found.n_undefined == 0
    assert found.medians["fitted"] > found.medians["BB"] > 0.8 > found.medians["AB"]
    assert found.p < 1e-6
    test = stats.mannwhitneyu(found.correlations["fitted"], found.correlations["BB"])
    assert (found.u, found.p) == pytest.approx((test.statistic, test.pvalue))
    assert found.medians["BB"] == np.median(found.correlations["BB"])


def test_bootstrap_repeats_with_the_same_seed():
    first, second = (
        bootstrap_evaluation(planted(noise=0.1), baseline="BB", rng=rng(), n_resamples=20)
        for _ in range(2)
    )
    assert first.medians == second.medians


def test_bootstrap_counts_draws_that_cannot_be_fitted():
    data = SystemScores.from_arrays([[1, 2], [2, 1], [3, 3], [4, 9]], [1, 2, 3, 4])
    found = bootstrap_evaluation(data, baseline="metric 1", rng=rng(), n_resamples=10)
    assert (found.n_undefined, found.undefined) == (10, "not_identified")
    assert np.isnan(found.p)


def test_gap_on_people_is_zero_for_a_plane_and_the_sign_test_is_that_of_eight_of_eight():
    found = metric_gap(planted(), baseline="BB")

    assert found.fitted == pytest.approx(0, abs=1e-9)
    assert found.baseline > 0.01
    assert (found.n_smaller, found.n_compared) == (8, 8)
    assert found.p == found.p_signed_rank == 0.0078125


def test_the_baseline_gap_comes_from_a_robust_fit_of_its_own():
    data = planted(noise=0.2)
    machine = data.is_machine
    alone = robust_regression(data.scores[machine, 1], data.human[machine])
    gaps = np.abs(alone.predict(data.scores[~machine, 1]) - data.human[~machine])

    assert metric_gap(data, baseline="BB").baseline == pytest.approx(np.median(gaps))


def test_gap_without_human_systems_is_undefined():
    assert metric_gap(planted(n_people=0), baseline="BB").undefined == "too_few_units"


def test_the_line_interface_names_the_metrics():
    data = planted()
    line = {
        "scores": data.scores.tolist(),
        "human": data.human.tolist(),
        "is_machine": data.is_machine.tolist(),
    }
    options = {"metrics": ["AB", "BB"], "baseline": "BB", "n_resamples": 20}

    assert HANDLERS["metric_gap"](options, line)["p"] == 0.0078125
    assert HANDLERS["metric_half_split"](options, line)["value"] == pytest.approx(1)
    assert HANDLERS["metric_bootstrap"](options, line)["value"]["fitted"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("scores", "human", "options", "message"),
    [
        ([[1, 2]], [1, 2], {}, "lengths differ"),
        ([[1, np.nan]], [1], {}, "missing or infinite"),
        ([[1, 2]], [1], {"metrics": ["a"]}, "1 names for 2 metrics"),
    ],
)
def test_senseless_tables_are_refused(scores, human, options, message):
    with pytest.raises(ValueError, match=message):
        SystemScores.from_arrays(scores, human, **options)


def test_an_unknown_baseline_is_refused():
    with pytest.raises(ValueError, match="no metric 'CC', only AB, BB"):
        metric_gap(planted(), baseline="CC")
