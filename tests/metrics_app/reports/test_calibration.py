"""Language models corrected by what people said of a part of the outputs."""

import dataclasses
from datetime import UTC, datetime

import numpy as np
import pytest

from metrics_app.reports.building import build_report
from metrics_app.reports.calibration import calibration_rows
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.page.page import report_page
from metrics_app.stats.calibration import corrected_mean, corrected_share
from metrics_app.stats.scales import Scale
from tests.metrics_app.reports.evaluations import evaluation_of

ASKED = ReportOptions(seed=1)


def rows_of(ratings, **options):
    # Judges whose names begin with e are the models here.
    evaluation = evaluation_of(ratings, **options)
    return list(calibration_rows(dataclasses.replace(evaluation, model_groups=("expert",)), ASKED))


def study(n_people, values=(1, 2, 3, 4, 5)):
    """Return ratings of 30 items of two systems: by a model of all, by two people of the first."""
    rng = np.random.default_rng(2)
    ratings = []
    for item in range(30):
        for system in ("a", "b"):
            value = rng.choice(values)
            ratings.append(("e1", f"i{item}", system, value))
            if item < n_people:
                ratings += [
                    (f"w{judge}", f"i{item}", system, rng.choice(values)) for judge in (1, 2)
                ]
    return ratings


def test_a_mean_is_corrected_of_all_systems_and_of_each():
    ratings = study(8)
    rows = rows_of(ratings)

    assert [(row.group, row.judge, row.system) for row in rows] == [
        ("crowd", "e1", ""), ("crowd", "e1", "a"), ("crowd", "e1", "b"),
    ]  # fmt: skip
    assert [(row.n_judged, row.n_calibration) for row in rows] == [(44, 16), (22, 8), (22, 8)]
    by = {(judge, item, system): value for judge, item, system, value in ratings}
    own = [by["e1", f"i{item}", "a"] for item in range(30)]
    people = [(by["w1", f"i{item}", "a"] + by["w2", f"i{item}", "a"]) / 2 for item in range(8)]
    expected = corrected_mean(own[8:], own[:8], people)
    assert (rows[1].value, rows[1].ci) == (expected.value, expected.ci)
    assert rows[1].raw == pytest.approx(np.mean(own[8:]))
    assert rows[1].statistic == "corrected_mean"


def test_of_two_labels_the_share_is_corrected_and_ties_of_people_are_left_out():
    ratings = study(10, values=(1, 2))
    rows = rows_of(ratings, scale=Scale.named(["absent", "present"]))

    by = {(judge, item, system): value for judge, item, system, value in ratings}
    places = [(f"i{item}", system) for item in range(30) for system in ("a", "b")]
    model = np.array([by["e1", *place] for place in places]) - 1.0
    people = [by["w1", *place] + by["w2", *place] for place in places[:20]]
    told = [place for place, both in enumerate(people) if both != 3]
    expected = corrected_share(model[20:], model[told], [people[place] / 2 - 1 for place in told])
    assert (rows[0].statistic, rows[0].n_calibration) == ("corrected_share", len(told))
    assert len(told) < 20
    assert (rows[0].value, rows[0].undefined) == (
        pytest.approx(expected.value, nan_ok=True) if expected.undefined is None else None,
        expected.undefined,
    )


def test_without_a_part_that_people_judged_or_one_that_they_did_not_there_is_nothing():
    assert rows_of(study(0)) == []
    assert rows_of(study(30)) == []
    assert rows_of(study(8), scale=Scale.named("vwxyz")) == []


def test_the_page_shows_the_correction_beside_the_raw_mean():
    evaluation = dataclasses.replace(evaluation_of(study(8)), model_groups=("expert",))
    noon = datetime(2026, 5, 4, 12, tzinfo=UTC)
    report = build_report(evaluation, ReportOptions(seed=1, n_resamples=20), generated_at=noon)
    page = report_page(report.as_json(), group="crowd")

    block = next(block for block in page.blocks if block.anchor == "calibration")

    (table,) = block.tables
    assert [name for name, _ in table.rows] == ["All systems, e1", "A, e1", "B, e1"]
    raw, corrected, interval, n_judged, n_calibration = (cell.text for cell in table.rows[0][1])
    assert (n_judged, n_calibration) == ("44", "16")
    assert raw != corrected
    assert corrected not in {"", "–"}
    assert interval.startswith("[")
