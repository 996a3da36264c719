"""A reference-less quality estimator, trained on a study's own human ratings.

In the manner of ESQE (Zhang and Tetreault 2019, for e-mail subjects): what source and output
look like goes in, the mean human rating comes out. It is judged on held-out predictions only: an
output is always predicted by a model that saw no output of the same item.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from metrics_app.metrics.contract import Batch, Example
from metrics_app.metrics.embeddings.embedder import embedded
from metrics_app.metrics.registry import REGISTRY, compute

Floats = npt.NDArray[np.float64]

SURFACE = ("length", "compression", "copy_rate", "copy_density", "repetition", "type_token_ratio")
PENALTIES = (0.1, 1.0, 10.0, 100.0, 1000.0, 10000.0)


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Predictions, each by a model that saw nothing of the output's item.

    Attributes
    ----------
    predictions : ndarray of float, shape (n_outputs,)
        On the scale of the ratings.
    fold : ndarray of int, shape (n_outputs,)
        In which fold the output was held out.
    penalties : tuple of float
        The ridge penalty that each fold's training data chose.
    method : str
        What was done, in words.
    """

    predictions: Floats
    fold: npt.NDArray[np.intp]
    penalties: tuple[float, ...]
    method: str


@dataclass(frozen=True, slots=True)
class RidgeModel:
    """A linear model of standardised features."""

    centre: Floats
    spread: Floats
    weights: Floats
    intercept: float

    def predict(self, features: Floats) -> Floats:
        """Return one prediction a row."""
        return np.asarray((features - self.centre) / self.spread @ self.weights + self.intercept)


def features(batch: Batch, *, model: str = "") -> Floats:
    """Return what is known of each output without a reference.

    Parameters
    ----------
    batch : sequence of Example
        Outputs with their sources.
    model : str
        Embedding model; adds the output's mean vector, its cosine with the source's, and the mean
        difference of both. Empty for surface features only.

    Returns
    -------
    ndarray, shape (n_outputs, n_features)
        A feature that is undefined for an output is 0, and a further column says so.
    """
    columns = [compute(REGISTRY[name], batch).values for name in SURFACE]
    values = np.array(
        [[score if isinstance(score, float) else np.nan for score in column] for column in columns]
    ).T
    surface = np.hstack([np.nan_to_num(values), np.isnan(values)])
    if not model:
        return surface
    return np.hstack([surface, np.array([_vector(example, model) for example in batch])])


def _vector(example: Example, model: str) -> Floats:
    output, source = (
        _mean(embedded(model, text).vectors)
        for text in (example.output, "\n".join(example.sources))
    )
    lengths = float(np.linalg.norm(output) * np.linalg.norm(source))
    cosine = float(output @ source) / lengths if lengths else 0.0
    return np.concatenate([[cosine], output, output - source])


def _mean(vectors: Floats) -> Floats:
    return np.asarray(vectors.mean(axis=0) if len(vectors) else np.zeros(vectors.shape[1]))


def fit(table: Floats, ratings: Floats, penalty: float) -> RidgeModel:
    """Return the ridge regression of ratings on features; the intercept is not penalised.

    Parameters
    ----------
    table : ndarray, shape (n, k)
        Features.
    ratings : ndarray, shape (n,)
        Mean human ratings, none missing.
    penalty : float
        Added to the diagonal of the cross-products of the standardised features.
    """
    centre, spread = table.mean(axis=0), table.std(axis=0)
    spread = np.where(spread > 1e-12, spread, 1.0)
    scaled = (table - centre) / spread
    intercept = float(ratings.mean())
    gram = scaled.T @ scaled + penalty * np.eye(table.shape[1])
    weights = np.linalg.solve(gram, scaled.T @ (ratings - intercept))
    return RidgeModel(centre, spread, weights, intercept)


def held_out_predictions(
    table: Floats,
    ratings: npt.ArrayLike,
    items: Sequence[str],
    *,
    rng: np.random.Generator,
    n_folds: int = 10,
) -> HeldOut:
    """Predict each output's rating from the outputs of other items.

    Parameters
    ----------
    table : ndarray, shape (n_outputs, n_features)
        From `features`.
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
        Where there are fewer than four rated items, or lengths differ.
    """
    known = np.asarray(ratings, dtype=np.float64)
    if not len(table) == len(known) == len(items):
        raise ValueError(f"{len(table)} outputs, {len(known)} ratings, {len(items)} items differ")
    names, item = np.unique(np.asarray(items), return_inverse=True)
    if len(np.unique(item[~np.isnan(known)])) < 4:
        raise ValueError("an estimator needs rated outputs of at least four items")
    fold = deal_folds(len(names), min(n_folds, len(names)), rng)[item]
    predictions, penalties = np.empty(len(known)), []
    for held in range(int(fold.max()) + 1):
        train = (fold != held) & ~np.isnan(known)
        penalty = _best_penalty(table[train], known[train], item[train])
        penalties.append(penalty)
        predictions[fold == held] = fit(table[train], known[train], penalty).predict(
            table[fold == held]
        )
    method = (
        f"ridge regression on {table.shape[1]} features, {len(penalties)} folds by item, penalty "
        "chosen inside each fold's training items; every prediction is held out"
    )
    return HeldOut(predictions, fold, tuple(penalties), method)


def deal_folds(n_items: int, n_folds: int, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """Return the fold of each item, dealt at random into folds of about the same size."""
    fold = np.arange(n_items) % n_folds
    rng.shuffle(fold)
    return fold


def _best_penalty(table: Floats, ratings: Floats, item: npt.NDArray[np.intp]) -> float:
    """Return the penalty with the least squared error over three folds of the training items."""
    fold = np.unique(item, return_inverse=True)[1] % 3
    losses = []
    for penalty in PENALTIES:
        loss = 0.0
        for held in range(3):
            inside, outside = fold != held, fold == held
            if inside.any() and outside.any():
                model = fit(table[inside], ratings[inside], penalty)
                loss += float(((model.predict(table[outside]) - ratings[outside]) ** 2).sum())
        losses.append(loss)
    return PENALTIES[int(np.argmin(losses))]
