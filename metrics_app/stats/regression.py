"""Linear regression, least squares and robust, with the standard errors R gives."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from metrics_app.stats.linear_fit import (
    Fit,
    read_design,
    solve,
    undefined_fit,
    unit_errors,
    why_undefined,
    with_intervals,
)
from metrics_app.stats.results import NAN
from metrics_app.stats.samples import Floats

Psi = Literal["huber", "bisquare"]

# A residual scale this small against the spread of the response is rounding: most points lie on
# the plane.
EXACT_FIT = 1e-9


def ols(predictors: npt.ArrayLike, response: npt.ArrayLike, *, confidence: float = 0.95) -> Fit:
    """Fit a linear model with an intercept by ordinary least squares.

    Parameters
    ----------
    predictors : array-like, shape (n,) or (n, n_predictors)
        NaN is missing; the observation is left out and counted.
    response : array-like, shape (n,)
        As the predictors.
    confidence : float
        Coverage of the intervals of the coefficients.

    Returns
    -------
    Fit
        Undefined as `Fit` says. Without a degree of freedom left, standard errors are NaN.

    Raises
    ------
    ValueError
        If lengths differ or a value is infinite.
    """
    design, y, n_missing = read_design(predictors, response)
    method = "ordinary least squares"
    if reason := why_undefined(design):
        return undefined_fit("ols", design, n_missing, method, reason)
    coefficients = solve(design, y)
    residuals = y - design @ coefficients
    df = len(y) - design.shape[1]
    ss_residual = float(residuals @ residuals)
    scale = float(np.sqrt(ss_residual / df)) if df else NAN
    centred = y - y.mean()
    ss_total = float(centred @ centred)
    return with_intervals(
        Fit(
            statistic="ols",
            coefficients=coefficients,
            se=scale * unit_errors(design),
            p=np.empty(0),
            ci=(),
            df=df,
            scale=scale,
            r_squared=1 - ss_residual / ss_total if ss_total else NAN,
            method=method,
            confidence=confidence,
            n=len(y),
            n_missing=n_missing,
        )
    )


def robust_regression(
    predictors: npt.ArrayLike,
    response: npt.ArrayLike,
    *,
    psi: Psi = "huber",
    k: float | None = None,
    confidence: float = 0.95,
    max_iterations: int = 500,
) -> Fit:
    """Fit a linear model with an intercept by M-estimation (iterated reweighting).

    Parameters
    ----------
    predictors, response : array-like
        As in `ols`.
    psi : {"huber", "bisquare"}
        The influence function.
    k : float, optional
        Its tuning constant; 1.345 and 4.685 by default, 95 % efficient for normal errors.
    confidence : float
        Coverage of the intervals of the coefficients.
    max_iterations : int
        Iteration ends here at the latest; the detail ``is_converged`` is then false.

    Returns
    -------
    Fit
        Undefined as `Fit` says. Where more than half of the points lie on one plane the scale is
        0 and standard errors are NaN.

    Notes
    -----
    Begins with least squares; the scale is the median absolute residual / .6745, not centred,
    renewed in every step; the standard errors are those of Huber (1981), section 7.6, as in
    MASS::rlm (Venables and Ripley 2002, section 6.5). Iterated to convergence, which MASS and
    statsmodels do not do by default: they differ from the 4th digit on.
    """
    if psi not in _INFLUENCE:
        raise ValueError(f"psi must be one of {sorted(_INFLUENCE)}; it is {psi!r}")
    tuning = _TUNING[psi] if k is None else float(k)
    if not tuning > 0:
        raise ValueError(f"k must be positive; it is {tuning}")
    design, y, n_missing = read_design(predictors, response)
    method = f"robust regression, {psi} k = {tuning:g}, scale MAD/.6745 of the residuals"
    if reason := why_undefined(design):
        return undefined_fit("robust_regression", design, n_missing, method, reason)
    state = _reweight(design, y, psi, tuning, max_iterations)
    return with_intervals(
        Fit(
            statistic="robust_regression",
            coefficients=state.coefficients,
            se=_huber_scale(design, state, psi, tuning) * unit_errors(design),
            p=np.empty(0),
            ci=(),
            df=len(y) - design.shape[1],
            scale=state.scale,
            r_squared=NAN,
            method=method,
            confidence=confidence,
            n=len(y),
            n_missing=n_missing,
            details={"is_converged": state.is_converged, "weights": state.weights},
        )
    )


@dataclass(frozen=True, slots=True)
class _State:
    coefficients: Floats
    residuals: Floats
    weights: Floats
    scale: float
    is_converged: bool


def _reweight(design: Floats, y: Floats, psi: Psi, k: float, max_iterations: int) -> _State:
    coefficients = solve(design, y)
    weights = np.ones(len(y))
    size = float(np.ptp(y) + 1e-5 * np.abs(y).max())
    is_converged = False
    for _ in range(max_iterations):
        residuals = y - design @ coefficients
        scale = float(np.median(np.abs(residuals))) / 0.6745
        if is_converged or scale <= EXACT_FIT * size:
            break
        weights = _WEIGHT[psi](residuals / (scale * k))
        root = np.sqrt(weights)
        before, coefficients = coefficients, solve(design * root[:, None], y * root)
        moved = np.abs(design @ (coefficients - before)).max()
        is_converged = bool(moved <= 1e-11 * max(size, scale))
    exact = scale <= EXACT_FIT * size
    return _State(coefficients, residuals, weights, 0.0 if exact else scale, is_converged or exact)


def _huber_scale(design: Floats, state: _State, psi: Psi, k: float) -> float:
    n, n_coefficients = design.shape
    if state.scale == 0 or n == n_coefficients:
        return NAN
    slope = _INFLUENCE[psi](state.residuals / (state.scale * k))
    mean = slope.mean()
    if mean == 0:
        return NAN
    correction = 1 + n_coefficients * slope.var(ddof=1) / (n * mean**2)
    weighted = state.weights * state.residuals
    return float(np.sqrt(weighted @ weighted / (n - n_coefficients)) * correction / mean)


def _huber_weight(u: Floats) -> Floats:
    return 1 / np.maximum(np.abs(u), 1)


def _huber_slope(u: Floats) -> Floats:
    return np.asarray(np.abs(u) <= 1, dtype=np.float64)


def _bisquare_weight(u: Floats) -> Floats:
    return np.maximum(1 - u**2, 0) ** 2


def _bisquare_slope(u: Floats) -> Floats:
    return np.where(np.abs(u) < 1, (1 - u**2) * (1 - 5 * u**2), 0.0)


# Residuals come divided by scale and tuning constant, so that 1 is the bend of either function.
_WEIGHT: dict[str, Callable[[Floats], Floats]] = {
    "huber": _huber_weight,
    "bisquare": _bisquare_weight,
}
_INFLUENCE: dict[str, Callable[[Floats], Floats]] = {
    "huber": _huber_slope,
    "bisquare": _bisquare_slope,
}
_TUNING: dict[str, float] = {"huber": 1.345, "bisquare": 4.685}
