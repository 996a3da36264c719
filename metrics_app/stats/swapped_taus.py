"""Summary-level Kendall after swaps, for all pairs of metrics at once.

Whether the system pair (i, k) of an item is concordant after a swap depends on the two bits m_i
and m_k alone: its sign is xx + m_i (yx - xx) + m_k (xy - xx) + m_i m_k (xx - yx - xy + yy), where
yx is the sign of y_i - x_k and so on. The surplus of concordant pairs is therefore linear in the
bits and in their products: one matrix product per item serves all swaps, pairs of metrics and
dimensions. The pairs that are not tied, which tau b divides by, are counted in the same way.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from metrics_app.stats.columns import pair_signs
from metrics_app.stats.samples import Floats
from metrics_app.stats.swaps import Masks

# Single precision holds sums of signs exactly; only the mean over items is rounded.
Single = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Shape:
    """Pairs of systems, and which system is their first and which their second."""

    n_systems: int
    first: npt.NDArray[np.intp] = field(init=False)
    second: npt.NDArray[np.intp] = field(init=False)
    is_first: Single = field(init=False)
    is_second: Single = field(init=False)

    def __post_init__(self) -> None:
        first, second = np.triu_indices(self.n_systems, 1)
        eye = np.eye(self.n_systems, dtype=np.float32)
        for name, value in (
            ("first", first),
            ("second", second),
            ("is_first", eye[:, first]),
            ("is_second", eye[:, second]),
        ):
            object.__setattr__(self, name, value)

    def features(self, bits: Masks) -> Single:
        """Return 1, the bits and their products, swaps x features."""
        m = bits.astype(np.float32)
        ones = np.ones((len(m), 1), dtype=np.float32)
        return np.hstack([ones, m, m[:, self.first] * m[:, self.second]])

    def weights(self, signs: Single) -> Single:
        """Return the weight of each feature in the sum of signs, features x columns.

        ``signs`` are xx, yx, xy and yy: 4 x pairs of systems x columns.
        """
        xx, yx, xy, yy = signs
        alone = self.is_first @ (yx - xx) + self.is_second @ (xy - xx)
        return np.vstack([xx.sum(axis=0)[None], alone, xx - yx - xy + yy])


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
    n_metrics, n_systems, n_items = metrics.shape
    shape = _Shape(n_systems)
    n_pairs = n_metrics * (n_metrics - 1) // 2
    totals = np.zeros((len(people), len(masks), 2 * n_pairs), dtype=np.float32)
    counts = np.zeros_like(totals)
    for item in range(n_items):
        crossed = _crossed_signs(metrics[:, :, item], shape)
        bits = shape.features(masks[:, :, item])
        present = int((~np.isnan(metrics[0, :, item])).sum())
        if coefficient == "kendall_tau_b":
            untied = bits @ shape.weights(np.abs(crossed))
        else:
            untied = np.full((1, 1), present * (present - 1) / 2, dtype=np.float32)
        scale = np.where(untied > 0, 1 / np.sqrt(np.maximum(untied, 1)), 0)
        for d, human in enumerate(people):
            target = pair_signs(human[:, item, None]).astype(np.float32)
            of_people = np.abs(target).sum() if coefficient == "kendall_tau_b" else untied.max()
            if of_people:
                surplus: Single = bits @ shape.weights(crossed * target)
                surplus *= scale
                surplus /= np.sqrt(of_people)
                totals[d] += surplus
                counts[d] += untied > 0
    mean = np.where(counts > 0, totals / np.maximum(counts, 1), np.nan)
    found = mean[:, :, :n_pairs] - mean[:, :, n_pairs:]
    return np.asarray(found.transpose(0, 2, 1), dtype=np.float64)


def _crossed_signs(scores: Floats, shape: _Shape) -> Single:
    """Return xx, yx, xy and yy of an item, 4 x pairs of systems x twice the pairs of metrics.

    The second half of the columns has the roles of the two metrics exchanged: it is what the
    other side of the swap receives.
    """
    one, other = np.triu_indices(len(scores), 1)
    x, y = np.concatenate([one, other]), np.concatenate([other, one])
    i, k = scores[:, shape.first].T, scores[:, shape.second].T
    sign = np.greater(i[:, :, None], k[:, None, :]).astype(np.float32)
    sign -= np.less(i[:, :, None], k[:, None, :])
    return np.stack([sign[:, x, x], sign[:, y, x], sign[:, x, y], sign[:, y, y]])
