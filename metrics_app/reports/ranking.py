"""Which system is best, and how sure that is."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.contract import ContrastRow, RankingRow
from metrics_app.reports.means import describe
from metrics_app.stats.item_scores import ItemScores
from metrics_app.stats.ranking import HeadToHead, RankingOptions, rank_systems
from metrics_app.stats.results import as_plain
from metrics_app.stats.system_differences import bootstrap_differences

Floats = npt.NDArray[np.float64]
Place = tuple[str, str]


def ranking_rows(
    evaluation: Evaluation,
    place: Place,
    groups: tuple[str, ...],
    *,
    rng: np.random.Generator,
    n_resamples: int = 1_000,
) -> tuple[list[RankingRow], list[ContrastRow]]:
    """Return the systems from best to worst, and every pair of them.

    Parameters
    ----------
    place : tuple of str
        Dimension and name of the group.
    rng : numpy.random.Generator
        Draws items for the rank ranges, then for the intervals of the contrasts.
    n_resamples : int
        Resamples behind each interval of a contrast.
    """
    dimension, group = place
    outputs = evaluation.human_scores(dimension, groups)
    scores = ItemScores.from_array(outputs.T, systems=evaluation.systems, items=evaluation.items)
    ranking = rank_systems(scores, rng=rng, options=RankingOptions())
    pairs, better = ranking.head_to_head, _shares(ranking.head_to_head)
    z_scores = _z_scores(evaluation, place, groups)
    rows = []
    for position, one in enumerate(ranking.systems):
        has_next = position + 1 < len(ranking.systems)
        below = (position, position + 1)
        rows.append(
            RankingRow(
                dimension=dimension,
                group=group,
                system=str(one.system),
                rank=one.rank,
                rank_ci=one.rank_range,
                cluster=one.cluster,
                mean=as_plain(one.mean.value),
                ci=one.mean.ci,
                p_next=as_plain(pairs.p_adjusted[below]) if has_next else None,
                share_over_next=as_plain(better[below]) if has_next else None,
                n_items=one.mean.n_units,
                undefined=one.mean.undefined or ranking.undefined,
                method=ranking.method,
                **_z_numbers(z_scores.get(str(one.system))),
            )
        )
    ordered = outputs[[evaluation.systems.index(row.system) for row in rows]]
    intervals = bootstrap_differences(ordered, rng=rng, n_resamples=n_resamples)
    return rows, list(_contrasts(place, pairs, ordered, intervals, n_resamples))


def _shares(pairs: HeadToHead) -> Floats:
    """Return the share of shared items on which the row is above the column, ties half."""
    ties = pairs.n_items - pairs.n_better - pairs.n_better.T
    shares: Floats = np.full(pairs.n_items.shape, np.nan)
    won = pairs.n_better + ties / 2
    np.divide(won, pairs.n_items, out=shares, where=pairs.n_items > 0)
    return shares


def _z_scores(evaluation: Evaluation, place: Place, groups: tuple[str, ...]) -> dict[str, Floats]:
    """Return each system's mean z score by item, judges whose ratings do not vary left out."""
    table = evaluation.rating_table(place[0], groups)
    if not table.n_ratings:
        return {}
    scores = ItemScores.from_ratings(table, standardise=True)
    columns = zip(scores.systems, scores.values.T, strict=True)
    return {str(system): column[~np.isnan(column)] for system, column in columns}


def _z_numbers(values: Floats | None) -> dict[str, Any]:
    if values is None or not values.size:
        return {}
    mean, _, _, ci = describe(values)
    return {"z_mean": mean, "z_ci": ci}


def _contrasts(
    place: Place, pairs: HeadToHead, outputs: Floats, intervals: Floats, n_resamples: int
) -> Iterator[ContrastRow]:
    dimension, group = place
    n = len(pairs.systems)
    for first in range(n):
        for second in range(first + 1, n):
            gaps = outputs[first] - outputs[second]
            gaps = gaps[~np.isnan(gaps)]
            difference, _, _, ci = describe(gaps) if gaps.size else (None, None, None, None)
            yield ContrastRow(
                dimension=dimension,
                group=group,
                systems=(str(pairs.systems[first]), str(pairs.systems[second])),
                difference=difference,
                ci=ci,
                ci_method="t over item differences" if ci else "",
                n_items=gaps.size,
                n_better=int(pairs.n_better[first, second]),
                n_worse=int(pairs.n_better[second, first]),
                p=as_plain(pairs.p[first, second]),
                p_adjusted=as_plain(pairs.p_adjusted[first, second]),
                bootstrap_ci=_interval(intervals[first, second]) if gaps.size > 1 else None,
                n_resamples=n_resamples,
            )


def _interval(bounds: Floats) -> tuple[float, float] | None:
    low, high = bounds.tolist()
    return None if np.isnan(low) else (low, high)
