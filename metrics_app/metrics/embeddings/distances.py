"""Similarities of two texts, each a matrix of token vectors."""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import linprog
from scipy.spatial.distance import cdist

from metrics_app.metrics.embeddings.embedder import Floats

# Rows of a similarity matrix held at once: 10,000 tokens against as many would take 800 MB.
BLOCK = 1000


class Matching(NamedTuple):
    """Precision, recall and F of matching each token with its nearest."""

    p: float
    r: float
    f: float


def cosine(a: Floats, b: Floats) -> float | None:
    """Return the cosine of two vectors; None where one has no length."""
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return float(a @ b) / lengths if lengths else None


def extrema(vectors: Floats) -> Floats:
    """Return per dimension the value farthest from zero (Forgues et al. 2014)."""
    low, high = vectors.min(axis=0), vectors.max(axis=0)
    return np.asarray(np.where(np.abs(low) > high, low, high))


class Side(NamedTuple):
    """One text of a matching.

    Attributes
    ----------
    vectors : ndarray of float, shape (n, d)
        Its tokens.
    weights : ndarray of float, shape (n,), or None
        How much each token counts; all alike where None or where all are 0.
    marks : ndarray of float, shape (m, d), or None
        Vectors that the other text's tokens may be nearest to, but that count for nothing.
    """

    vectors: Floats
    weights: Floats | None = None
    marks: Floats | None = None

    def points(self) -> Floats:
        """Return all that another text's tokens may be nearest to."""
        return self.vectors if self.marks is None else np.concatenate([self.vectors, self.marks])

    def mean(self, nearest: Floats) -> float:
        """Return the weighted mean over the tokens."""
        if self.weights is None or not self.weights.any():
            return float(nearest[: len(self.vectors)].mean())
        return float(np.average(nearest[: len(self.vectors)], weights=self.weights))


def matching(output: Side, reference: Side) -> Matching:
    """Return how near, by cosine, each token's nearest token of the other text is, on average.

    Zhang et al. 2020 (BERTScore); greedy matching where nothing is weighted or marked.
    """
    (a, place_of_a), (b, place_of_b) = (
        _distinct(_unit(side.points())) for side in (output, reference)
    )
    nearest_a, nearest_b = np.full(len(a), -np.inf), np.full(len(b), -np.inf)
    for start in range(0, len(a), BLOCK):
        similar = a[start : start + BLOCK] @ b.T
        nearest_a[start : start + BLOCK] = similar.max(axis=1)
        np.maximum(nearest_b, similar.max(axis=0), out=nearest_b)
    p, r = output.mean(nearest_a[place_of_a]), reference.mean(nearest_b[place_of_b])
    return Matching(p, r, 2 * p * r / (p + r) if p + r else 0.0)


def _distinct(vectors: Floats) -> tuple[Floats, npt.NDArray[np.intp]]:
    """Return the rows, each once where there are many, and the row of each token."""
    if len(vectors) <= BLOCK:
        return vectors, np.arange(len(vectors))
    rows, place = np.unique(vectors, axis=0, return_inverse=True)
    return rows, place.reshape(-1)


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths, lengths, 1))


def movers_distance(a: Floats, b: Floats, a_mass: Floats, b_mass: Floats) -> float:
    """Return the least total distance over which the mass of one text moves to the other's.

    Kusner et al. 2015: Euclidean distances, masses that sum to 1, solved as a linear program.

    Parameters
    ----------
    a, b : ndarray, shape (n, d) and (m, d)
        Points.
    a_mass, b_mass : ndarray, shape (n,) and (m,)
        Weights of the points; scaled to sum 1.
    """
    n, m = len(a), len(b)
    rows = sparse.kron(sparse.eye(n), np.ones((1, m)))
    columns = sparse.kron(np.ones((1, n)), sparse.eye(m))
    found = linprog(  # type: ignore[call-overload]  # the stubs know no sparse constraints
        cdist(a, b).ravel(),
        A_eq=sparse.vstack([rows, columns]).tocsr(),
        b_eq=np.concatenate([a_mass / a_mass.sum(), b_mass / b_mass.sum()]),
        method="highs",
    )
    if not found.success:
        raise ArithmeticError(f"the transport problem was not solved: {found.message}")
    return max(float(found.fun), 0.0)


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text: up to a stop, an exclamation or question mark, or a line."""
    return [part.strip() for part in re.split(r"(?<=[.!?。！？।])\s+|\n+", text) if part.strip()]
