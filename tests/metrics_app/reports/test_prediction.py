"""People predicted from metrics: the same numbers as the statistics, and why there are none."""

import dataclasses

import numpy as np
import pytest

from metrics_app.reports.options import ReportOptions
from metrics_app.reports.page.page import report_page
from metrics_app.reports.prediction import prediction_rows, predictor_sets, system_scores
from metrics_app.stats.metric_evaluation import fit_metrics, metric_gap
from metrics_app.stats.nouveau_rouge import NouveauRouge
from tests.metrics_app.reports.evaluations import PAIR, tac
from tests.metrics_app.reports.reports import built

ASKED = ReportOptions(seed=1, n_resamples=20)


def _rows(evaluation, options=ASKED):
    rows = list(prediction_rows(evaluation, options))
    return rows, {(row.part, row.term): row for row in rows}


def test_a_pair_of_rouge_scores_predicts_by_itself_with_its_own_score_as_baseline():
    rows, by_term = _rows(tac())

    assert {(row.metrics, row.baseline) for row in rows} == {(PAIR, "rouge2_bb")}
    data, n_missing = system_scores(tac(), "fluency", ("crowd",), PAIR)
    fit = fit_metrics(data)
    terms = ["intercept", *PAIR]
    assert [by_term["coefficient", term].value for term in terms] == pytest.approx(
        list(fit.coefficients)
    )
    assert [by_term["coefficient", term].ci for term in terms] == [*fit.ci]
    assert (n_missing, by_term["coefficient", "intercept"].n_systems) == (0, 12)
    assert by_term["half_split", "fitted"].value > 0.9
    assert by_term["bootstrap", "fitted"].n_resamples == 20
    low, high = by_term["bootstrap", "fitted"].ci
    assert low <= by_term["bootstrap", "fitted"].value <= high


def test_the_gap_is_taken_on_texts_of_people():
    _, by_term = _rows(tac())
    data, _ = system_scores(tac(), "fluency", ("crowd",), PAIR)

    gap = metric_gap(data, baseline="rouge2_bb")

    assert by_term["gap", "fitted"].value == gap.fitted
    assert by_term["gap", "rouge2_bb"].value == gap.baseline
    assert by_term["gap", "fitted"].n_systems == 4
    assert by_term["gap", "fitted"].details["n_compared"] == 4


def test_published_coefficients_predict_as_they_are():
    _, by_term = _rows(tac())
    data, _ = system_scores(tac(), "fluency", ("crowd",), PAIR)
    scores, human = data.machines()

    for target in ("responsiveness", "pyramid"):
        predicted = NouveauRouge("2", target).predict(scores[:, 0], scores[:, 1])
        row = by_term["published", f"Nouveau-ROUGE-2, {target}"]
        assert row.value == pytest.approx(np.corrcoef(predicted, human)[0, 1])


def test_the_same_seed_gives_the_same_rows():
    assert _rows(tac())[0] == _rows(tac())[0]


def test_chosen_metrics_predict_and_the_first_is_the_baseline():
    options = dataclasses.replace(ASKED, predictors=("bleu", "length"))
    evaluation = tac(names=("bleu", "length"))

    rows, by_term = _rows(evaluation, options)

    assert _rows(evaluation)[0] == []
    assert {row.baseline for row in rows} == {"bleu"}
    assert not [row for row in rows if row.part == "published"]
    assert by_term["coefficient", "length"].value > 0


def test_a_metric_that_is_not_there_is_named():
    options = dataclasses.replace(ASKED, predictors=("blue",))

    with pytest.raises(ValueError, match=r"no metric 'blue'.*ROUGE-2 AB, rouge2_bb"):
        predictor_sets(tac(), options)


@pytest.mark.parametrize(
    ("evaluation", "reasons"),
    [
        (tac(n_people=0), {"no_human_systems"}),
        (tac(n_machines=2), {"too_few_systems"}),
        (tac(n_machines=0), {"too_few_systems"}),
        (tac(percent=100), {"not_a_share"}),
    ],
)
def test_what_cannot_be_computed_says_why(evaluation, reasons):
    rows, _ = _rows(evaluation)

    assert reasons <= {row.undefined for row in rows}
    assert all(row.value is None for row in rows if row.undefined)
    assert all(row.undefined for row in rows if row.value is None)


def test_a_system_without_scores_is_left_out_and_counted():
    evaluation = tac()
    kept = evaluation.scores.system.codes != 0
    scores = dataclasses.replace(
        evaluation.scores,
        metric=evaluation.scores.metric.part(kept),
        item=evaluation.scores.item.part(kept),
        system=evaluation.scores.system.part(kept),
        value=evaluation.scores.value[kept],
    )

    rows, _ = _rows(dataclasses.replace(evaluation, scores=scores))

    assert {row.n_missing for row in rows} == {1}
    assert rows[0].n_systems == 11


def test_draws_that_take_long_wait_to_be_asked_for():
    many = dataclasses.replace(ASKED, n_resamples=5_000)

    _, by_term = _rows(tac(), many)

    row = by_term["bootstrap", "fitted"]
    assert (row.undefined, row.details) == ("on_request", {"estimated_seconds": 10.0})
    page = report_page(built(tac(), many).as_json())
    assert page.seconds_on_request == "10 s"


def test_the_page_shows_fit_test_gap_and_published_predictions():
    page = report_page(built(tac(), ASKED).as_json())

    block = next(block for block in page.blocks if block.anchor == "prediction")

    assert block.finding.startswith("Fitted on half of 12 machine systems, ROUGE-2 AB and")
    assert [table.caption.split(",")[0].split(" of ")[0] for table in block.tables] == [
        "Coefficients",
        "Pearson correlation with people on systems held back",
        "Median gap on 4 human-written systems",
        "Published coefficients",
    ]
    names = [name for name, _ in block.tables[1].rows]
    assert names == ["All together", *PAIR]
