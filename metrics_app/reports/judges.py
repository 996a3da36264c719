"""How single judges rate: severity, spread, agreement with the others and with each other."""

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from metrics_app.loaders.evaluation import Evaluation
from metrics_app.reports.correlation import ordered_dimensions
from metrics_app.reports.groups import parts
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.rows.judges import JudgePairRow, JudgeRow, LeftOutRow
from metrics_app.stats.agreement import krippendorff_alpha
from metrics_app.stats.cohen import kappa_of
from metrics_app.stats.conduct import flat_shares_of_columns
from metrics_app.stats.judges import JudgeProfile, judge_profiles
from metrics_app.stats.leave_one_out import alpha_without_each
from metrics_app.stats.pair_tables import distinct, rating_pairs
from metrics_app.stats.results import as_plain
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.weights import weight_matrix

Floats = npt.NDArray[np.float64]
Place = tuple[str, str]
# A heat map of more judges than these cannot be read.
MOST_JUDGES_IN_PAIRS = 40


def judge_rows(evaluation: Evaluation, _options: ReportOptions) -> Iterator[JudgeRow]:
    """Yield each judge of each part."""
    flat = _flat_shares(evaluation)
    for dimension, group, groups in parts(evaluation):
        table = _table(evaluation, dimension, groups)
        for profile in judge_profiles(table):
            yield _judge_row((dimension, group), profile, table, flat)


def _table(evaluation: Evaluation, dimension: str, groups: tuple[str, ...]) -> RatingTable:
    return evaluation.rating_table(dimension, groups).without_silent_raters()


def _flat_shares(evaluation: Evaluation) -> Mapping[str, float | None]:
    """Return each judge's share of outputs with one answer on all dimensions that have an order.

    Answers on single facts are no dimensions of the output and do not count.
    """
    rows = evaluation.judgements
    rows = rows.rows(rows.dimension.is_in(ordered_dimensions(evaluation)) & rows.fact.is_in([""]))
    unit = rows.system.codes * max(len(evaluation.items), 1) + rows.item.codes
    shares = flat_shares_of_columns(rows.judge.codes, unit, rows.value, len(rows.judge.keys))
    return dict(zip(rows.judge.keys, as_plain(shares), strict=True))


def _judge_row(
    place: Place, profile: JudgeProfile, table: RatingTable, flat: Mapping[str, float | None]
) -> JudgeRow:
    dimension, group = place
    # Differences and correlations of labels mean nothing; shares of equal labels do.
    has_order = table.scale.measurement != "nominal"
    severity, correlation = profile.severity, profile.correlation
    return JudgeRow(
        dimension=dimension,
        group=group,
        judge=str(profile.judge),
        n_ratings=profile.n_ratings,
        n_shared=profile.n_shared,
        mean=as_plain(profile.mean) if has_order else None,
        sd=as_plain(profile.spread) if has_order else None,
        severity=as_plain(severity.value) if has_order else None,
        ci=severity.ci if has_order else None,
        ci_method=severity.ci_method if has_order else "",
        correlation=as_plain(correlation.value) if has_order else None,
        correlation_ci=correlation.ci if has_order else None,
        exact_agreement=as_plain(profile.exact_agreement),
        mean_distance=as_plain(profile.mean_distance) if has_order else None,
        modal_share=as_plain(profile.modal_share),
        flat_share=flat.get(str(profile.judge)),
        undefined=severity.undefined if has_order else "not_on_this_scale",
        method=severity.method,
    )


def judge_pair_rows(evaluation: Evaluation, _options: ReportOptions) -> Iterator[JudgePairRow]:
    """Yield every two judges who share units, where there are few enough to be shown."""
    for dimension, group, groups in parts(evaluation):
        table = _table(evaluation, dimension, groups)
        if 2 <= table.n_raters <= MOST_JUDGES_IN_PAIRS:
            yield from _pairs((dimension, group), table)


def _pairs(place: Place, table: RatingTable) -> Iterator[JudgePairRow]:
    left, right = rating_pairs(table)
    code = table.rater[left] * table.n_raters + table.rater[right]
    met, pair = distinct(code, table.n_raters**2)
    n_shared = np.bincount(pair, minlength=met.size)
    equal = np.bincount(pair, table.value[left] == table.value[right], minlength=met.size)
    gaps = np.bincount(pair, table.value[left] - table.value[right], minlength=met.size)
    has_order = table.scale.measurement != "nominal"
    weights = "quadratic" if has_order else "unweighted"
    kappas = _kappas(table, (left, right, pair), met.size, weights)
    for place_of, (first, second) in enumerate(zip(*np.divmod(met, table.n_raters), strict=True)):
        n, kappa = int(n_shared[place_of]), kappas[place_of]
        yield JudgePairRow(
            dimension=place[0],
            group=place[1],
            judges=(str(table.rater_keys[first]), str(table.rater_keys[second])),
            n_shared=n,
            exact_agreement=float(equal[place_of]) / n,
            difference=float(gaps[place_of]) / n if has_order else None,
            kappa=as_plain(float(kappa)),
            weights=weights,
            undefined=_why_no_kappa(table, kappa),
        )


def _kappas(
    table: RatingTable,
    meetings: tuple[npt.NDArray[np.int64], ...],
    n_pairs: int,
    weights: str,
) -> Floats:
    if table.scale.is_range:
        return np.full(n_pairs, np.nan)
    left, right, pair = meetings
    q = table.scale.n_points
    cell = (pair * q + table.codes[left]) * q + table.codes[right]
    tables = np.bincount(cell, minlength=n_pairs * q * q).reshape(n_pairs, q, q)
    return kappa_of(tables.astype(np.float64), weight_matrix(weights, table.scale))


def _why_no_kappa(table: RatingTable, kappa: float) -> str | None:
    if table.scale.is_range:
        return "not_on_this_scale"
    return "one_category" if np.isnan(kappa) else None


def left_out_rows(evaluation: Evaluation, _options: ReportOptions) -> Iterator[LeftOutRow]:
    """Yield alpha without each judge, and how far that is from alpha with all of them.

    On a range only groups of few judges are taken, since each alpha is computed anew there.
    """
    for dimension, group, groups in parts(evaluation):
        table = _table(evaluation, dimension, groups)
        if table.n_raters and (not table.scale.is_range or table.n_raters <= MOST_JUDGES_IN_PAIRS):
            yield from _left_out((dimension, group), table)


def _left_out(place: Place, table: RatingTable) -> Iterator[LeftOutRow]:
    level = table.scale.measurement
    whole = krippendorff_alpha(table, measurement=level)
    n_own = np.bincount(table.rater, minlength=table.n_raters)
    n_alone = np.bincount(
        table.rater, table.ratings_per_unit[table.unit] == 1, minlength=table.n_raters
    )
    for position, (judge, value) in enumerate(zip(table.rater_keys, _alphas(table), strict=True)):
        plain: float | None = as_plain(float(value))
        both = plain is not None and whole.undefined is None
        yield LeftOutRow(
            dimension=place[0],
            group=place[1],
            judge=str(judge),
            statistic=whole.statistic,
            options={"measurement": level},
            value=plain,
            change=float(value - whole.value) if both else None,
            n_units=table.n_rated - int(n_alone[position]),
            n_raters=table.n_raters - 1,
            n_ratings=table.n_ratings - int(n_own[position]),
            undefined=None if plain is not None else _why_no_alpha(table, whole.undefined),
        )


def _alphas(table: RatingTable) -> Floats:
    if not table.scale.is_range:
        return alpha_without_each(table, table.scale.measurement)
    return np.array(
        [krippendorff_alpha(table.without_rater(key)).value for key in table.rater_keys]
    )


def _why_no_alpha(table: RatingTable, reason: str | None) -> str:
    return reason or ("too_few_raters" if table.n_raters < 3 else "one_category")
