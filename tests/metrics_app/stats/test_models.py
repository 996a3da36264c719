"""Mixed and ordinal models against statsmodels and plain definitions."""

import math
import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.miscmodels.ordinal_model import OrderedModel

from metrics_app.stats.mixed_models import indicators, mixed_model
from metrics_app.stats.ordinal import ordinal_regression


def crossed(seed=3, n_judges=6, n_items=15):
    rng = np.random.default_rng(seed)
    judge, item = (grid.ravel() for grid in np.meshgrid(range(n_judges), range(n_items)))
    expert = (judge < n_judges // 2).astype(float)
    y = 3 + 0.5 * expert + rng.normal(0, 0.6, n_judges)[judge] + rng.normal(0, 0.4, n_items)[item]
    return y + rng.normal(0, 0.5, y.size), expert, judge.astype(str), item.astype(str)


def test_one_random_factor_equals_statsmodels():
    y, expert, judge, _ = crossed()
    frame = pd.DataFrame({"y": y, "expert": expert, "judge": judge})
    reference = smf.mixedlm("y ~ expert", frame, groups="judge").fit(reml=True)

    found = mixed_model(y, {"expert": expert}, {"judge": judge})

    assert found.coefficients["expert"].value == pytest.approx(reference.fe_params["expert"])
    assert found.coefficients["expert"].se == pytest.approx(reference.bse_fe["expert"], rel=1e-4)
    assert found.variances["judge"] == pytest.approx(reference.cov_re.iloc[0, 0], rel=1e-4)
    assert found.variances["residual"] == pytest.approx(reference.scale, rel=1e-4)
    assert found.reml_criterion == pytest.approx(-2 * reference.llf, abs=1e-6)


def test_crossed_factors_are_estimated_as_by_the_mean_squares():
    # In a balanced crossed design REML is the analysis of variance's answer.
    y, _, judge, item = crossed()
    table = y.reshape(15, 6)
    centred = table - table.mean()
    rows, columns = centred.mean(axis=1), centred.mean(axis=0)
    ms_error = ((centred - rows[:, None] - columns) ** 2).sum() / (14 * 5)
    ms_judge, ms_item = 15 * (columns**2).sum() / 5, 6 * (rows**2).sum() / 14

    found = mixed_model(y, {}, {"judge": judge, "item": item})

    assert found.variances["residual"] == pytest.approx(ms_error, rel=1e-6)
    assert found.variances["judge"] == pytest.approx((ms_judge - ms_error) / 15, rel=1e-5)
    assert found.variances["item"] == pytest.approx((ms_item - ms_error) / 6, rel=1e-5)
    assert found.coefficients["intercept"].value == pytest.approx(y.mean())


def test_fit_at_the_boundary_has_no_spread():
    y = [1.0, 2.0, 3.0, 3.0, 2.0, 1.0]

    found = mixed_model(y, {}, {"judge": list("aaabbb")})

    assert found.undefined is None
    assert found.variances["judge"] == pytest.approx(0, abs=1e-8)
    assert found.variances["residual"] == pytest.approx(np.var(y, ddof=1))


def test_missing_rows_are_left_out_and_the_offset_does_not_matter():
    y, expert, judge, _ = crossed()
    first = mixed_model(y, {"expert": expert}, {"judge": judge})
    second = mixed_model([*y + 1000, None], {"expert": [*expert, 1]}, {"judge": [*judge, "9"]})

    assert second.n_missing == 1
    assert second.variances["judge"] == pytest.approx(first.variances["judge"], rel=1e-5)


@pytest.mark.parametrize(
    ("y", "x", "judge", "reason"),
    [
        ([1, 2], [0, 1], "ab", "too_few_units"),
        ([1, 2, 3, 4], [1, 1, 1, 1], "aabb", "not_identified"),
        ([1, 2, 3, 4], [0, 1, 0, 1], "aaaa", "not_identified"),
        ([1, 2, 3, 4], [0, 1, 0, 1], "abcd", "not_identified"),
        ([2, 2, 2, 2], [0, 1, 0, 1], "aabb", "no_variance"),
        ([1, 2, 1, 2], [0, 1, 0, 1], "aabb", "no_variance"),
    ],
)
def test_undefined_mixed_model(y, x, judge, reason):
    found = mixed_model(y, {"x": x}, {"judge": list(judge)})

    assert found.undefined == reason
    assert found.coefficients["x"].undefined == reason


def test_judges_and_items_that_explain_everything_leave_no_variance():
    # Each judge has a point of their own: the likelihood grows for ever as the residual falls.
    judges, items, systems = np.indices((3, 4, 2)).reshape(3, -1)

    found = mixed_model(
        [2.0, 3.0, 4.0] * 8,
        {"system": systems.reshape(3, 8).T.ravel()},
        {"item": items.reshape(3, 8).T.ravel().astype(str), "judge": list("abc") * 8},
    )
    both = mixed_model(judges + 0.5 * items, {}, {"item": items.astype(str), "judge": judges})

    assert (found.undefined, both.undefined) == ("no_variance", "no_variance")


@pytest.mark.parametrize("spread", [1e-3, 1e-6, 1e-9, 1e-12])
def test_next_to_no_residual_is_no_crash(spread):
    judges, items = np.indices((4, 6)).reshape(2, -1)
    noise = np.random.default_rng(3).normal(scale=spread, size=judges.size)

    found = mixed_model(judges + noise, {}, {"item": items.astype(str), "judge": judges})

    if found.undefined is None:
        assert found.variances["residual"] == pytest.approx(spread**2, rel=0.9)
        assert found.variances["judge"] == pytest.approx(5 / 3, rel=0.05)
    assert (found.undefined == "no_variance") is (spread < 1e-7)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="x has 1 rows and the values have 2"):
        mixed_model([1, 2], {"x": [1]}, {"judge": "ab"})
    with pytest.raises(ValueError, match="needs a random factor"):
        mixed_model([1, 2], {}, {})


def test_indicators_leave_the_first_level_out():
    assert indicators(["a", "b", "c", "b"], name="g") == {
        "g[b]": [0.0, 1.0, 0.0, 1.0],
        "g[c]": [0.0, 0.0, 1.0, 0.0],
    }


def test_indicators_leave_out_the_first_level_of_a_given_order():
    found = indicators(["a", "b"], name="g", order=["b", "a"])

    assert found == {"g[a]": [1, 0]}


def test_ordinal_regression_on_two_groups_has_the_likelihood_of_its_cells():
    # Two points of the scale: the model is the logit of the 2 x 2 table, 8 of 10 against 3 of 10.
    y = [1] * 2 + [2] * 8 + [1] * 7 + [2] * 3
    x = [1] * 10 + [0] * 10

    found = ordinal_regression(y, {"x": x})

    odds = math.log(8 / 2) - math.log(3 / 7)
    cells = 8 * math.log(0.8) + 2 * math.log(0.2) + 3 * math.log(0.3) + 7 * math.log(0.7)
    assert found.coefficients["x"].value == pytest.approx(odds, abs=1e-9)
    assert found.coefficients["x"].se == pytest.approx(
        math.sqrt(1 / 8 + 1 / 2 + 1 / 3 + 1 / 7), rel=1e-9
    )
    assert found.thresholds == pytest.approx([math.log(7 / 3)], abs=1e-9)
    assert found.log_likelihood == pytest.approx(cells)


def test_ordinal_regression_is_that_of_statsmodels():
    rng = np.random.default_rng(4)
    x, z = rng.normal(size=200), rng.integers(0, 2, 200).astype(float)
    y = np.clip(np.round(3 + 0.8 * x - 0.5 * z + rng.logistic(size=200)), 1, 5)
    peer = OrderedModel(y.astype(int) - 1, np.column_stack([x, z]), distr="logit")
    theirs = peer.fit(method="bfgs", disp=False, gtol=1e-8)

    ours = ordinal_regression(y, {"x": x, "z": z})

    found = [ours.coefficients[name] for name in ("x", "z")]
    assert [one.value for one in found] == pytest.approx(theirs.params[:2], abs=1e-5)
    assert [one.se for one in found] == pytest.approx(theirs.bse[:2], rel=1e-3)
    cuts = peer.transform_threshold_params(theirs.params)[1:-1]
    assert ours.thresholds == pytest.approx(cuts, abs=1e-5)
    assert ours.log_likelihood >= theirs.llf - 1e-9


@pytest.mark.parametrize(
    ("y", "x", "reason"),
    [
        ([], [], "too_few_units"),
        ([3, 3, 3], [1, 0, 1], "no_variance"),
        ([1, 2], [0, 1], "too_few_units"),
        ([1, 2, 3, 1, 2, 3], [1, 1, 1, 1, 1, 1], "not_identified"),
        ([1, 1, 1, 1, 2, 2, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1], "not_identified"),
    ],
)
def test_undefined_ordinal_regression(y, x, reason):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ordinal_regression(y, {"x": x}).undefined == reason
