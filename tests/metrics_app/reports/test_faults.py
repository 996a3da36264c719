"""A numeric fault ends its block alone: the report is whole beside it, and says what is missing."""

import logging
import math
from dataclasses import fields, replace

import numpy as np
import pytest

from metrics_app.reports import building
from metrics_app.reports.chapters import Chapter
from metrics_app.reports.faults import Faults, failed_blocks
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.writers.html import write_html
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import evaluation_of, grid, tac
from tests.metrics_app.reports.hostile import NOON, hostile_report


def _refuses(*_):
    yield from ()
    raise np.linalg.LinAlgError("Singular matrix")


def test_a_fault_leaves_every_other_list_as_it_is(monkeypatch, caplog):
    evaluation = evaluation_of(grid(3, 4, 2, lambda j, i, s: 1 + (i + j * s) % 5))
    options = ReportOptions(seed=1, n_resamples=10)
    whole = building.build_report(evaluation, options, generated_at=NOON)
    monkeypatch.setattr(building, "CHAPTERS", (
        *(chapter for chapter in building.CHAPTERS if chapter.name != "models"),
        Chapter("models", "Models", _refuses),
    ))  # fmt: skip

    with caplog.at_level(logging.ERROR):
        report = building.build_report(evaluation, options, generated_at=NOON)

    assert replace(report, findings=(), models=whole.models) == replace(whole, findings=())
    assert report.models == ()
    assert failed_blocks(report.as_json()) == ["Models"]
    assert "“Models” could not be computed and is missing: Singular matrix." in (
        report.findings[0].text
    )
    assert "LinAlgError" in caplog.text


def test_an_overflow_is_a_fault_and_no_number(caplog):
    faults = Faults()

    assert faults.rows("Squares", lambda: [np.array([1e300]) ** 2]) == ()
    assert "too large or too small" in faults.findings[0].text
    assert np.array([1.0]) / np.array([2.0]) == 0.5
    assert "Squares" in caplog.text


def test_scores_beyond_double_precision_cost_their_metric_alone():
    scores = [(name, f"i{i}", f"s{s}", factor * (1 + i + s)) for i in range(4) for s in range(3)
              for name, factor in (("good", 1.0), ("burst", 4e307))]  # fmt: skip
    rows = grid(2, 4, 3, lambda j, i, s: 1 + (i + j + s) % 5)
    evaluation = evaluation_of(rows, scores=scores)

    report = building.build_report(evaluation, ReportOptions(1, 10), generated_at=NOON)

    assert "Metric: burst" in failed_blocks(report.as_json())
    assert {row.metric for row in report.correlation} == {"good"}


def test_a_wrong_option_is_an_error_and_no_fault():
    with pytest.raises(ValueError, match="no metric 'x' to predict from"):
        building.build_report(
            tac(), ReportOptions(seed=1, n_resamples=10, predictors=["x"]), generated_at=NOON
        )


SLIDER = Scale.range(0, 100)
LISTS = [part.name for part in fields(building.Report) if part.name not in {"findings"}]


@pytest.mark.parametrize(
    "missing", [name for name in LISTS if isinstance(getattr(hostile_report(), name), tuple)]
)
def test_the_page_and_its_tables_for_paper_stand_without_any_list(missing, tmp_path):
    report = replace(hostile_report(), **{missing: ()})

    write_html(report, tmp_path)

    assert (tmp_path / "report.html").stat().st_size > 10_000


def test_a_cell_of_a_slider_in_which_nobody_could_judge_costs_nothing():
    rows = [("w1", "i0", "s0", 50), ("w2", "i0", "s0", 60), ("w1", "i0", "s1", math.nan)]
    evaluation = evaluation_of(rows, scale=SLIDER)
    batched = replace(evaluation.judgements, batch=evaluation.judgements.item)

    report = building.build_report(
        replace(evaluation, judgements=batched), ReportOptions(1, 10), generated_at=NOON
    )

    assert failed_blocks(report.as_json()) == []
    assert any(row.scope == "batch_system_mean" for row in report.agreement)


def test_where_only_means_differ_the_reader_is_told_why_there_is_no_f():
    rows = [(f"{side}{j}", f"i{i}", f"s{s}", 2 + s) for side in "ew" for j in range(2)
            for i in range(3) for s in range(2)]  # fmt: skip

    report = building.build_report(
        evaluation_of(rows, sides=True), ReportOptions(1, 10), generated_at=NOON
    )

    found = {row.factor: row for row in report.comparison if row.unit == "output_mean"
             and row.statistic in {"twoway_anova", "oneway_anova"}}  # fmt: skip
    assert (found["system"].value, found["system"].p) == (None, 0)
    assert found["system"].undefined == "no_error_variance"
    # The sides are equal to the last bit: that is no effect, and surely no infinite one.
    assert found["group beside system"].undefined == "no_variance"
    assert found["group beside system"].p is None
    assert all(row.undefined for row in report.comparison if row.value is None)
    assert all(row.undefined for row in report.models if row.value is None)
