"""The first sentences of a report: which system is best, and how sure that is."""

import pytest

from metrics_app.reports.page.reading import Reading
from metrics_app.reports.page.words import certainty

ALPHA = {
    "dimension": "overall", "group": "expert", "scope": "pooled", "statistic": "krippendorff_alpha",
    "options": {"measurement": "ordinal"}, "value": 0.5, "ci": [0.4, 0.6], "undefined": None,
}  # fmt: skip


def _row(system, mean, rank_ci):
    return {
        "dimension": "overall", "group": "expert", "system": system, "mean": mean, "n_items": 20,
        "ci": [mean - 0.1, mean + 0.1], "rank_ci": rank_ci, "undefined": None,
    }  # fmt: skip


def _reading(ranking, agreement=(ALPHA,), human=()):
    overview = {
        "dimensions": ["overall"], "n_judges": {"expert": 2}, "sides": None, "labels": {},
        "scales": {"overall": {"measurement": "ordinal"}}, "human_systems": list(human),
    }  # fmt: skip
    return Reading({"overview": overview, "ranking": ranking, "agreement": list(agreement)})


def test_rank_over_other_items_and_agreement_are_said():
    reading = _reading([_row("Quill", 3.5, [1, 2]), _row("Lumen", 3.4, [1, 2])])

    assert certainty(reading) == (
        "If other items like these 20 had been drawn, the rank of Quill lies between 1 and 2 in "
        "at least 95 of 100 draws. The judges agree with an alpha of 0.50 [0.40, 0.60]."
    )


def test_beside_a_human_text_the_best_machine_is_named():
    reading = _reading([_row("Human", 3.8, [1, 1]), _row("Quill", 3.1, [2, 2])], human=["Human"])

    words = certainty(reading)

    assert words.startswith(
        "The texts of Human are by people; of the machines Quill comes first, 3.10 [3.00, 3.20]. "
    )
    assert "the rank of Human is 1 in at least 95 of 100 draws." in words


@pytest.mark.parametrize(
    "agreement", [(), ({**ALPHA, "value": None, "undefined": "all_equal"},)], ids=["none", "equal"]
)
def test_an_agreement_that_is_not_defined_is_not_said(agreement):
    reading = _reading([_row("a", 2.0, [1, 1]), _row("b", 1.0, [2, 2])], agreement)

    assert "agree" not in certainty(reading)


def test_one_system_is_as_sure_as_nothing():
    assert certainty(_reading([_row("a", 2.0, [1, 1])])) == ""
