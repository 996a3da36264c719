import math
from functools import partial

import numpy as np
import pytest

from metrics_app.stats.agreement import fleiss_kappa, gwet_ac
from metrics_app.stats.scales import Scale
from metrics_app.stats.scopes import leave_one_rater_out, mean_over, parts
from metrics_app.stats.tables import RatingTable
from tests.metrics_app.stats.test_agreement import noisy

FIVE = Scale.points(range(1, 6))
# Per system: kappa -1/3 (one of two agree, shares 1/4 and 3/4), all equal, nothing paired.
CELLS = [[1, 2], [2, 2], [3, 3], [3, 3], [4, math.nan], [math.nan, 5]]
SYSTEMS = ["a", "a", "b", "b", "c", "c"]


def table():
    return RatingTable.from_array(CELLS, scale=FIVE, system=SYSTEMS)


def test_parts_come_in_the_order_of_their_units():
    found = {key: part.value.tolist() for key, part in parts(table(), ["system"])}

    assert found == {"a": [1, 2, 2, 2], "b": [3, 3, 3, 3], "c": [4, 5]}


@pytest.mark.parametrize(
    ("rule", "value", "n_one", "n_out"), [("one", 1 / 3, 1, 1), ("leave_out", -1 / 3, 0, 2)]
)
def test_the_rule_for_undefined_groups(rule, value, n_one, n_out):
    estimate = mean_over(table(), fleiss_kappa, by=["system"], undefined_rule=rule)

    assert estimate.value == pytest.approx(value, abs=1e-12)
    assert (estimate.n_undefined, estimate.details["n_groups"]) == (2, 3)
    assert (estimate.details["n_counted_as_one"], estimate.details["n_left_out"]) == (n_one, n_out)
    assert estimate.details["groups"]["a"] == pytest.approx(-1 / 3)


def test_the_rule_is_part_of_the_method():
    words = mean_over(table(), fleiss_kappa, by=["system"], undefined_rule="one").method

    assert words == (
        "mean over system of Fleiss's kappa, unweighted; p two-sided; "
        "groups in which all ratings are equal count as 1"
    )


def test_no_group_is_defined():
    lone = table().select_units(np.array([False, False, True, True, True, True]))

    estimate = mean_over(lone, fleiss_kappa, by=["system"])

    assert (estimate.undefined, estimate.n_undefined) == ("no_defined_group", 2)


def test_a_table_without_batches_has_no_batches():
    with pytest.raises(ValueError, match="have no batch"):
        mean_over(table(), fleiss_kappa)


def test_leaving_each_rater_out():
    whole = RatingTable.from_array(noisy(n_raters=3), scale=FIVE, rater_keys=["a", "b", "c"])
    coefficient = partial(gwet_ac, weights="linear")

    found = leave_one_rater_out(whole, coefficient)

    assert list(found) == ["a", "b", "c"]
    pair = RatingTable.from_array(noisy(n_raters=3)[:, 1:], scale=FIVE)
    assert found["a"].value == pytest.approx(coefficient(pair).value, abs=1e-12)
    assert found["a"].n_raters == 2
