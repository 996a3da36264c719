import numpy as np
import pytest

from metrics_app.stats.agreement_difference import agreement_difference
from metrics_app.stats.coefficients import find_coefficient
from metrics_app.stats.tables import RatingTable
from tests.metrics_app.stats.test_agreement import FIVE, noisy


def _side(cells, statistic="fleiss_kappa", options=None, **groups):
    table = RatingTable.from_array(cells, scale=FIVE, **groups)
    return table, find_coefficient(table, statistic, **(options or {"weights": "unweighted"}))


def _difference(first, second, seed=0):
    return agreement_difference(first, second, rng=np.random.default_rng(seed))


def test_a_group_does_not_differ_from_itself():
    estimate = _difference(_side(noisy()), _side(noisy()))

    assert (estimate.value, estimate.se, estimate.ci, estimate.p) == (0.0, 0.0, (0.0, 0.0), 1.0)


def test_two_groups_on_the_same_units():
    good, poor = noisy(n_units=200, seed=1), noisy(n_units=200, seed=1)
    poor[:, 0] = np.random.default_rng(2).integers(1, 6, size=200)

    estimate = _difference(_side(good), _side(poor))

    assert estimate.value == pytest.approx(estimate.details["first"] - estimate.details["second"])
    assert estimate.value > 0
    assert 0 < estimate.ci[0] < estimate.value < estimate.ci[1]
    assert estimate.p == pytest.approx(2 / 1001)
    assert estimate.ci_method == "percentile bootstrap, 1000 resamples of units, paired"


def test_pairing_narrows_the_interval():
    cells = noisy(n_units=200)
    near = cells.copy()
    near[:20, 0] = 1

    paired = _difference(_side(cells), _side(near))
    apart = _difference(_side(cells), _side(near[np.random.default_rng(4).permutation(200)]))

    assert paired.se < apart.se / 2


def test_two_coefficients_of_one_table():
    table = RatingTable.from_array(noisy(), scale=FIVE)
    kappa = find_coefficient(table, "fleiss_kappa", weights="unweighted")
    ac = find_coefficient(table, "gwet_ac", weights="unweighted")

    estimate = _difference((table, ac), (table, kappa))

    assert estimate.value == ac.estimate(table).value - kappa.estimate(table).value


def test_items_that_only_one_group_rated_are_drawn_too():
    cells, keys = noisy(n_units=50), [f"i{number}" for number in range(50)]
    first = _side(cells, item=keys, unit_keys=keys)
    second = _side(cells[:40], item=keys[:40], unit_keys=keys[:40])

    assert _difference(first, second).n_units == 50


def test_clustered_and_unclustered_agree_where_items_have_one_unit():
    cells, poor = noisy(n_units=60), noisy(n_units=60, seed=9)
    items = list(range(60))

    clustered = _difference(_side(cells, item=[*items[:-1], 0]), _side(poor, item=[*items[:-1], 0]))
    plain = _difference(_side(cells), _side(poor))

    assert clustered.ci_method.endswith("items with all their units, paired")
    assert clustered.se == pytest.approx(plain.se, rel=0.15)


def test_one_undefined_side_makes_the_difference_undefined():
    estimate = _difference(_side(noisy()), _side(np.full((60, 2), 3.0)))

    assert estimate.undefined == "one_category"


def test_items_on_one_side_only_are_refused():
    with pytest.raises(ValueError, match="one table has items"):
        _difference(_side(noisy(), item=[0] * 60), _side(noisy()))
