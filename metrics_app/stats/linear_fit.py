"""A fitted linear model, and the algebra that every fit shares."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from metrics_app.stats.results import NAN
from metrics_app.stats.samples import Floats


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted linear model.

    Attributes
    ----------
    statistic : str
        ``ols`` or ``robust_regression``.
    coefficients : numpy.ndarray, shape (1 + n_predictors,)
        The intercept first; NaN where undefined.
    se, p : numpy.ndarray, same shape
        Standard errors and two-sided p-values (t with ``df`` degrees of freedom).
    ci : tuple of (low, high)
        t intervals, one for each coefficient; empty where there is no standard error.
    df : int
        Observations minus coefficients.
    scale : float
        Residual standard deviation (ols) or robust scale.
    r_squared : float
        Share of the variance explained; NaN for a robust fit or a constant response.
    method : str
        The method in words.
    undefined : str or None
        ``not_identified`` where the predictors are collinear, ``too_few_units`` where there are
        fewer observations than coefficients.
    n, n_missing : int
        Observations used, and left out since a value was missing.
    details : mapping
        ``is_converged``, ``weights`` (one a used observation) of a robust fit.
    """

    statistic: str
    coefficients: Floats
    se: Floats
    p: Floats
    ci: tuple[tuple[float, float], ...]
    df: int
    scale: float
    r_squared: float
    method: str
    undefined: str | None = None
    confidence: float = 0.95
    n: int = 0
    n_missing: int = 0
    details: dict[str, Any] = field(default_factory=dict)

    def predict(self, predictors: npt.ArrayLike) -> Floats:
        """Return predictions for rows of predictors, shape (n,)."""
        rows = as_rows(predictors)
        if rows.shape[1] != len(self.coefficients) - 1:
            raise ValueError(
                f"the fit has {len(self.coefficients) - 1} predictors, the rows {rows.shape[1]}"
            )
        predicted: Floats = self.coefficients[0] + rows @ self.coefficients[1:]
        return predicted


def as_rows(predictors: npt.ArrayLike) -> Floats:
    """Return predictors as rows, shape (n, n_predictors); one predictor may be a plain list."""
    rows = np.asarray(predictors, dtype=np.float64)
    if rows.ndim not in (1, 2):
        raise ValueError(f"predictors must be a list or rows; they have {rows.ndim} dimensions")
    return rows.reshape(-1, 1) if rows.ndim == 1 else rows


def read_design(predictors: npt.ArrayLike, response: npt.ArrayLike) -> tuple[Floats, Floats, int]:
    """Return design matrix, response and the number of observations left out."""
    rows, y = as_rows(predictors), np.asarray(response, dtype=np.float64).ravel()
    if len(rows) != len(y):
        raise ValueError(f"there are {len(rows)} rows of predictors and {len(y)} responses")
    if np.isinf(rows).any() or np.isinf(y).any():
        raise ValueError("a predictor or a response is infinite")
    is_complete = ~(np.isnan(rows).any(axis=1) | np.isnan(y))
    design = np.column_stack([np.ones(len(y)), rows])[is_complete]
    return design, y[is_complete], int((~is_complete).sum())


def why_undefined(design: Floats) -> str | None:
    """Return the reason code of a design that does not determine its coefficients, or None."""
    n, n_coefficients = design.shape
    if n < n_coefficients:
        return "too_few_units"
    # Columns of very different size must not pass for collinear.
    size = np.linalg.norm(design, axis=0)
    rank = np.linalg.matrix_rank(design / size) if size.all() else 0
    return None if rank == n_coefficients else "not_identified"


def solve(design: Floats, y: Floats) -> Floats:
    """Return the least-squares coefficients."""
    return np.asarray(np.linalg.lstsq(design, y, rcond=None)[0])


def unit_errors(design: Floats) -> Floats:
    """Return standard errors for a residual standard deviation of 1."""
    inverse = np.linalg.inv(np.linalg.qr(design, mode="r"))
    return np.asarray(np.sqrt((inverse**2).sum(axis=1)))


def undefined_fit(statistic: str, design: Floats, n_missing: int, method: str, reason: str) -> Fit:
    """Return a fit without coefficients, undefined for the given reason."""
    nothing = np.full(design.shape[1], NAN)
    df = len(design) - design.shape[1]
    return Fit(
        statistic, nothing, nothing, nothing, (), df, NAN, NAN, method, reason, n=len(design),
        n_missing=n_missing,
    )  # fmt: skip


def with_intervals(fit: Fit) -> Fit:
    """Add p-values and intervals where there are standard errors."""
    if not fit.df or np.isnan(fit.se).any():
        return replace(fit, p=np.full_like(fit.se, NAN))
    t = np.divide(fit.coefficients, fit.se, out=np.full_like(fit.se, np.inf), where=fit.se > 0)
    margin = stats.t.ppf((1 + fit.confidence) / 2, fit.df) * fit.se
    low, high = fit.coefficients - margin, fit.coefficients + margin
    ci = tuple(zip(low.tolist(), high.tolist(), strict=True))
    return replace(fit, p=2 * stats.t.sf(np.abs(t), fit.df), ci=ci)
