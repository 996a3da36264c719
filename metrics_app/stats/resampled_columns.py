"""Correlation across resampled systems, within every item and for every replicate at once.

A resample of the systems is a vector of counts c, so nothing is copied. Tau b on the resample is
sum(w sx sz) / sqrt(sum(w sx^2) sum(w sz^2)) over pairs of systems, with w = c_i c_k and sx, sz the
signs of their differences; a centred rank is half the weighted sum of signs; Pearson is weighted
moments. All are products of the counts with tables that no replicate changes. Sums of signs are
whole numbers that single precision holds exactly (see `_exact_type`).
"""

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from metrics_app.stats.columns import pair_signs
from metrics_app.stats.samples import Floats

Counts = npt.NDArray[np.int_]
Table = npt.NDArray[np.floating]

# A weighted variance this small beside its sum of squares is rounding.
_ROUNDING = 1e-13


class Side(ABC):
    """One of the two series, prepared for every replicate and item.

    ``scale`` is 1 / root of its spread, NaN where it has none.
    """

    scale: Floats

    @abstractmethod
    def times(self, other: "Side") -> Table:
        """Return the sum of products with the other side, replicates x items."""

    def correlate(self, other: "Side") -> Floats:
        """Return the coefficient, replicates x items; NaN where it is undefined."""
        value = self.times(other) * self.scale
        value *= other.scale
        return np.clip(value, -1, 1, out=value)


class PairSide(Side):
    """Kendall: the signs of all pairs of systems."""

    def __init__(self, values: Floats, counts: Counts, *, with_ties: bool) -> None:
        n = values.shape[0]
        self.kind = _exact_type(n, power=2)
        first, second = np.triu_indices(n, 1)
        self.weights = (counts[:, first] * counts[:, second]).astype(self.kind)
        self.signs = pair_signs(values)
        if with_ties:
            size = counts.astype(self.kind) @ (~np.isnan(values)).astype(self.kind)
            spread = size * (size - 1) / 2
        else:
            spread = self._weigh(np.abs(self.signs))
        self.scale = _inverse_root(spread)

    def times(self, other: Side) -> Table:
        """Return concordant minus discordant pairs."""
        assert isinstance(other, PairSide)  # noqa: S101 -- narrows the type
        return self._weigh(self.signs * other.signs)

    def _weigh(self, signs: npt.NDArray[np.int8]) -> Table:
        # Signs are kept in bytes: all pairs of many systems take room.
        return np.asarray(self.weights @ signs.astype(self.kind))


class RankSide(Side):
    """Spearman: centred ranks among the resampled systems."""

    def __init__(self, values: Floats, counts: Counts) -> None:
        n, n_items = values.shape
        kind = _exact_type(n, power=3)
        self.counts = counts.astype(kind)
        signs = np.greater(values[:, None], values).astype(kind)
        signs -= np.less(values[:, None], values)
        by_other = signs.transpose(1, 0, 2).reshape(n, n * n_items)
        self.ranks = (self.counts @ by_other).reshape(-1, n, n_items)
        self.scale = _inverse_root(self._sum_of_products(self.ranks))

    def times(self, other: Side) -> Table:
        """Return the sum of products of the centred ranks."""
        assert isinstance(other, RankSide)  # noqa: S101 -- narrows the type
        return self._sum_of_products(other.ranks)

    def _sum_of_products(self, ranks: Table) -> Table:
        return np.asarray(np.einsum("bs,bsi,bsi->bi", self.counts, self.ranks, ranks))


class MomentSide(Side):
    """Pearson: values less their item's mean, and their weighted moments."""

    def __init__(self, values: Floats, counts: Counts) -> None:
        there = ~np.isnan(values)
        size = np.maximum(there.sum(axis=0), 1)
        filled = np.where(there, values, 0)
        self.values = np.where(there, filled - filled.sum(axis=0) / size, 0)
        self.counts = counts.astype(np.float64)
        drawn = np.maximum(self.counts @ there, 1)
        self.total = (self.counts @ self.values) / np.sqrt(drawn)
        squares = self.counts @ self.values**2
        spread = squares - self.total**2
        self.scale = _inverse_root(np.where(spread > _ROUNDING * squares, spread, 0))

    def times(self, other: Side) -> Table:
        """Return the sum of products of deviations."""
        assert isinstance(other, MomentSide)  # noqa: S101 -- narrows the type
        products: Floats = self.counts @ (self.values * other.values)
        products -= self.total * other.total
        return products


def prepare(values: Floats, counts: Counts, coefficient: str) -> Side | None:
    """Return the side of a coefficient that works on counts, None for another.

    Parameters
    ----------
    values : array, systems x items
        NaN is missing and must be missing on both sides.
    counts : array, replicates x systems
        How often each replicate holds each system.
    """
    if coefficient == "pearson":
        return MomentSide(values, counts)
    if coefficient == "spearman":
        return RankSide(values, counts)
    if coefficient in ("kendall_tau_a", "kendall_tau_b"):
        return PairSide(values, counts, with_ties=coefficient == "kendall_tau_a")
    return None


def _inverse_root(spread: Table) -> Floats:
    exact = spread.astype(np.float64)
    return np.where(exact > 0, 1 / np.sqrt(np.where(exact > 0, exact, 1)), np.nan)


def _exact_type(n: int, *, power: int) -> type[np.floating]:
    """Return single precision where n to the power stays below its 24 bits."""
    return np.float32 if n**power < 2**24 else np.float64
