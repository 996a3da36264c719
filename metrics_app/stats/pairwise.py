"""Raters two by two: Cohen's kappa of each pair, and pairs that are copies of each other."""

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from metrics_app.stats.cohen import (
    MIN_SHARED,
    Kappa,
    PairTables,
    kappa_of_pair,
    pair_tables,
    rating_pairs,
)
from metrics_app.stats.described import (
    Table,
    not_applicable,
    sizes,
    undefined_estimate,
    with_raters,
)
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Floats, Ints
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.weights import (
    Weights,
    is_identity,
    name_of_weights,
    weight_matrix,
)

MIN_IDENTICAL = 20


def cohen_kappa(
    table: Table,
    *,
    weights: Weights = "identity",
    min_shared: int = MIN_SHARED,
    confidence: float = 0.95,
) -> Estimate:
    """Return Cohen's kappa: of two raters, or the mean over all pairs of raters.

    Parameters
    ----------
    table : RatingTable
        Ratings on declared points; a pair is compared on the units that both rated.
    weights : str or array of float, shape (q, q)
        See `metrics_app.stats.weights.weight_matrix`.
    min_shared : int
        Units that a pair needs in common where there are more than two raters.
    confidence : float
        Coverage of the normal interval, which two raters get.

    Returns
    -------
    Estimate
        For two raters ``se`` (Fleiss, Cohen and Everitt 1969) and, in ``details``, ``se_null`` and
        ``z`` for a test of kappa = 0. For more raters ``details`` hold ``pairs`` (raters, value,
        n_units, undefined), ``minimum``, ``maximum``, ``n_pairs`` and ``n_pairs_too_few``;
        undefined pairs are left out of the mean and counted.
    """
    table = with_raters(table, "Cohen's kappa")
    if reason := not_applicable(table, "nominal" if is_identity(weights) else "ordinal"):
        return undefined_estimate("cohen_kappa", table, reason)
    matrix = weight_matrix(weights, table.scale)
    words = f"Cohen's kappa, {name_of_weights(weights)} weights"
    if table.n_raters == 2:
        cells = pair_tables(table, 1).tables[0]
        return _of_two(table, kappa_of_pair(cells, matrix), words, confidence)
    return _mean_of_pairs(table, pair_tables(table, min_shared), matrix, f"{words}, {min_shared}")


def _of_two(table: RatingTable, kappa: Kappa, words: str, confidence: float) -> Estimate:
    is_known = not math.isnan(kappa.se)
    reach = float(stats.norm.ppf((1 + confidence) / 2)) * kappa.se
    z = kappa.value / kappa.se_null if kappa.se_null > 0 else math.nan
    return Estimate(
        statistic="cohen_kappa",
        value=kappa.value,
        se=kappa.se,
        ci=(kappa.value - reach, min(1.0, kappa.value + reach)) if is_known else None,
        ci_method="normal, Fleiss-Cohen-Everitt error" if is_known else "",
        confidence=confidence,
        p=float(2 * stats.norm.sf(abs(z))),
        method=f"{words}; p two-sided, from the error under kappa = 0",
        undefined=kappa.undefined,
        details={"pa": kappa.pa, "pe": kappa.pe, "se_null": kappa.se_null, "z": z},
        **sizes(table),
    )


def _mean_of_pairs(table: RatingTable, pairs: PairTables, matrix: Floats, words: str) -> Estimate:
    kappas = [kappa_of_pair(cells, matrix) for cells in pairs.tables]
    values = np.array([kappa.value for kappa in kappas])
    defined = values[~np.isnan(values)]
    details: dict[str, Any] = {
        "n_pairs": int(defined.size),
        "n_pairs_too_few": pairs.n_too_few,
        "minimum": float(defined.min()) if defined.size else math.nan,
        "maximum": float(defined.max()) if defined.size else math.nan,
        "pairs": [
            {"raters": raters, "value": k.value, "n_units": int(n), "undefined": k.undefined}
            for raters, k, n in zip(pairs.raters, kappas, pairs.n_shared, strict=True)
        ],
    }
    return Estimate(
        statistic="cohen_kappa",
        value=float(defined.mean()) if defined.size else math.nan,
        method=f"mean over pairs of raters of {words} or more units in common",
        undefined=None if defined.size else _reason(kappas),
        n_undefined=len(kappas) - int(defined.size),
        details=details,
        **sizes(table),
    )


def _reason(kappas: list[Kappa]) -> str:
    reasons = {kappa.undefined for kappa in kappas}
    return "one_category" if reasons == {"one_category"} else "no_defined_pair"


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
    first, second = rating_pairs(table)
    pair = table.rater[first] * table.n_raters + table.rater[second]
    different, position, n_shared = np.unique(pair, return_inverse=True, return_counts=True)
    differ = np.bincount(
        position, weights=table.value[first] != table.value[second], minlength=different.size
    )
    is_copy = (n_shared >= min_shared) & (differ == 0)
    varies = _varies(position, table.value[first], different.size)
    return [
        IdenticalPair(
            (table.rater_keys[code // table.n_raters], table.rater_keys[code % table.n_raters]),
            int(n),
        )
        for code, n in zip(
            different[is_copy & varies].tolist(), n_shared[is_copy & varies], strict=True
        )
    ]


def _varies(position: Ints, value: Floats, n_pairs: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    low, high = np.full(n_pairs, np.inf), np.full(n_pairs, -np.inf)
    np.minimum.at(low, position, value)
    np.maximum.at(high, position, value)
    return np.asarray(low < high)
