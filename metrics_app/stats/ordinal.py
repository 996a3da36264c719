"""Ordinal regression: the proportional-odds model of a score on an ordered scale."""

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import special

from metrics_app.stats.results import Estimate
from metrics_app.stats.samples import Floats, Values, as_sample
from metrics_app.stats.tails import normal_p

# Slopes per standard deviation: odds of more than 10^8 mean that the data are separated.
_SEPARATED = 20.0


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
    # statsmodels takes longer to load than everything else here together.
    from statsmodels.miscmodels.ordinal_model import OrderedModel  # noqa: PLC0415 -- see above

    scale = table.std(axis=0)
    codes = np.unique(y, return_inverse=True)[1]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        # Separated data end in warnings and huge slopes; they are reported as not identified.
        warnings.simplefilter("ignore")
        model = OrderedModel(codes, table / scale, distr="logit")
        result = model.fit(method="bfgs", disp=False, maxiter=500, gtol=1e-7)
        errors = np.asarray(result.bse)[: table.shape[1]]
    slopes = np.asarray(result.params)[: table.shape[1]]
    if not np.isfinite(errors).all() or np.abs(slopes).max() > _SEPARATED:
        return None
    cuts = model.transform_threshold_params(result.params)[1:-1]
    return _Fit(slopes / scale, errors / scale, cuts, float(result.llf))


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
