"""A report is complete whatever the study lacks: it says what cannot be computed."""

import json
import math
from datetime import UTC, datetime

import pytest

from metrics_app.reports.building import build_report
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.page.page import report_page
from metrics_app.reports.printed import printed_tables
from metrics_app.reports.tables import tables
from metrics_app.stats.scales import Scale
from metrics_app.stats.undefined import REASONS
from tests.metrics_app.reports.evaluations import evaluation_of, grid

FEW = ReportOptions(seed=1, n_resamples=20)
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
VALUE = {"means": "mean", "ranking": "mean", "contrasts": "difference", "judges": "severity",
         "judge_pairs": "kappa"}  # fmt: skip
# Lists in which every row has a number, or the reason code why it has none.
REASONED = (
    "means", "agreement", "comparison", "bias", "correlation", "dimension_correlation",
    "group_correlation", "judges", "judge_pairs", "judges_left_out", "facts", "fact_comparison",
    "models", "prediction", "agreement_over_time", "self_agreement", "metric_pairs",
)  # fmt: skip


def _varied(judge, item, system):
    return 1 + (3 * judge + 4 * item + 2 * system + item * system) % 5


def _both(ratings):
    return [*ratings, *((f"e{row[0]}", *row[1:]) for row in ratings)]


STUDIES = {
    "no ratings": evaluation_of([]),
    "one judge": evaluation_of(grid(1, 6, 2, _varied)),
    "one system": evaluation_of(grid(3, 6, 1, _varied)),
    "one item": evaluation_of(grid(3, 1, 3, _varied)),
    "one rating": evaluation_of(grid(1, 1, 1, _varied)),
    "all equal": evaluation_of(_both(grid(2, 6, 2, lambda *_: 3)), sides=True),
    "all missing": evaluation_of(grid(2, 3, 2, lambda *_: math.nan)),
    "nominal": evaluation_of(grid(3, 6, 2, _varied), scale=Scale.named("vwxyz")),
    "a range": evaluation_of(_both(grid(2, 6, 2, _varied)), scale=Scale.range(0, 10), sides=True),
    "missing scores": evaluation_of(
        grid(2, 6, 3, _varied), scores=[("bleu", "i0", "s0", 0.5), ("bleu", "i1", "s0", 0.25)]
    ),
    "facts": evaluation_of(
        [(*row, "presence", f"f{n}") for n in range(2) for row in grid(2, 4, 2, _varied)],
        scale=Scale.named("vwxyz"),
    ),
}


@pytest.mark.parametrize("name", STUDIES)
def test_the_report_is_complete_and_says_why_a_number_is_not_there(name):
    report = build_report(STUDIES[name], FEW, generated_at=NOON)

    plain = report.as_json()
    json.dumps(plain, allow_nan=False)
    for listed in REASONED:
        for row in plain[listed]:
            if row[VALUE.get(listed, "value")] is None:
                assert row["undefined"] in REASONS, (listed, row)
    assert all(table.rows for table in tables(report))


@pytest.mark.parametrize("name", STUDIES)
def test_the_page_of_it_can_be_written(name):
    plain = build_report(STUDIES[name], FEW, generated_at=NOON).as_json()

    page = report_page(plain)

    assert page.methods_text.endswith(".") or not page.reading.dimensions
    assert all(
        len(row) == len(table.header) for table in printed_tables(plain) for row in table.rows
    )
    for block in page.blocks:
        assert block.finding
        for table in block.tables:
            width = len(table.header) - 1
            assert {len(cells) for _, cells in table.rows} <= {width}, table.caption
