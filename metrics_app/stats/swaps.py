"""Which scores a permutation test of two metrics swaps.

Were the metrics equally good, it would not matter which of the two gave a score. PERM-SYS swaps
all scores of a system, PERM-INPUTS all scores of an item, PERM-BOTH single cells (Deutsch, Dror
and Roth 2021, as in their first code and in mt-metrics-eval) or, under its own name, whole rows
and then whole columns (as in nlpstats).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

Method = Literal["PERM-SYS", "PERM-INPUTS", "PERM-BOTH"]
Unit = Literal["cells", "rows then columns"]
Masks = npt.NDArray[np.bool_]

# 2^14 ways to swap are counted one by one; beyond that they are drawn.
_MOST_BITS = 14
# So many swaps of a usual study stay in the processor's cache; of a large one, so many cells.
_SWAPS_AT_ONCE = 285
_CELLS_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Swaps:
    """A scheme of swapping, and how many swaps are looked at.

    Attributes
    ----------
    method : {"PERM-SYS", "PERM-INPUTS", "PERM-BOTH"}
    unit : {"cells", "rows then columns"}
        What PERM-BOTH swaps.
    n_resamples : int
        Random swaps, where the scheme has more than 2^14 ways; else all ways are counted.
    """

    method: Method = "PERM-BOTH"
    unit: Unit = "cells"
    n_resamples: int = 1_000

    def __post_init__(self) -> None:
        """Refuse an unknown scheme."""
        if self.method not in get_args(Method):
            raise ValueError(f"method must be one of {get_args(Method)}, not {self.method!r}")
        if self.unit not in get_args(Unit):
            raise ValueError(f"swap must be one of {get_args(Unit)}, not {self.unit!r}")
        if self.n_resamples < 1:
            raise ValueError("at least one random swap is needed")

    def is_exact(self, shape: tuple[int, int]) -> bool:
        """Return whether all ways are counted for so many systems and items."""
        return self._n_bits(shape) <= _MOST_BITS

    def words(self, shape: tuple[int, int]) -> str:
        """Return the scheme in words."""
        unit = f" ({self.unit})" if self.method == "PERM-BOTH" else ""
        if self.is_exact(shape):
            return f"{self.method}{unit}, all {2 ** self._n_bits(shape)} swaps"
        return f"{self.method}{unit}, {self.n_resamples} random swaps, p = (1 + hits) / (1 + swaps)"

    def masks(self, shape: tuple[int, int], rng: np.random.Generator | None) -> Iterator[Masks]:
        """Yield which cells are swapped, swaps x systems x items, in parts of bounded size.

        Raises
        ------
        ValueError
            When swaps must be drawn and there is no generator.
        """
        n_bits = self._n_bits(shape)
        exact = self.is_exact(shape)
        if not exact and rng is None:
            raise ValueError(f"there are 2^{n_bits} ways to swap, too many to count: give an rng")
        n = 2**n_bits if exact else self.n_resamples
        step = min(_SWAPS_AT_ONCE, max(1, _CELLS_AT_ONCE // (shape[0] * shape[1])))
        for start in range(0, n, step):
            size = min(step, n - start)
            if rng is not None and not exact:
                bits = rng.integers(2, size=(size, n_bits), dtype=np.int8).astype(bool)
            else:
                codes = np.arange(start, start + size)[:, None]
                bits = (codes >> np.arange(n_bits) & 1).astype(bool)
            yield self._spread(bits, shape)

    def _n_bits(self, shape: tuple[int, int]) -> int:
        systems, items = shape
        if self.method == "PERM-SYS":
            return systems
        if self.method == "PERM-INPUTS":
            return items
        return systems * items if self.unit == "cells" else systems + items

    def _spread(self, bits: Masks, shape: tuple[int, int]) -> Masks:
        whole = (len(bits), *shape)
        if self.method == "PERM-SYS":
            return np.broadcast_to(bits[:, :, None], whole)
        if self.method == "PERM-INPUTS":
            return np.broadcast_to(bits[:, None, :], whole)
        if self.unit == "cells":
            return bits.reshape(whole)
        # A cell swapped with its row and again with its column is back where it was.
        return bits[:, : shape[0], None] ^ bits[:, None, shape[0] :]
