"""The methods paragraph: what is known is told, what is not stands in brackets."""

import dataclasses

from metrics_app.loaders.circumstances import Blinding, Conduct
from metrics_app.reports.page.page import report_page
from tests.metrics_app.reports.evaluations import evaluation_of, grid
from tests.metrics_app.reports.reports import built

CONDUCT = Conduct(
    layout="page",
    one_dimension_per_pass=True,
    shuffles_dimensions=False,
    source_once_per_judge=True,
    repeat_percent=5,
    n_instruction_words=120,
    n_examples=2,
    first_on="2026-05-01",
    last_on="2026-05-04",
    n_excluded={"crowd": 2},
    median_seconds={"crowd": 42.4},
)


def _small(**more):
    ratings = grid(2, 6, 2, lambda judge, i, s: 1 + (judge + i + 2 * s) % 5)
    return dataclasses.replace(evaluation_of(ratings), **more)


def _page(**more):
    return report_page(built(_small(**more)).as_json())


def test_what_a_study_knows_of_its_conduct_is_told():
    text = _page(conduct=CONDUCT).methods_text

    assert "for fluency between 2026-05-01 and 2026-05-04. " in text
    assert (
        "They saw a page of outputs at a time, one dimension a pass, in an order drawn for each "
        "judge, and met each source once at most; names of systems and ratings of others were "
        "hidden from them. Before, they were shown instructions of 120 words and 2 worked "
        "examples. 5% of the outputs were shown to them again. "
    ) in text
    assert "2 judges were excluded or withdrew. " in text
    assert "The median active time on an output was 42 s (crowd). " in text


def test_what_nobody_told_stands_in_brackets():
    text = _page().methods_text

    for open_words in (
        "(chosen by [say how])", "recruited by [say how", "shown [say how", "Pay was [say how much",
        "power of [say", "consent: [say which]",
    ):  # fmt: skip
        assert open_words in text


def test_work_that_was_imported_has_no_days_and_no_order_of_ours():
    text = _page(conduct=dataclasses.replace(CONDUCT, first_on="", last_on="")).methods_text

    assert "Outputs were shown [say how, and in what order]. " in text
    assert "They saw" not in text


def test_blinding_and_every_look_behind_it_are_told():
    look = ("2026-05-02T08:00:00", "results_seen", "a judge complained")

    text = _page(blinding=Blinding(True, True, False, (look,))).methods_text

    assert "the names of systems and ratings and results were hidden from researchers" in text
    assert "On 2026-05-02, before that, an owner looked at ratings and results" in text
    assert "(a judge complained)" in text


def test_one_rating_and_several_are_left_out_in_their_own_number():
    page = _page(n_left_out={"late": 1, "old": 2})

    assert "; 1 is left out (late); 2 are left out (old). " in page.methods_text
    assert page.notes[-2:] == ("1 rating is left out: late.", "2 ratings are left out: old.")


def test_every_number_leads_to_a_part_of_the_page():
    page = _page(conduct=CONDUCT)

    anchors = {piece.anchor for piece in page.methods if piece.anchor}
    known = {"overview", "distributions", "agreement", "judges", *(b.anchor for b in page.blocks)}
    assert anchors <= known
    assert {"overview", "judges", "agreement"} <= anchors
