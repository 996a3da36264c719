import numpy as np
import pytest

from metrics_app.stats.calibration import corrected_mean, corrected_share


def ones(n, share):
    return [1.0] * round(n * share) + [0.0] * (n - round(n * share))


def test_a_share_as_its_authors_compute_it():
    # Shares .6 of 200, specificity .8 of 40, sensitivity .9 of 60; the bounds are those of
    # `confidence_interval` in github.com/UW-Madison-Lee-Lab/LLM-judge-reporting (Lee et al. 2025).
    people = ones(60, 1) + [0.0] * 40
    model = ones(60, 0.9) + ones(40, 0.2)
    found = corrected_share(ones(200, 0.6), model, people)
    assert found.value == pytest.approx((0.6 + 0.8 - 1) / (0.8 + 0.9 - 1))
    assert found.se == pytest.approx(0.07348560691785598)
    assert found.ci == pytest.approx((0.42030941382917364, 0.708367699711304))
    assert found.details["sensitivity"] == pytest.approx(0.9)
    assert found.details["specificity"] == pytest.approx(0.8)
    assert (found.details["n_judged"], found.details["n_calibration"]) == (200, 100)


JUDGED = [4, 3.5, 2, 5, 4.5, 3, 3.5, 4, 2.5, 4, 3, 5, 4.5, 3.5, 4, 2]
MODEL = [3.5, 4, 2.5, 4.5, 4.5, 3, 2, 3.5]
PEOPLE = [3, 4, 2, 5, 4, 3, 1, 4]


def test_a_mean_as_its_authors_compute_it():
    # ppi_py, `ppi_mean_ci` with its own choice of lambda.
    assert corrected_mean(JUDGED, MODEL, PEOPLE).ci == pytest.approx((2.83857187, 3.94752111))


def test_a_model_that_is_always_right_needs_no_correction():
    people = ones(40, 0.5)
    found = corrected_share(ones(100, 0.3), people, people)
    assert found.value == pytest.approx(0.3)
    assert found.ci[0] < 0.3 < found.ci[1]


def test_a_model_that_says_the_same_of_all_counts_for_nothing():
    found = corrected_mean([3.0] * 50, [3.0] * 8, PEOPLE)
    assert found.details["weight"] == 0
    assert found.value == np.mean(PEOPLE)
    # What people said keeps its own standard error.
    assert found.se == pytest.approx(np.std(PEOPLE) / 8**0.5)


def test_more_of_either_part_narrows_the_interval():
    width = [np.diff(corrected_mean(JUDGED * n, MODEL * n, PEOPLE * n).ci)[0] for n in (1, 4)]
    assert width[1] == pytest.approx(width[0] / 2, rel=0.05)
    people, model = ones(50, 0.5), ones(50, 0.4)
    narrow = corrected_share(ones(1000, 0.6), model * 10, people * 10)
    wide = corrected_share(ones(1000, 0.6), model, people)
    assert narrow.ci[1] - narrow.ci[0] < wide.ci[1] - wide.ci[0]


@pytest.mark.parametrize("statistic", [corrected_share, corrected_mean])
def test_the_interval_holds_the_truth_about_as_often_as_it_says(statistic):
    rng = np.random.default_rng(7)
    n_held, n_trials = 0, 400
    for _ in range(n_trials):
        people = (rng.random(500) < 0.6).astype(float)
        wrong = rng.random(500) < np.where(people == 1, 0.1, 0.3)
        model = np.abs(people - wrong)
        low, high = statistic(model[80:], model[:80], people[:80]).ci
        n_held += low <= 0.6 <= high
    assert 0.91 < n_held / n_trials < 0.99


def test_what_cannot_be_corrected_says_why():
    assert corrected_share([1, 0], [1, 1], [1, 1]).undefined == "one_label_in_calibration"
    assert corrected_share([1, 0], [0, 1], [1, 0]).undefined == "model_guesses"
    assert corrected_share([], [0, 1], [0, 1]).undefined == "all_missing"
    found = corrected_mean([3, 4], [3], [3])
    assert (found.undefined, found.details["raw"]) == ("too_few_units", 3.5)
    assert np.isnan(found.value)
