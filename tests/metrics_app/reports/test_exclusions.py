"""With and without excluded judges: both numbers, side by side."""

import dataclasses

import pytest

from metrics_app.loaders.circumstances import ExclusionRules
from metrics_app.reports.exclusions import exclusion_rows
from metrics_app.reports.page.page import report_page
from metrics_app.stats.agreement import krippendorff_alpha
from tests.metrics_app.reports.evaluations import evaluation_of, grid
from tests.metrics_app.reports.reports import FEW, built

KEPT = grid(2, 6, 2, lambda judge, i, s: 1 + (i + 2 * s + judge * (i % 2)) % 5)
# An excluded judge who likes s0 best, always.
OUT = [
    ("w9", f"i{item}", system, 5 if system == "s0" else 1)
    for item in range(6)
    for system in ("s0", "s1")
]


def excluding():
    """Return a study whose report leaves out one judge."""
    fuller = evaluation_of(KEPT + OUT).judgements
    return dataclasses.replace(evaluation_of(KEPT), with_excluded=fuller)


def test_means_and_alpha_stand_without_and_with_the_excluded():
    rows = {(row.statistic, row.system): row for row in exclusion_rows(excluding(), FEW)}

    mean, alpha = rows["mean", "s0"], rows["krippendorff_alpha", ""]
    own, fuller = evaluation_of(KEPT), evaluation_of(KEPT + OUT)
    assert mean.value == own.human_scores("fluency")[0].mean()
    assert mean.with_excluded == pytest.approx(fuller.human_scores("fluency")[0].mean())
    assert mean.difference == pytest.approx(mean.with_excluded - mean.value)
    assert (mean.n_ratings, mean.n_with_excluded) == (12, 18)
    both = [
        krippendorff_alpha(e.rating_table("fluency"), measurement="ordinal").value
        for e in (own, fuller)
    ]
    assert [alpha.value, alpha.with_excluded] == both
    assert both[1] < both[0]


def test_without_excluded_judges_there_are_no_rows():
    assert list(exclusion_rows(evaluation_of(KEPT), FEW)) == []


def test_what_is_undefined_without_them_says_why():
    lone = dataclasses.replace(
        evaluation_of([row for row in KEPT if row[0] == "w0"]),
        with_excluded=evaluation_of(KEPT).judgements,
    )

    alpha = next(row for row in exclusion_rows(lone, FEW) if row.statistic != "mean")

    assert (alpha.value, alpha.undefined, alpha.difference) == (None, "too_few_raters", None)
    assert alpha.with_excluded is not None


def test_the_page_says_what_moves_and_whether_the_order_stays():
    page = report_page(built(excluding()).as_json())

    block = next(block for block in page.blocks if block.anchor == "exclusions")

    assert block.finding.startswith("On fluency exclusions ")
    assert [name for name, _ in block.tables[0].rows] == ["Mean, s0", "Mean, s1", "Alpha, fluency"]


def test_exclusions_that_change_nothing_are_told_as_such():
    page = report_page(
        built(
            dataclasses.replace(excluding(), with_excluded=evaluation_of(KEPT).judgements)
        ).as_json()
    )

    block = next(block for block in page.blocks if block.anchor == "exclusions")

    assert block.finding == "On fluency exclusions change no mean."


RULE = "median active time on an output below 5 s, from 10 outputs on"
RULES = ExclusionRules(
    rules=(RULE,),
    changes=(("2026-05-02T10:00:00", "none", RULE, "a <bot> & 50% more"),),
    excluded=(
        ("J007", "2026-05-03T10:00:00", f"Rule: {RULE}: 1.0 s on 12 outputs"),
        ("J008", "2026-05-03T10:00:00", "wrote that they guessed"),
    ),
)


def test_rules_changes_and_who_is_excluded_under_which_stand_in_the_block():
    page = report_page(built(dataclasses.replace(excluding(), exclusion_rules=RULES)).as_json())

    block = next(block for block in page.blocks if block.anchor == "exclusions")
    rules, changes, excluded = block.tables[1:]

    assert [(name, cells[0].text) for name, cells in rules.rows] == [(RULE, "1")]
    assert [cell.text for cell in changes.rows[0][1]] == ["none", RULE, "a <bot> & 50% more"]
    assert [(name, cells[1].text) for name, cells in excluded.rows] == [
        ("J007", f"Rule: {RULE}: 1.0 s on 12 outputs"),
        ("J008", "wrote that they guessed"),
    ]


def test_rules_under_which_nobody_is_excluded_are_reported_too():
    untouched = ExclusionRules(rules=(RULE,), changes=(), excluded=())
    report = built(dataclasses.replace(evaluation_of(KEPT), exclusion_rules=untouched)).as_json()
    page = report_page(report)

    block = next(block for block in page.blocks if block.anchor == "exclusions")

    assert [(name, cells[0].text) for name, cells in block.tables[0].rows] == [(RULE, "0")]
    assert report["overview"]["exclusion_rules"]["rules"] == [RULE]
    assert f"fixed before the first rating: {RULE}. " in page.methods_text


def test_a_change_of_rules_stands_in_findings_and_methods_with_its_reason():
    report = built(dataclasses.replace(excluding(), exclusion_rules=RULES)).as_json()
    text = report_page(report).methods_text

    findings = [row for row in report["findings"] if row["kind"] == "exclusion_rules_changed"]
    assert [row["facts"]["reason"] for row in findings] == ["a <bot> & 50% more"]
    assert "On 2026-05-02 these rules were changed (a <bot> & 50% more); before: none. " in text
    assert f"J007 was excluded (Rule: {RULE}: 1.0 s on 12 outputs). " in text
    assert "fixed before the first rating" not in text


def test_without_rules_and_exclusions_there_is_no_block():
    page = report_page(built(evaluation_of(KEPT)).as_json())

    assert not [block for block in page.blocks if block.anchor == "exclusions"]
