"""Models in the report: their terms, and why there are none."""

import math

import pytest

from metrics_app.reports.models import estimated_seconds, model_rows
from metrics_app.reports.options import ReportOptions
from metrics_app.stats.repeated_measures import repeated_measures_anova
from tests.metrics_app.reports.evaluations import evaluation_of, grid

ASKED = ReportOptions(seed=1)


def _wobble(judge, item, system):
    return 1 + (3 * judge + 4 * item + 2 * system + item * system + judge * system) % 5


def test_every_system_is_held_against_the_first():
    evaluation = evaluation_of(grid(3, 12, 3, _wobble))

    rows = list(model_rows(evaluation, ASKED))

    assert [(row.model, row.term, row.reference) for row in rows] == [
        ("repeated_measures_anova", "system", ""),
        ("mixed_model", "intercept", ""),
        ("mixed_model", "system[s1]", "s0"),
        ("mixed_model", "system[s2]", "s0"),
        ("ordinal_regression", "system[s1]", "s0"),
        ("ordinal_regression", "system[s2]", "s0"),
    ]
    outputs = evaluation.human_scores("fluency")
    assert rows[0].value == pytest.approx(repeated_measures_anova(outputs.T).value)
    # With every judge on every output the fixed effects are differences of plain means.
    assert rows[2].value == pytest.approx(outputs[1].mean() - outputs[0].mean(), abs=1e-9)
    assert set(rows[1].details["variances"]) == {"item", "judge", "residual"}
    assert all(row.details["odds_ratio"] == pytest.approx(math.exp(row.value)) for row in rows[4:])


def test_groups_are_a_fixed_effect_of_the_judges_together():
    experts = [(f"e{row[0]}", *row[1:]) for row in grid(2, 12, 2, _wobble)]

    rows = list(model_rows(evaluation_of(grid(3, 12, 2, _wobble) + experts), ASKED))

    assert {row.group for row in rows if row.model == "mixed_model"} == {"all"}
    terms = [row.term for row in rows if row.model == "ordinal_regression"]
    assert terms == ["system[s1]", "group[expert]"]


@pytest.mark.parametrize(
    ("ratings", "reasons"),
    [
        (grid(3, 6, 1, _wobble), ["too_few_systems"] * 3),
        (grid(3, 6, 2, lambda *_: 3), ["no_variance"] * 4),
        (grid(1, 6, 2, _wobble), [None, "not_identified", "not_identified", None]),
        (grid(3, 1, 2, _wobble), ["too_few_units", "not_identified", "not_identified", None]),
        (grid(2, 3, 2, lambda *_: math.nan), ["too_few_systems", "all_missing", "all_missing"]),
    ],
)
def test_what_cannot_be_fitted_says_why(ratings, reasons):
    rows = list(model_rows(evaluation_of(ratings), ASKED))

    assert [row.undefined for row in rows] == reasons
    assert all(row.value is None for row in rows if row.undefined)


def test_a_model_that_takes_long_waits_to_be_asked_for():
    evaluation = evaluation_of(grid(2, 150, 2, _wobble))

    (row,) = (row for row in model_rows(evaluation, ASKED) if row.model == "mixed_model")

    assert (row.undefined, row.term) == ("on_request", "system")
    assert row.details == {"estimated_seconds": estimated_seconds(152)}
    asked = ReportOptions(seed=1, takes_time=True)
    fitted = [row for row in model_rows(evaluation, asked) if row.model == "mixed_model"]
    assert [(row.term, row.undefined) for row in fitted] == [
        ("intercept", None),
        ("system[s1]", None),
    ]
