"""All pairs of metrics: the statistic's own tests, turned metrics, and what waits to be asked."""

import dataclasses

import numpy as np
import pytest

from metrics_app.reports.metric_pairs import estimated_seconds, metric_pair_rows
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.page.page import report_page
from tests.metrics_app.reports.evaluations import evaluation_of, grid
from tests.metrics_app.reports.reports import FEW, built

SCORED = ReportOptions(seed=1, n_resamples=200)


def scored(n_items=12, n_systems=4, *, gone=()):
    """Return a study with a metric that follows people, its reverse, and noise; seed fixed."""
    rng = np.random.default_rng(3)
    ratings = grid(2, n_items, n_systems, lambda judge, i, s: 1 + (2 * s + i + judge * (i % 2)) % 5)
    scores = []
    for item in range(n_items):
        for system in range(n_systems):
            if (item, system) in gone:
                continue
            good = (2 * system + item) % 5 + rng.normal(0, 0.3)
            for metric, value in (("good", good), ("errors", -good), ("noise", rng.normal())):
                scores.append((metric, f"i{item}", f"s{system}", value))
    return evaluation_of(ratings, scores=scores)


def _pairs(evaluation, options=SCORED):
    rows = list(metric_pair_rows(evaluation, options))
    return {(*row.metrics, row.level): row for row in rows}


def test_a_metric_that_follows_people_beats_noise_at_summary_level():
    found = _pairs(scored())

    row = found["good", "noise", "summary"]
    assert len(found) == 2 * 3
    assert row.value > 0.4
    assert row.p_adjusted < 0.05
    assert row.p <= row.p_adjusted
    assert (row.n_systems, row.n_items, row.n_missing) == (4, 12, 0)
    assert row.details["p_greater"] < 0.05


def test_a_metric_of_which_less_is_better_is_turned_round():
    evaluation = scored()
    as_it_is = _pairs(evaluation)["good", "errors", "summary"]
    turned = dataclasses.replace(evaluation, lower_is_better=("errors",))

    row = _pairs(turned)["good", "errors", "summary"]

    assert as_it_is.value > 0.8
    assert row.value == pytest.approx(0)
    assert row.p == 1


def test_outputs_without_every_score_are_left_out_and_counted():
    row = _pairs(scored(gone={(0, 0), (1, 2)}))["good", "noise", "summary"]

    assert row.n_missing == 2


def test_metrics_without_a_shared_output_say_so():
    ratings = grid(1, 2, 2, lambda *_: 3)
    scores = [("a", "i0", "s0", 1.0), ("b", "i1", "s1", 2.0)]

    rows = list(metric_pair_rows(evaluation_of(ratings, scores=scores), FEW))

    assert {(row.undefined, row.value) for row in rows} == {("no_shared_output", None)}


def test_the_same_seed_gives_the_same_tests():
    assert _pairs(scored()) == _pairs(scored())


def test_one_metric_has_no_pair():
    assert list(metric_pair_rows(evaluation_of(grid(1, 2, 2, lambda *_: 3)), FEW)) == []


def test_what_takes_long_waits_with_its_time_until_it_is_asked_for():
    evaluation = scored(n_items=40)
    many = ReportOptions(seed=1, n_resamples=40_000)

    rows = list(metric_pair_rows(evaluation, many))

    assert {row.undefined for row in rows} == {"on_request"}
    told = sum(row.details["estimated_seconds"] for row in rows)
    assert told == pytest.approx(estimated_seconds(evaluation, 40_000))
    page = report_page(built(evaluation, dataclasses.replace(FEW, n_resamples=20)).as_json())
    assert any(block.anchor == "metric-pairs" and block.tables for block in page.blocks)


def test_the_matrix_reads_the_same_from_both_sides():
    page = report_page(built(scored(), SCORED).as_json())

    block = next(block for block in page.blocks if block.anchor == "metric-pairs")

    table = dict(block.tables[1].rows)
    names = block.tables[1].header[1:]
    first = table["good"][names.index("noise")].text
    second = table["noise"][names.index("good")].text
    assert (first[0], first[-1]) == ("+", "*")
    assert second == "−" + first[1:]
    assert block.finding.startswith("On fluency one metric follows people surely better")
