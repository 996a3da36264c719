"""Nouveau-ROUGE with coefficients fitted on a study's own ratings, and held to the unseen."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.metrics.quality_estimator import Floats, deal_folds
from metrics_app.stats.linear_fit import Fit
from metrics_app.stats.regression import robust_regression


@dataclass(frozen=True, slots=True)
class FittedNouveau:
    """Held-out predictions, and the coefficients that all rated outputs give together.

    Attributes
    ----------
    predictions : ndarray of float, shape (n_outputs,)
        Each by a fit that saw nothing of the output's item; NaN where a ROUGE score is missing.
    coefficients : tuple of float
        Intercept, weight of R(AB), weight of R(BB): for texts of other studies.
    method : str
        What was done, in words.
    """

    predictions: Floats
    coefficients: tuple[float, float, float]
    method: str


def fit_nouveau(
    parts: Floats,
    ratings: npt.ArrayLike,
    items: Sequence[str],
    *,
    rng: np.random.Generator,
    n_folds: int = 10,
) -> FittedNouveau:
    """Fit people's ratings on R(AB) and R(BB) by robust regression, held out by item.

    Parameters
    ----------
    parts : ndarray, shape (n_outputs, 2)
        R(AB) and R(BB) as shares; NaN where undefined.
    ratings : array-like of float, shape (n_outputs,)
        Mean human ratings; NaN where an output has none: it is predicted, not learned from.
    items : sequence of str
        The item of each output; all outputs of an item are held out together.
    rng : numpy.random.Generator
        Deals the items to the folds.
    n_folds : int
        Number of folds, at most the number of items.

    Raises
    ------
    ValueError
        Where fewer than four items are rated, or a fit is undefined (scores that do not vary).
    """
    known = np.asarray(ratings, dtype=np.float64)
    names, item = np.unique(np.asarray(items), return_inverse=True)
    able = ~np.isnan(parts).any(axis=1)
    taught = able & ~np.isnan(known)
    if len(np.unique(item[taught])) < 4:
        raise ValueError("Coefficients need rated outputs with both ROUGE scores of four items.")
    fold = deal_folds(len(names), min(n_folds, len(names)), rng)[item]
    predictions = np.full(len(known), np.nan)
    for held in range(int(fold.max()) + 1):
        inside, outside = taught & (fold != held), able & (fold == held)
        predictions[outside] = _fit(parts[inside], known[inside]).predict(parts[outside])
    whole = _fit(parts[taught], known[taught])
    intercept, ab, bb = (float(value) for value in whole.coefficients)
    method = f"{whole.method}, {int(fold.max()) + 1} folds by item, every prediction held out"
    return FittedNouveau(predictions, (intercept, ab, bb), method)


def _fit(parts: Floats, ratings: Floats) -> Fit:
    fit = robust_regression(parts, ratings)
    if fit.undefined:
        raise ValueError(f"The coefficients cannot be fitted ({fit.undefined}).")
    return fit
