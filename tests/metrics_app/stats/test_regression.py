"""Least squares and M-estimation, against R's cases, statsmodels and closed forms."""

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.stats.lines.regression import HANDLERS
from metrics_app.stats.regression import ols, robust_regression
from tests.metrics_app.stats.oracle_cases import assert_answers, cases

STACKLOSS = cases("ols")[0].values[0]["data"]


@pytest.mark.parametrize("case", cases("ols", "robust_regression"))
def test_worked_case(case):
    answer = HANDLERS[case["statistic"]](case["options"], case["data"])
    assert_answers(answer, case)
    for key in ("r_squared", "scale"):
        if key in case["expected"]:
            assert answer[key] == pytest.approx(case["expected"][key], rel=case["tolerance"])


def test_ols_has_the_p_values_and_intervals_of_statsmodels():
    ours = ols(STACKLOSS["X"], STACKLOSS["y"], confidence=0.9)
    theirs = sm.OLS(STACKLOSS["y"], sm.add_constant(np.array(STACKLOSS["X"], float))).fit()

    assert ours.p == pytest.approx(theirs.pvalues)
    assert np.array(ours.ci) == pytest.approx(theirs.conf_int(0.1))


@pytest.mark.parametrize(("psi", "norm"), [("huber", "HuberT"), ("bisquare", "TukeyBiweight")])
def test_robust_coefficients_are_those_of_statsmodels(psi, norm):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(40, 2))
    y = 1 + x @ [2, -1] + rng.standard_t(2, size=40)
    design = sm.add_constant(x)
    # statsmodels centres the MAD; residuals of location zero are given by its own option.
    theirs = sm.RLM(y, design, M=getattr(sm.robust.norms, norm)()).fit(
        scale_est=_Uncentred(), tol=1e-13, maxiter=500
    )

    ours = robust_regression(x, y, psi=psi)

    assert ours.details["is_converged"]
    assert ours.coefficients == pytest.approx(theirs.params, abs=1e-5)


class _Uncentred(sm.robust.scale.HuberScale):
    def __call__(self, _df, _n, residuals):
        return np.median(np.abs(residuals)) / 0.6745


def test_an_outlier_moves_least_squares_and_not_the_bisquare():
    x = np.arange(20.0)
    y = 3 + 2 * x + np.tile([0.1, -0.1], 10)
    y[4] = 500

    assert robust_regression(x, y, psi="bisquare").coefficients == pytest.approx([3, 2], abs=0.1)
    assert abs(ols(x, y).coefficients[0] - 3) > 50


@pytest.mark.parametrize("slope", [2, 0])
def test_points_on_one_plane_are_fitted_exactly_and_have_no_standard_error(slope):
    x = np.arange(9.0)
    y = 1 + slope * x
    y[4] = 50
    fit = robust_regression(x, y)

    assert fit.coefficients == pytest.approx([1, slope], abs=1e-6)
    assert fit.scale == 0
    assert np.isnan(fit.se).all()


def test_a_constant_response_has_no_robust_scale():
    fit = robust_regression([1, 2, 3, 5], [1e9 / 3] * 4)
    assert fit.coefficients == pytest.approx([1e9 / 3, 0], abs=1e-5)
    assert fit.scale == 0


def test_a_constant_response_has_no_share_of_variance():
    fit = ols([1, 2, 3], [4, 4, 4])
    assert fit.coefficients == pytest.approx([4, 0])
    assert np.isnan(fit.r_squared)


@pytest.mark.parametrize("fit", [ols, robust_regression])
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([[1, 2], [2, 4], [3, 6], [4, 8]], [1, 2, 3, 5], "not_identified"),
        ([7, 7, 7], [1, 2, 3], "not_identified"),
        ([0, 0, 0], [1, 2, 3], "not_identified"),
        ([1], [1], "too_few_units"),
        ([], [], "too_few_units"),
        ([1, np.nan, 3], [np.nan, 2, 3], "too_few_units"),
    ],
)
def test_undefined(fit, x, y, reason):
    found = fit(x, y)
    assert found.undefined == reason
    assert np.isnan(found.coefficients).all()


@pytest.mark.parametrize("fit", [ols, robust_regression])
def test_a_line_through_two_points_has_no_standard_error(fit):
    found = fit([1, 2], [3, 5])
    assert found.coefficients == pytest.approx([1, 2])
    assert np.isnan(found.se).all()
    assert np.isnan(found.p).all()
    assert found.ci == ()


def test_missing_values_are_left_out_and_counted():
    found = ols([1, 2, 3, np.nan, 4], [2, 4, 6, 1, np.nan])
    assert (found.n, found.n_missing) == (3, 2)
    assert found.coefficients == pytest.approx([0, 2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ols([1, 2], [1]), "2 rows of predictors and 1 responses"),
        (lambda: ols([1, np.inf], [1, 2]), "infinite"),
        (lambda: ols([[[1]]], [1]), "3 dimensions"),
        (lambda: robust_regression([1, 2], [1, 2], psi="hampel"), "psi must be one of"),
        (lambda: robust_regression([1, 2], [1, 2], k=0), "k must be positive"),
        (lambda: ols([1, 2, 4], [1, 2, 3]).predict([[1, 2]]), "has 1 predictors, the rows 2"),
    ],
)
def test_senseless_input_is_an_error(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 100), st.floats(-1000, 1000))
@pytest.mark.parametrize("psi", ["huber", "bisquare"])
def test_robust_fit_follows_scale_and_shift_of_the_response(psi, seed, scale, shift):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(30, 2)), rng.normal(size=30)
    plain = robust_regression(x, y, psi=psi).coefficients
    moved = robust_regression(x, shift + scale * y, psi=psi).coefficients

    assert moved == pytest.approx(scale * plain + [shift, 0, 0], rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("name", ["tukey", "biweight"])
def test_tukeys_loss_goes_by_three_names(name):
    data = {"y": [1, 2, 3, 5, 4, 6, 19], "X": [[1], [2], [3], [4], [5], [6], [7]]}
    ask = HANDLERS["robust_regression"]

    found = ask({"psi": name}, data)["value"]

    assert found.tolist() == ask({"psi": "bisquare"}, data)["value"].tolist()
