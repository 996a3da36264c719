"""Agreement of OpinSummEval (arXiv 2310.18122) as published and as other libraries compute it."""

from functools import partial

import pytest

from metrics_app.stats.agreement import (
    brennan_prediger,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    percent_agreement,
)
from metrics_app.stats.pairwise import cohen_kappa
from metrics_app.stats.scopes import mean_over
from tests.metrics_app.stats.studies import checks, rating_rows, table_of

DIMENSIONS = ["aspect_relevance", "self_coherence", "sentiment_consistency", "readability"]
FUNCTIONS = {
    "percent_agreement": percent_agreement,
    "cohen_kappa": cohen_kappa,
    "fleiss_kappa": fleiss_kappa,
    "gwet_ac1": gwet_ac,
    "gwet_ac2": gwet_ac,
    "brennan_prediger": brennan_prediger,
    "krippendorff_alpha": krippendorff_alpha,
}
LEFT_OUT = [0.905543, 0.748237, 0.821868, 0.772231]


def _tables(study_data):
    rows = rating_rows(study_data("opinsummeval/ratings.csv.gz"))
    return {
        name: table_of([row for row in rows if row["dimension"] == name]) for name in DIMENSIONS
    }


def _coefficient(check):
    options = {}
    if "weights" in check:
        options["weights"] = check["weights"]
    if "level" in check:
        options["measurement"] = check["level"]
    return partial(FUNCTIONS[check["statistic"]], **options)


def _checks(study_data, prefix):
    found = [
        check
        for check in checks(study_data("opinsummeval/expected.json"))
        if check["id"].startswith(prefix)
    ]
    assert found
    return found


def test_pooled_agreement(study_data):
    tables = _tables(study_data)
    for check in _checks(study_data, "pooled."):
        estimate = _coefficient(check)(tables[check["dimension"]])

        assert estimate.value == pytest.approx(check["value"], abs=1e-9), check["id"]
        assert (estimate.n_units, estimate.n_ratings) == (check["n_items"], check["n_ratings"])


def test_mean_over_batches_and_systems_with_undefined_cells_as_one(study_data):
    tables = _tables(study_data)
    for check in _checks(study_data, "batchmean."):
        coefficient = _coefficient(check)
        if "observed_categories" in check["id"]:
            coefficient = _on_observed_points(coefficient)
        estimate = mean_over(tables[check["dimension"]], coefficient, undefined_rule="one")

        assert estimate.value == pytest.approx(check["value"], abs=1e-9), check["id"]
        assert estimate.details["n_groups"] == 140
        if "n_undefined_cells" in check:
            assert estimate.n_undefined == check["n_undefined_cells"]
            assert estimate.details["n_counted_as_one"] == check["n_undefined_cells"]


def _on_observed_points(coefficient):
    return lambda table: coefficient(table.with_observed_scale())


@pytest.mark.parametrize(("dimension", "value"), list(zip(DIMENSIONS, LEFT_OUT, strict=True)))
def test_leaving_undefined_cells_out_lowers_the_mean(study_data, dimension, value):
    estimate = mean_over(_tables(study_data)[dimension], cohen_kappa, undefined_rule="leave_out")

    assert estimate.value == pytest.approx(value, abs=1e-6)
    assert estimate.details["n_counted_as_one"] == 0
    assert estimate.details["n_left_out"] == estimate.n_undefined
