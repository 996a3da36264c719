"""Ordinal regression: the proportional-odds model of a score on an ordered scale."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import linalg, special

from metrics_app.stats.results import Estimate
from metrics_app.stats.samples import Floats, Values, as_sample
from metrics_app.stats.scales import Ints
from metrics_app.stats.tails import normal_p

# Slopes per standard deviation: odds of more than 10^8 mean that the data are separated.
_SEPARATED = 20.0
_MOST_STEPS = 100
# Below this share of the steepest direction a direction is flat but for rounding.
_FLAT = 1e-7
_CONVERGED = 1e-9
_LARGEST = 2**62


@dataclass(frozen=True, slots=True)
class OrdinalModel:
    """A fitted proportional-odds model.

    Attributes
    ----------
    coefficients : dict of Estimate
        By name; a positive one moves scores up the scale. ``details["odds_ratio"]`` is its
        exponential.
    thresholds : tuple of float
        Cut points between the points of the scale that occur, ascending.
    log_likelihood : float
    undefined : str or None
        ``too_few_units``, ``no_variance`` (one point only) or ``not_identified`` (dependent
        columns, separation, or no convergence).
    """

    coefficients: dict[str, Estimate]
    thresholds: tuple[float, ...]
    log_likelihood: float
    n: int
    n_missing: int
    undefined: str | None = None
    method: str = "proportional-odds (cumulative logit) model, maximum likelihood, Wald z"


@dataclass(frozen=True, slots=True)
class _Fit:
    slopes: Floats
    errors: Floats
    thresholds: Floats
    log_likelihood: float


def ordinal_regression(
    values: Values, covariates: Mapping[str, Values], *, confidence: float = 0.95
) -> OrdinalModel:
    """Return the proportional-odds regression of ordered scores on covariates.

    Parameters
    ----------
    values : length n
        Points of an ordered scale as numbers; a row with a missing number is left out.
    covariates : mapping of name to numbers, length n
        Without an intercept, whose place the thresholds take.

    Raises
    ------
    ValueError
        For unequal lengths or no covariate.
    """
    y = as_sample(values, "the values")
    columns = {name: as_sample(column, name) for name, column in covariates.items()}
    if not columns:
        raise ValueError("ordinal regression needs a covariate")
    for name, column in columns.items():
        if column.size != y.size:
            raise ValueError(f"{name} has {column.size} rows and the values have {y.size}")
    table = np.column_stack(list(columns.values()))
    kept = ~(np.isnan(y) | np.isnan(table).any(axis=1))
    y, table, n_missing = y[kept], table[kept], int((~kept).sum())
    reason = _why_undefined(y, table)
    fit = None if reason else _fit(y, table)
    if fit is None:
        reason = reason or "not_identified"
        blank = {name: Estimate(name, float("nan"), undefined=reason) for name in columns}
        return OrdinalModel(blank, (), float("nan"), y.size, n_missing, reason)
    return _as_model(list(columns), fit, (y.size, n_missing), confidence)


def _why_undefined(y: Floats, table: Floats) -> str | None:
    if np.unique(y).size < 2:
        return "no_variance" if y.size else "too_few_units"
    if y.size <= table.shape[1] + np.unique(y).size - 1:
        return "too_few_units"
    with_intercept = np.column_stack([np.ones(y.size), table])
    dependent = np.linalg.matrix_rank(with_intercept) < with_intercept.shape[1]
    return "not_identified" if dependent else None


def _fit(y: Floats, table: Floats) -> _Fit | None:
    """Return the maximum of the likelihood, None where there is none.

    Rows that are alike count as one with a weight. The logarithm of the likelihood is concave
    (Pratt 1981), so Newton's steps, shortened where they overshoot, find its only maximum.
    """
    scale = table.std(axis=0)
    codes = np.unique(y, return_inverse=True)[1]
    firsts, times = _different_rows(np.column_stack([codes, table]))
    cells = _Cells.of(codes[firsts], table[firsts] / scale, times.astype(np.float64))
    shares = np.cumsum(np.bincount(codes))[:-1] / codes.size
    point = np.concatenate([special.logit(shares), np.zeros(table.shape[1])])
    value, slope, curve = cells.derivatives(point)
    for _ in range(_MOST_STEPS):
        try:
            factor = linalg.cho_factor(-curve)
        except (linalg.LinAlgError, ValueError):  # flat or infinite: no maximum
            return None
        step = linalg.cho_solve(factor, slope)
        point, (value, slope, curve) = _climb(cells, point, step, value)
        if np.abs(point[shares.size :]).max() > _SEPARATED:
            return None
        if np.abs(step).max() < _CONVERGED:
            slopes, errors = point[shares.size :], _errors(curve)
            if errors is None:
                return None
            return _Fit(slopes / scale, errors[shares.size :] / scale, point[: shares.size], value)
    return None


def _different_rows(table: Floats) -> tuple[Ints, Ints]:
    """Return where each different row is first, in the order of their values, and how often.

    `numpy.unique` by rows sorts rows; one number a row sorts many times faster.
    """
    number = np.zeros(len(table), dtype=np.int64)
    for column in table.T:
        values, codes = np.unique(column, return_inverse=True)
        if (int(number.max(initial=0)) + 1) * values.size > _LARGEST:
            number = np.unique(number, return_inverse=True)[1]
        number = number * values.size + codes
    _, firsts, times = np.unique(number, return_index=True, return_counts=True)
    return firsts, times


def _errors(curve: Floats) -> Floats | None:
    """Return the standard errors at the maximum, None where the data leave it almost flat."""
    try:
        factor = linalg.cho_factor(-curve)
    except linalg.LinAlgError:
        return None
    steepness = np.abs(np.diag(factor[0]))
    if steepness.min() < _FLAT * steepness.max():
        return None
    return np.sqrt(np.diag(linalg.cho_solve(factor, np.eye(len(curve)))))


def _climb(
    cells: "_Cells", point: Floats, step: Floats, value: float
) -> tuple[Floats, tuple[float, Floats, Floats]]:
    """Go along the step, half as far each time that would be a way down."""
    share = 1.0
    while True:
        there = point + share * step
        found = cells.derivatives(there)
        if found[0] >= value - 1e-12 * abs(value) or share < 1e-6:
            return there, found
        share /= 2


@dataclass(frozen=True, slots=True)
class _Cells:
    """Rows with one point of the scale and one set of covariates each, and how often they occur.

    A row's probability is F(upper) - F(lower), F being logistic; ``upper`` and ``lower`` are
    the rows that make these ends of the thresholds and slopes.
    """

    upper: Floats
    lower: Floats
    is_highest: npt.NDArray[np.bool_]
    is_lowest: npt.NDArray[np.bool_]
    times: Floats

    @classmethod
    def of(cls, codes: npt.NDArray[np.intp], covariates: Floats, times: Floats) -> "_Cells":
        n_cuts = int(codes.max())
        cuts = np.eye(n_cuts + 1)
        is_highest, is_lowest = codes == n_cuts, codes == 0
        upper = np.hstack([cuts[codes][:, :n_cuts], -covariates])
        lower = np.hstack([cuts[codes - 1][:, :n_cuts], -covariates])
        upper[is_highest], lower[is_lowest] = 0.0, 0.0
        return cls(upper, lower, is_highest, is_lowest, times)

    def derivatives(self, point: Floats) -> tuple[float, Floats, Floats]:
        """Return the log likelihood, its slope and its curvature; minus infinity off the model."""
        high = np.where(self.is_highest, 1.0, special.expit(self.upper @ point))
        low = np.where(self.is_lowest, 0.0, special.expit(self.lower @ point))
        chance = high - low
        if not (chance > 0).all():
            return -math.inf, np.full(point.size, math.nan), np.full((point.size,) * 2, math.nan)
        at_high, at_low = high * (1 - high) / chance, low * (1 - low) / chance
        slope = self.upper.T @ (self.times * at_high) - self.lower.T @ (self.times * at_low)
        bend_high = at_high * (1 - 2 * high) - at_high**2
        bend_low = -at_low * (1 - 2 * low) - at_low**2
        both = (self.upper.T * (self.times * at_high * at_low)) @ self.lower
        curve = (self.upper.T * (self.times * bend_high)) @ self.upper
        curve += (self.lower.T * (self.times * bend_low)) @ self.lower + both + both.T
        return float(self.times @ np.log(chance)), slope, curve


def _as_model(
    names: list[str], fit: _Fit, counts: tuple[int, int], confidence: float
) -> OrdinalModel:
    z = float(special.ndtri((1 + confidence) / 2))
    coefficients = {
        name: Estimate(
            name,
            float(slope),
            se=float(se),
            ci=(float(slope - z * se), float(slope + z * se)),
            ci_method="Wald z",
            confidence=confidence,
            p=normal_p(float(slope / se), "two-sided"),
            details={"odds_ratio": math.exp(slope)},
        )
        for name, slope, se in zip(names, fit.slopes, fit.errors, strict=True)
    }
    thresholds = tuple(float(cut) for cut in fit.thresholds)
    return OrdinalModel(coefficients, thresholds, fit.log_likelihood, *counts)
