"""All coefficients from one bootstrap: the same values, honest intervals, the right unit."""

import math

import numpy as np
import pytest

from metrics_app.stats.agreement_report import agreement_report, values_of
from metrics_app.stats.coefficients import coefficients_for, find_coefficient, weight_matrices
from metrics_app.stats.features import Blocks, feature_rows, makers_of
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable
from metrics_app.stats.units import units_of
from tests.metrics_app.stats.studies import rating_rows, table_of
from tests.metrics_app.stats.test_agreement import FIVE, noisy

N = math.nan
SCALES = {
    "points": FIVE,
    "names": Scale.named(list("abcde")),
    "range": Scale.range(0, 10, measurement="ratio"),
}


def _table(cells, scale=FIVE, **groups):
    return RatingTable.from_array(cells, scale=scale, **groups)


def _report(table, **options):
    found = agreement_report(table, rng=np.random.default_rng(options.pop("seed", 0)), **options)
    return {
        (estimate.statistic, *estimate.details.get("options", {}).values()): estimate
        for estimate in found
    }


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(("n_raters", "share_missing"), [(2, 0.0), (4, 0.0), (4, 0.25), (30, 0.9)])
def test_sums_give_the_value_of_every_coefficient(scale, n_raters, share_missing):
    cells = noisy(n_units=80, n_raters=n_raters, share_missing=share_missing)
    table = _table(cells, SCALES[scale])
    units = units_of(table)
    drawn = [
        c
        for c in coefficients_for(table)
        if c.value and (units.cells is not None or not c.needs_raters)
    ]
    names = [name for c in drawn for name in c.needs]
    rows, places = feature_rows(units, makers_of(table, weight_matrices(table)), names)

    values = values_of(Blocks(rows.totals, places), drawn)

    assert len(drawn) >= 2
    for coefficient, value in zip(drawn, values, strict=True):
        expected = coefficient.estimate(table).value
        label = (coefficient.statistic, coefficient.options)
        assert value == pytest.approx(expected, abs=1e-11, nan_ok=True), label


def test_the_standard_error_is_near_the_analytic_one():
    report = _report(_table(noisy(n_units=400)))

    for key in [
        ("fleiss_kappa", "unweighted"),
        ("gwet_ac", "quadratic"),
        ("conger_kappa", "linear"),
    ]:
        estimate = report[key]
        assert estimate.se == pytest.approx(estimate.details["analytic_se"], rel=0.1), key
        assert estimate.ci == pytest.approx(estimate.details["analytic_ci"], abs=0.02), key


def test_the_same_seed_gives_the_same_report():
    table = _table(noisy())

    first, again, other = (_report(table, seed=seed, n_resamples=200) for seed in (1, 1, 2))

    key = ("krippendorff_alpha", "ordinal")
    assert first[key] == again[key]
    assert first[key].ci != other[key].ci


def test_bca_shifts_the_interval_and_says_so():
    table = _table(noisy(n_units=40))
    key = ("gwet_ac", "unweighted")

    percentile, bca = (_report(table, interval=kind)[key] for kind in ("percentile", "bca"))

    assert percentile.ci_method == "percentile bootstrap, 1000 resamples of units"
    assert bca.ci_method == "BCa bootstrap, 1000 resamples of units"
    assert bca.ci[0] < bca.value < bca.ci[1]
    assert bca.ci != percentile.ci


def test_items_are_drawn_whole_where_systems_share_them():
    # Ten systems with the same ratings for an item are no ten independent units.
    cells = np.repeat(noisy(n_units=50), 10, axis=0)
    items = np.repeat(np.arange(50), 10).tolist()

    clustered = _report(_table(cells, item=items))[("fleiss_kappa", "unweighted")]
    naive = _report(_table(cells))[("fleiss_kappa", "unweighted")]
    of_items = _report(_table(noisy(n_units=50)))[("fleiss_kappa", "unweighted")]

    assert clustered.ci_method.endswith("items with all their units")
    assert clustered.se == pytest.approx(of_items.se, rel=0.15)
    assert naive.se == pytest.approx(of_items.se / math.sqrt(10), rel=0.15)


def test_opinsummeval_interval_from_resampled_items(study_data):
    rows = rating_rows(study_data("opinsummeval/ratings.csv.gz"))
    expected = {
        "aspect_relevance": (0.9006, 0.9373),
        "self_coherence": (0.7936, 0.8582),
        "sentiment_consistency": (0.8448, 0.9000),
        "readability": (0.8097, 0.8638),
    }
    for dimension, ci in expected.items():
        table = table_of([row for row in rows if row["dimension"] == dimension])
        kappa = find_coefficient(table, "cohen_kappa", weights="unweighted")

        (estimate,) = agreement_report(
            table, rng=np.random.default_rng(0), coefficients=[kappa], n_resamples=20_000
        )

        assert estimate.ci == pytest.approx(ci, abs=0.002), dimension


def test_undefined_resamples_are_counted():
    # Only one unit of five differs; a resample without it has one category.
    cells = np.array([[1, 1], [1, 1], [1, 1], [1, 1], [1, 2]], dtype=float)

    estimate = _report(_table(cells))[("krippendorff_alpha", "nominal")]

    # (4/5)^5 = .328 of the resamples, within five standard errors.
    assert estimate.n_undefined / 1000 == pytest.approx(0.328, abs=0.075)


@pytest.mark.parametrize("scale", SCALES)
def test_a_table_without_ratings_has_a_report(scale):
    found = agreement_report(
        _table(np.full((3, 2), N), SCALES[scale]), rng=np.random.default_rng(0)
    )

    assert {estimate.undefined for estimate in found} == {"all_missing"}


def test_a_range_has_intervals_where_it_has_sums():
    report = _report(_table(noisy(), SCALES["range"]))

    assert set(report) == {
        ("krippendorff_alpha", "ordinal"),
        ("krippendorff_alpha", "interval"),
        ("krippendorff_alpha", "ratio"),
        ("kendall_w",),
        *(("icc", form) for form in ("ICC(1,1)", "ICC(1,k)", "ICC(A,1)", "ICC(A,k)")),
        ("icc", "ICC(C,1)"),
        ("icc", "ICC(C,k)"),
    }
    assert report[("krippendorff_alpha", "interval")].ci is not None
    assert report[("krippendorff_alpha", "ordinal")].ci is None


def test_a_crowd_keeps_the_analytic_interval_where_raters_are_told_apart():
    cells = noisy(n_units=60, n_raters=40, share_missing=0.9)

    report = _report(_table(cells))

    assert report[("conger_kappa", "unweighted")].ci_method.startswith("t, df")
    assert report[("gwet_ac", "unweighted")].ci_method.startswith("percentile bootstrap")


def test_a_coefficient_that_the_scale_lacks_is_named_with_those_it_has():
    table = _table(noisy(), SCALES["names"])

    with pytest.raises(ValueError, match="no gwet_ac linear for this table; it admits percent"):
        find_coefficient(table, "gwet_ac", weights="linear")
