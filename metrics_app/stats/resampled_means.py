"""Summary-level Pearson and Spearman of many metrics and dimensions on resampled tables.

The mean over the resampled items, each weighted by its count, is taken for all metrics and
dimensions together. Spearman is one product of centred ranks that are scaled to length 1; Pearson
is the weighted sums of products less the products of the weighted sums, scaled likewise.
"""

import numpy as np

from metrics_app.stats.resampled_columns import Counts, MomentSide, RankSide, Table
from metrics_app.stats.samples import Floats

AT_ONCE = ("pearson", "spearman")


def mean_correlations(
    metrics: list[Floats], people: list[Floats], counts: tuple[Counts, Counts], coefficient: str
) -> Floats:
    """Return the mean over items of every metric's correlation with every dimension.

    Parameters
    ----------
    metrics, people : lists of array, systems x items
        Complete series.
    counts : (replicates x systems, replicates x items)
        How often each replicate holds each system and each item.
    coefficient : {"pearson", "spearman"}

    Returns
    -------
    array, replicates x metrics x dimensions
        NaN where no item of the replicate has a correlation.
    """
    of_systems, of_items = counts
    weights = of_items[:, None, :]
    if coefficient == "pearson":
        moments = [[MomentSide(one, of_systems) for one in part] for part in (metrics, people)]
        x_scale, z_scale = _scales(moments[0]), _scales(moments[1])
        sums = _moment_sums(moments, (x_scale, z_scale * weights))
    else:
        ranks = [[RankSide(one, of_systems) for one in part] for part in (metrics, people)]
        x_scale, z_scale = _scales(ranks[0]), _scales(ranks[1])
        sums = _rank_sums(ranks, (x_scale, z_scale * weights))
    defined = ((z_scale > 0) * weights).transpose(0, 2, 1)
    total = (x_scale > 0).astype(np.float64) @ defined
    means = np.where(total > 0, sums / np.maximum(total, 1), np.nan)
    return np.clip(means, -1, 1)


def _scales(sides: list[MomentSide] | list[RankSide]) -> Floats:
    """Return 1 / root of the spreads, replicates x series x items.

    It is 0 where there is no spread, so that such an item adds nothing to any sum.
    """
    scales = np.stack([side.scale for side in sides], axis=1)
    scales[np.isnan(scales)] = 0
    return scales


def _moment_sums(sides: list[list[MomentSide]], scales: tuple[Floats, Floats]) -> Floats:
    metrics, people = sides
    x_scale, z_scale = scales
    counts = metrics[0].counts
    values = np.stack([side.values for side in metrics], axis=1)
    sums = np.empty((len(counts), len(metrics), len(people)))
    for place, human in enumerate(people):
        products = counts @ (values * human.values[:, None, :]).reshape(len(values), -1)
        products = products.reshape(x_scale.shape)
        sums[:, :, place] = np.einsum("bmi,bmi,bi->bm", products, x_scale, z_scale[:, place])
    x, z = (
        np.stack([side.total for side in part], axis=1) * scale
        for part, scale in zip(sides, scales, strict=True)
    )
    return np.asarray(sums - x @ z.transpose(0, 2, 1))


def _rank_sums(sides: list[list[RankSide]], scales: tuple[Floats, Floats]) -> Floats:
    counts = sides[0][0].counts
    x, z = (_stack(part, scale) for part, scale in zip(sides, scales, strict=True))
    z *= counts[:, None, :, None]
    flat = (len(counts), -1, x.shape[2] * x.shape[3])
    return np.asarray(x.reshape(flat) @ z.reshape(flat).transpose(0, 2, 1), dtype=np.float64)


def _stack(sides: list[RankSide], scale: Floats) -> Table:
    """Return scaled ranks, replicates x series x systems x items."""
    ranks = np.empty((len(scale), len(sides), *sides[0].ranks.shape[1:]), sides[0].ranks.dtype)
    exact = scale.astype(ranks.dtype)
    for place, side in enumerate(sides):
        np.multiply(side.ranks, exact[:, place, None, :], out=ranks[:, place])
    return ranks
