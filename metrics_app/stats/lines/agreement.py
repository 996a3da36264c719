"""Coefficients of agreement as JSON lines: ratings, contingency tables and counts."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from metrics_app.stats import agreement
from metrics_app.stats.concordance import kendall_w
from metrics_app.stats.counts import CountTable
from metrics_app.stats.described import with_raters
from metrics_app.stats.icc import icc
from metrics_app.stats.pairwise import cohen_kappa
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Measurement, Scale
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.weights import Weights, weights_from_disagreement

Options = Mapping[str, Any]
Data = Mapping[str, Any]

# More units in a contingency table than this are a slip: each of them takes memory.
MOST_UNITS = 20_000_000


def read_table(options: Options, data: Data) -> RatingTable | CountTable:
    """Return the table of a request; its scale is the declared one or, without, what occurs."""
    shapes = [name for name in ("ratings", "table", "counts") if name in data]
    if len(shapes) != 1:
        raise ValueError("data need exactly one of ratings, table and counts")
    if shapes == ["counts"]:
        counts = data["counts"]
        width = len(counts[0]) if counts else 0
        scale = _scale(options.get("categories") or list(range(1, width + 1)))
        return CountTable.from_counts(counts, scale=scale)
    if shapes == ["table"]:
        return _from_table(data["table"], options.get("categories"))
    rows = data["ratings"]
    return _from_rows(rows, options.get("categories") or _seen_categories(rows))


def _from_table(table: Sequence[Sequence[int]], declared: Sequence[Any] | None) -> RatingTable:
    """Return the pairs of ratings that a contingency table counts."""
    size = len(table)
    if any(len(row) != size for row in table):
        raise ValueError("a contingency table must be square, rater 1 by rater 2")
    names = declared or list(range(1, size + 1))
    if declared and len(declared) != size:
        raise ValueError(f"{len(declared)} categories need a table of as many rows, not {size}")
    cells = CountTable.from_counts(table).counts
    if cells.sum(dtype=np.float64) > MOST_UNITS:
        raise ValueError(f"the table counts more than {MOST_UNITS:,} units")
    scale = _scale(names)
    points = np.asarray(scale.values if scale.labels else names, dtype=np.float64)
    pair = np.repeat(np.arange(size * size), cells.ravel())
    first, second = np.divmod(pair, max(size, 1))
    values = np.stack([points[first], points[second]], axis=1)
    return RatingTable.from_array(values, scale=scale).without_silent_raters()


def _seen_categories(rows: Sequence[Sequence[Any]]) -> list[Any]:
    seen = {value for row in rows for value in row if not _is_missing(value)}
    if any(isinstance(value, str) for value in seen) and not all(
        isinstance(value, str) for value in seen
    ):
        raise ValueError("ratings mix words and numbers; declare categories")
    return sorted(seen)


def _is_missing(value: object) -> bool:
    if isinstance(value, str):
        return not value.strip()
    return value is None or (isinstance(value, float) and math.isnan(value))


def _scale(categories: Sequence[Any]) -> Scale:
    if any(isinstance(value, str) for value in categories):
        return Scale.named([str(value) for value in categories], measurement="ordinal")
    return Scale.points(sorted(categories) or [0.0], measurement="interval")


def _from_rows(rows: Sequence[Sequence[Any]], categories: Sequence[Any]) -> RatingTable:
    if len({len(row) for row in rows}) > 1:
        raise ValueError("all units need as many cells as there are raters; null is missing")
    scale = _scale(categories)
    if scale.labels:
        position = {name: float(i) for i, name in enumerate(scale.labels, start=1)}
        rows = [[_position(value, position) for value in row] for row in rows]
    cells = [[math.nan if _is_missing(value) else value for value in row] for row in rows]
    width = len(rows[0]) if rows else 0
    values = np.array(cells, dtype=np.float64).reshape(len(rows), width)
    return RatingTable.from_array(values, scale=scale).without_silent_raters()


def _position(value: object, position: Mapping[str, float]) -> float:
    if _is_missing(value):
        return math.nan
    if str(value) not in position:
        raise ValueError(f"{value!r} is none of the categories {', '.join(position)}")
    return position[str(value)]


def read_weights(options: Options) -> Weights:
    """Return the weights of a request: a name, a matrix, or disagreements."""
    if "disagreement_weights" in options:
        return weights_from_disagreement(options["disagreement_weights"])
    weights = options.get("weights") or "unweighted"
    if weights == "custom":
        raise ValueError("custom weights need the option disagreement_weights, or a matrix")
    return weights if isinstance(weights, str) else np.asarray(weights, dtype=np.float64)


def answer(estimate: Estimate) -> dict[str, Any]:
    """Return what exists of an estimate in the words of the worked cases."""
    if estimate.undefined:
        found = {"undefined": estimate.undefined, **estimate.details}
    else:
        found = {
            "value": estimate.value,
            "se": estimate.se,
            "ci": list(estimate.ci) if estimate.ci else None,
            "p": estimate.p,
            **estimate.details,
        }
    is_absent = (
        value is None or (isinstance(value, float) and math.isnan(value))
        for value in found.values()
    )
    return {key: found[key] for key, absent in zip(found, is_absent, strict=True) if not absent}


def _weighted(statistic: Callable[..., Estimate]) -> Callable[[Options, Data], dict[str, Any]]:
    def handle(options: Options, data: Data) -> dict[str, Any]:
        table = read_table(options, data)
        confidence = float(options.get("confidence", 0.95))
        return answer(statistic(table, weights=read_weights(options), confidence=confidence))

    return handle


def _cohen_kappa(options: Options, data: Data) -> dict[str, Any]:
    estimate = cohen_kappa(
        read_table(options, data),
        weights=read_weights(options),
        min_shared=int(options.get("min_shared", 1)),
        confidence=float(options.get("confidence", 0.95)),
    )
    found = answer(estimate)
    method = str(options.get("ci_method", ""))
    # The normal interval, asked for by name, passes 1 as in statsmodels.
    asked = "ci_t" if method.startswith("t") else "ci_uncut" if "normal" in method else "ci"
    return {**found, "ci": found[asked]} if asked in found else found


def _krippendorff_alpha(options: Options, data: Data) -> dict[str, Any]:
    level: Measurement = options.get("measurement") or options.get("metric") or "nominal"
    return answer(agreement.krippendorff_alpha(read_table(options, data), measurement=level))


def _icc(options: Options, data: Data) -> dict[str, Any]:
    table = with_raters(read_table(options, data), "ICC")
    form, confidence = str(options.get("form", "ICC(A,1)")), options.get("confidence", 0.95)
    if not table.is_complete and table.n_raters:
        # Raters are columns here, so all forms leave incomplete units out, as irr and pingouin do.
        is_full = table.ratings_per_unit == table.n_raters
        if table.n_ratings and not is_full.any():
            return {"undefined": "incomplete" if table.has_pairs else "no_pairs"}
        table = table.select_units(is_full)
    return answer(icc(table, form=form, confidence=float(confidence)))


def _kendall_w(options: Options, data: Data) -> dict[str, Any]:
    table = with_raters(read_table(options, data), "Kendall's W")
    return answer(kendall_w(table, correct_ties=bool(options.get("correct_ties", True))))


HANDLERS = {
    "percent_agreement": _weighted(agreement.percent_agreement),
    "cohen_kappa": _cohen_kappa,
    "scott_pi": _weighted(agreement.scott_pi),
    "fleiss_kappa": _weighted(agreement.fleiss_kappa),
    "conger_kappa": _weighted(agreement.conger_kappa),
    "gwet_ac": _weighted(agreement.gwet_ac),
    "brennan_prediger": _weighted(agreement.brennan_prediger),
    "krippendorff_alpha": _krippendorff_alpha,
    "krippendorff_alpha_gwet": _weighted(agreement.krippendorff_alpha_gwet),
    "icc": _icc,
    "kendall_w": _kendall_w,
}
