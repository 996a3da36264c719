"""Raters two by two: Cohen's kappa of each pair, and pairs that are copies of each other."""

import math
from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from metrics_app.stats.cohen import Kappa, kappa_influences, kappa_of, kappa_of_pair
from metrics_app.stats.described import (
    Table,
    not_applicable,
    sizes,
    t_interval,
    undefined_estimate,
    with_raters,
)
from metrics_app.stats.pair_tables import (
    MIN_SHARED,
    PairTables,
    distinct,
    pair_tables,
    rating_pairs,
)
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Floats
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.weights import (
    Weights,
    is_identity,
    weight_matrix,
    words_of_weights,
)

MIN_IDENTICAL = 20
# A crowd has too many pairs to name each.
MOST_LISTED = 500


def cohen_kappa(
    table: Table,
    *,
    weights: Weights = "unweighted",
    min_shared: int = MIN_SHARED,
    confidence: float = 0.95,
) -> Estimate:
    """Return Cohen's kappa: of two raters, or the mean over all pairs of raters.

    Parameters
    ----------
    table : RatingTable
        Ratings on declared points; a pair is compared on the units that both rated.
    weights : str or array of float, shape (q, q)
        See `metrics_app.stats.weights.weight_matrix`. A matrix for two raters, the first in its
        rows, need not be symmetric (Cohen 1968).
    min_shared : int
        Units that a pair needs in common where there are more than two raters.
    confidence : float
        Coverage of the normal interval, which two raters get.

    Returns
    -------
    Estimate
        For two raters ``se`` (Fleiss, Cohen and Everitt 1969) and, in ``details``, ``se_null`` and
        ``z`` for a test of kappa = 0 and the interval ``ci_t`` from t(n - 1), as irrCAC has it;
        ``ci`` is normal and cut at 1, ``ci_uncut`` is not cut, as in statsmodels. For more raters
        ``se`` is that of the mean over pairs, units being what varies; ``details`` hold
        ``minimum``, ``maximum``, ``n_pairs``, ``n_pairs_too_few`` and, up to 500 of them, the
        ``pairs`` (raters, value, n_units).
        Undefined pairs are left out of the mean and counted.
    """
    table = with_raters(table, "Cohen's kappa")
    if reason := not_applicable(table, "nominal" if is_identity(weights) else "ordinal"):
        return undefined_estimate("cohen_kappa", table, reason)
    matrix = weight_matrix(weights, table.scale, may_be_skew=table.n_raters == 2)
    words = f"Cohen's kappa, {words_of_weights(weights)}"
    if table.n_raters == 2:
        cells = pair_tables(table, 1).tables[0]
        kappa = kappa_of_pair(cells, matrix)
        return _of_two(table, kappa, (words, int(cells.sum())), confidence)
    return _mean_of_pairs(
        table, pair_tables(table, min_shared), matrix, f"{words}, {min_shared}", confidence
    )


def cross_kappa(
    table: RatingTable,
    first: Collection[Hashable],
    *,
    weights: Weights = "unweighted",
    confidence: float = 0.95,
) -> Estimate:
    """Return the mean of Cohen's kappa over pairs of one rater of a group and one outside it.

    Parameters
    ----------
    table : RatingTable
        Ratings of both groups on declared points.
    first : collection of raters
        One group; all other raters are the other.
    weights, confidence
        As for `cohen_kappa`.

    Returns
    -------
    Estimate
        As the mean over pairs of `cohen_kappa`; ``details["pa"]`` is the share of equal answers
        among all pairs. Undefined where no pair has ten units in common, or none is defined.
    """
    if reason := not_applicable(table, "nominal" if is_identity(weights) else "ordinal"):
        return undefined_estimate("cohen_kappa", table, reason)
    matrix = weight_matrix(weights, table.scale)
    pairs = pair_tables(table, MIN_SHARED)
    across = pairs.part(np.array([(a in first) != (b in first) for a, b in pairs.raters], bool))
    words = f"Cohen's kappa, {words_of_weights(weights)}, of raters of two groups, {MIN_SHARED}"
    found = _mean_of_pairs(table, across, matrix, words, confidence)
    total = across.tables.sum()
    equal = float(np.einsum("pii->", across.tables) / total) if total else math.nan
    return replace(found, details={**found.details, "pa": equal})


def _of_two(table: RatingTable, kappa: Kappa, of: tuple[str, int], confidence: float) -> Estimate:
    words, n_shared = of
    is_known = not math.isnan(kappa.se)
    reach = float(special.ndtri((1 + confidence) / 2)) * kappa.se
    z = kappa.value / kappa.se_null if kappa.se_null > 0 else math.nan
    return Estimate(
        statistic="cohen_kappa",
        value=kappa.value,
        se=kappa.se,
        ci=(kappa.value - reach, min(1.0, kappa.value + reach)) if is_known else None,
        ci_method="normal, Fleiss-Cohen-Everitt error" if is_known else "",
        confidence=confidence,
        p=float(2 * special.ndtr(-abs(z))),
        method=f"{words}; p two-sided, from the error under kappa = 0",
        undefined=kappa.undefined,
        details={
            "pa": kappa.pa,
            "pe": kappa.pe,
            "se_null": kappa.se_null,
            "z": z,
            "ci_uncut": (kappa.value - reach, kappa.value + reach) if is_known else None,
            "ci_t": t_interval(kappa.value, kappa.se, n_shared - 1, confidence),
        },
        **sizes(table),
    )


def _mean_of_pairs(
    table: RatingTable, pairs: PairTables, matrix: Floats, words: str, confidence: float
) -> Estimate:
    values = kappa_of(pairs.tables, matrix)
    is_defined = ~np.isnan(values)
    defined = values[is_defined]
    n_pairs = int(defined.size)
    value = float(defined.mean()) if n_pairs else math.nan
    # Pairs share raters and units, so units, not pairs, are what varies independently.
    moved = pairs.meetings.sum_per_row(kappa_influences(pairs.tables, matrix))
    se = float(np.sqrt(pairs.meetings.times @ moved**2)) / n_pairs if n_pairs else math.nan
    reach = float(special.ndtri((1 + confidence) / 2)) * se
    return Estimate(
        statistic="cohen_kappa",
        value=value,
        se=se,
        ci=(value - reach, min(1.0, value + reach)) if n_pairs else None,
        ci_method="normal, error linearised over units" if n_pairs else "",
        confidence=confidence,
        method=f"mean over pairs of raters of {words} or more units in common",
        undefined=None if n_pairs else _reason(pairs),
        n_undefined=values.size - n_pairs,
        details=_details(pairs, values, defined),
        **sizes(table),
    )


def _details(pairs: PairTables, values: Floats, defined: Floats) -> dict[str, Any]:
    found: dict[str, Any] = {
        "n_pairs": int(defined.size),
        "n_pairs_too_few": pairs.n_too_few,
        "minimum": float(defined.min()) if defined.size else math.nan,
        "maximum": float(defined.max()) if defined.size else math.nan,
    }
    if values.size <= MOST_LISTED:
        found["pairs"] = [
            {"raters": raters, "value": value, "n_units": n_units}
            for raters, value, n_units in zip(
                pairs.raters, values.tolist(), pairs.n_shared.tolist(), strict=True
            )
        ]
    return found


def _reason(pairs: PairTables) -> str:
    marginals = pairs.tables.sum(axis=1) + pairs.tables.sum(axis=2)
    is_single = np.count_nonzero(marginals, axis=1) < 2
    return "one_category" if is_single.size and is_single.all() else "no_defined_pair"


@dataclass(frozen=True, slots=True)
class IdenticalPair:
    """Two raters whose answers are equal on every unit that both rated."""

    raters: tuple[Hashable, Hashable]
    n_units: int


def identical_pairs(table: RatingTable, *, min_shared: int = MIN_IDENTICAL) -> list[IdenticalPair]:
    """Return the pairs of raters that agree on every one of their shared units.

    Real data hold such copies. Pairs with fewer than ``min_shared`` units in common are not
    judged, nor are pairs whose shared answers are all one and the same: two raters who only ever
    say 5 need not have copied.
    """
    left, right = rating_pairs(table)
    different, pair = distinct(
        table.rater[left] * table.n_raters + table.rater[right], table.n_raters**2
    )
    n_pairs = different.size
    n_shared = np.bincount(pair, minlength=n_pairs)
    differ = table.value[left] != table.value[right]
    n_different = np.bincount(pair, weights=differ, minlength=n_pairs)
    low, high = np.full(n_pairs, np.inf), np.full(n_pairs, -np.inf)
    np.minimum.at(low, pair, table.value[left])
    np.maximum.at(high, pair, table.value[left])
    is_copy = (n_shared >= min_shared) & (n_different == 0) & (low < high)
    keys = table.rater_keys
    return [
        IdenticalPair((keys[code // table.n_raters], keys[code % table.n_raters]), n_units)
        for code, n_units in zip(
            different[is_copy].tolist(), n_shared[is_copy].tolist(), strict=True
        )
    ]
