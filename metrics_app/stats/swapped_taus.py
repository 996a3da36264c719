"""Summary-level Kendall after swaps, for all pairs of metrics at once.

Let s be 1 for a score that stays and -1 for one that is swapped. The sign of the system pair
(i, k) on the side of metric x is then a + b s_i + c s_k + d s_i s_k, with

    4 a = xx + yx + xy + yy        4 b = xx - yx + xy - yy
    4 c = xx + yx - xy - yy        4 d = xx - yx - xy + yy

where yx is the sign of y_i - x_k and so on; on the side of metric y all s change their sign. The
surplus of concordant pairs is therefore an even part (a and d) plus an odd part (b and c) on one
side, and minus it on the other. Both are linear in the s and their products: two matrix products
per item serve all swaps, pairs of metrics and dimensions. Pairs that are not tied, which tau b
divides by, are counted in the same way.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from metrics_app.stats.columns import pair_signs
from metrics_app.stats.samples import Floats
from metrics_app.stats.swaps import Masks

# Single precision holds sums of signs exactly; only the mean over items is rounded.
Single = npt.NDArray[np.float32]


def swapped_tau_differences(
    metrics: Floats, people: list[Floats], masks: Masks, coefficient: str
) -> Floats:
    """Return first minus second tau for every pair of metrics, dimension and swap.

    Parameters
    ----------
    metrics : metrics x systems x items
        Standardized scores; NaN where a cell is incomplete in any series.
    people : list of array, systems x items
    masks : swaps x systems x items
    coefficient : {"kendall_tau_a", "kendall_tau_b"}

    Returns
    -------
    array, dimensions x pairs of metrics x swaps
        In the order of `itertools.combinations`.
    """
    n_metrics, _, n_items = metrics.shape
    shape = (len(people), 2, len(masks), n_metrics * (n_metrics - 1) // 2)
    totals, undefined = np.zeros(shape, dtype=np.float32), np.zeros(shape, dtype=np.int32)
    with_ties = coefficient == "kendall_tau_a"
    for item in range(n_items):
        form = _Form.of(metrics[:, :, item], masks[:, :, item])
        if with_ties:
            present = int((~np.isnan(metrics[0, :, item])).sum())
            bottoms = np.full((2, 1, 1), present * (present - 1) / 2, dtype=np.float32)
        else:
            bottoms = np.stack(form.untied())
        is_flat = bottoms == 0
        scales = np.where(is_flat, 0, 1 / np.sqrt(np.where(is_flat, 1, bottoms)))
        for d, human in enumerate(people):
            target = pair_signs(human[:, item, None]).astype(np.float32)
            of_people = float(bottoms.flat[0] if with_ties else np.abs(target).sum())
            if not of_people:
                undefined[d] += 1
                continue
            for side, surplus in enumerate(form.sums(target / np.sqrt(np.float32(of_people)))):
                totals[d, side] += surplus * scales[side]
            if is_flat.any():
                undefined[d] += is_flat
    counts = n_items - undefined
    taus = np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
    return np.asarray((taus[:, 0] - taus[:, 1]).transpose(0, 2, 1), dtype=np.float64)


@dataclass(frozen=True)
class _Form:
    """The signs of one item's system pairs as a form in the s of its swaps."""

    signs: tuple[Single, Single, Single, Single]
    stays: Single

    @classmethod
    def of(cls, scores: Floats, swapped: Masks) -> "_Form":
        """Return the form of an item's scores, metrics x systems, and swaps x systems."""
        one, other = np.triu_indices(len(scores), 1)
        first, second = np.triu_indices(scores.shape[1], 1)
        i, k = scores[:, first].T[:, :, None], scores[:, second].T[:, None, :]
        sign = np.greater(i, k).astype(np.float32)
        sign -= np.less(i, k)
        pairs = (one, one), (other, one), (one, other), (other, other)
        xx, yx, xy, yy = (sign[:, x, y] for x, y in pairs)
        return cls((xx, yx, xy, yy), (1 - 2 * swapped).astype(np.float32))

    @cached_property
    def products(self) -> Single:
        """Return 1 and the products of the s of each pair of systems, swaps x features."""
        first, second = np.triu_indices(self.stays.shape[1], 1)
        ones = np.ones((len(self.stays), 1), dtype=np.float32)
        return np.hstack([ones, self.stays[:, first] * self.stays[:, second]])

    @cached_property
    def parts(self) -> tuple[Single, Single, Single, Single]:
        """The tables a, b, c and d, each pairs of systems x pairs of metrics."""
        return _quarters(*self.signs)

    def sums(self, target: Single) -> tuple[Single, Single]:
        """Return both sides' sums of signs times the target's, swaps x pairs of metrics."""
        return self._sides(*(part * target for part in self.parts))

    def untied(self) -> tuple[Single, Single]:
        """Return both sides' numbers of system pairs that do not tie."""
        return self._sides(*_quarters(*(np.abs(sign) for sign in self.signs)))

    def _sides(self, a: Single, b: Single, c: Single, d: Single) -> tuple[Single, Single]:
        first, second = _ends(self.stays.shape[1])
        even = self.products @ np.vstack([a.sum(axis=0)[None], d])
        odd = self.stays @ (first @ b + second @ c)
        return even + odd, even - odd


@lru_cache(maxsize=4)
def _ends(n_systems: int) -> tuple[Single, Single]:
    """Return which system is the first, and which the second, of each pair: systems x pairs."""
    first, second = np.triu_indices(n_systems, 1)
    eye = np.eye(n_systems, dtype=np.float32)
    return eye[:, first], eye[:, second]


def _quarters(
    xx: Single, yx: Single, xy: Single, yy: Single
) -> tuple[Single, Single, Single, Single]:
    quarter = np.float32(0.25)
    return (
        quarter * (xx + yx + xy + yy),
        quarter * (xx - yx + xy - yy),
        quarter * (xx + yx - xy - yy),
        quarter * (xx - yx - xy + yy),
    )
