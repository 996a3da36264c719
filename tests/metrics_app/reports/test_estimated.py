"""Estimates as rows: what a kind of row has fields for, and nothing else."""

import numpy as np

from metrics_app.reports.estimated import EXACT, alpha_on, chosen_coefficients, estimate_row
from metrics_app.reports.rows.agreement import SelfAgreementRow
from metrics_app.stats.results import Estimate
from metrics_app.stats.scales import Scale
from metrics_app.stats.tables import RatingTable

PLACE = {"dimension": "fluency", "group": "crowd", "judge": "", "n_judges": 3}


def test_a_row_takes_what_it_has_fields_for():
    found = Estimate(
        "cohen_kappa", 0.5, se=0.1, n_units=7, n_raters=2,
        details={"pa": 0.8, "options": {"weights": "linear"}},
    )  # fmt: skip

    row = estimate_row(SelfAgreementRow, found, **PLACE)

    assert (row.value, row.n_units, row.observed, row.n_judges) == (0.5, 7, 0.8, 3)
    assert row.options == {"weights": "linear"}
    assert estimate_row(SelfAgreementRow, found, options={}, **PLACE).options == {}


def test_an_undefined_estimate_keeps_its_reason_and_has_no_value():
    row = estimate_row(SelfAgreementRow, Estimate("icc", np.nan, undefined="one_rater"), **PLACE)

    assert (row.value, row.undefined) == (None, "one_rater")


def test_only_wanted_coefficients_that_the_scale_admits_are_chosen():
    nominal = Scale.points((1, 2), measurement="nominal")
    kappa = ("cohen_kappa", {"weights": "quadratic"})

    def chosen(scale):
        table = RatingTable.from_array([[1, 2], [2, 2]], scale=scale)
        found = chosen_coefficients(table, EXACT, kappa, alpha_on(scale))
        return {(one.statistic, *one.options.values()) for one in found}

    exact = ("percent_agreement", "unweighted")
    assert chosen(nominal) == {exact, ("krippendorff_alpha", "nominal")}
    assert chosen(Scale.points((1, 2))) == {
        exact, ("cohen_kappa", "quadratic"), ("krippendorff_alpha", "ordinal"),
    }  # fmt: skip
