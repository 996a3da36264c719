"""How sure strengths are: Bradley and Terry's model fitted to resamples of the items."""

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from metrics_app.stats.preference import Wins, bradley_terry
from metrics_app.stats.results import NAN
from metrics_app.stats.samples import Floats

_MOST_STEPS = 60
_LONGEST_STEP = 2.0
_CLOSE = 1e-10


def bootstrap_strengths(
    by_item: npt.ArrayLike, *, rng: np.random.Generator, n_resamples: int = 1_000
) -> Floats:
    """Fit log-strengths to items drawn with replacement, each with all its comparisons.

    Judges who compare the same outputs, and pairs of the same item, are not independent; whole
    items are (Efron and Tibshirani 1993, chapter 8, on what to resample).

    Parameters
    ----------
    by_item : array of shape (n_items, n_systems, n_systems)
        For each item how often the row was preferred to the column, a tie one half for either.
    rng : numpy.random.Generator
        Draws the items.
    n_resamples : int
        How many times.

    Returns
    -------
    array of shape (n_resamples, n_systems)
        A row of NaN where the drawn items do not tell all strengths (see `bradley_terry`).
    """
    counts = np.asarray(by_item, dtype=np.float64)
    if counts.ndim != 3 or counts.shape[1] != counts.shape[2]:
        raise ValueError(f"wins by item need square tables; they have the shape {counts.shape}")
    n_items = len(counts)
    if not n_items:
        return np.full((n_resamples, counts.shape[1]), NAN)
    drawn = rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=n_resamples)
    return fit_many(np.tensordot(drawn.astype(np.float64), counts, axes=1))


def fit_many(counts: Floats) -> Floats:
    """Return the log-strengths of many tables of wins, shape (n_tables, n_systems).

    The numbers of `bradley_terry`, by Newton's method on all tables at once.
    """
    strengths = np.full(counts.shape[:2], NAN)
    told = _tells_all(counts)
    found, is_close = _climb(counts[told])
    for place in np.flatnonzero(~is_close):
        one = bradley_terry(Wins.from_matrix(counts[told][place])).strengths
        found[place] = list(one.values())
    strengths[told] = found
    return strengths


def _tells_all(counts: Floats) -> npt.NDArray[np.bool_]:
    """Return for each table whether a chain of wins leads from every system to every other."""
    n = counts.shape[1]
    reach = (counts > 0) | np.eye(n, dtype=np.bool_)
    for _ in range(max(n - 1, 1).bit_length()):
        reach = np.matmul(reach, reach)
    return np.asarray(reach.all(axis=(1, 2)) & (n > 1))


def _climb(counts: Floats) -> tuple[Floats, npt.NDArray[np.bool_]]:
    n_tables, n = counts.shape[:2]
    met = counts + counts.transpose(0, 2, 1)
    won = counts.sum(axis=2)
    strengths = np.zeros((n_tables, n))
    is_close = np.zeros(n_tables, dtype=np.bool_)
    diagonal = np.arange(n)
    for _ in range(_MOST_STEPS):
        chance = expit(strengths[:, :, None] - strengths[:, None, :])
        slope = won - (met * chance).sum(axis=2)
        spread = met * chance * (1 - chance)
        information = 1 / n - spread
        information[:, diagonal, diagonal] += spread.sum(axis=2)
        step = np.linalg.solve(information, slope[:, :, None])[:, :, 0]
        strengths += np.clip(step, -_LONGEST_STEP, _LONGEST_STEP)
        is_close = np.abs(step).max(axis=1, initial=0.0) < _CLOSE
        if is_close.all():
            break
    return strengths - strengths.mean(axis=1, keepdims=True), is_close
