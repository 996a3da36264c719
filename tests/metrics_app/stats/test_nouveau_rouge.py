"""Nouveau-ROUGE's published predictors and the jackknife over references."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics_app.stats.lines.nouveau import HANDLERS
from metrics_app.stats.nouveau_rouge import PUBLISHED, NouveauRouge, jackknife_references


@pytest.mark.parametrize(
    ("target", "projected_classy", "classy"),
    [("responsiveness", 2.344117, 2.342800), ("pyramid", 0.265326, 0.263282)],
)
def test_the_systems_of_table_1_get_their_predictions(target, projected_classy, classy):
    predicted = NouveauRouge("2", target).predict([0.075, 0.083], [0.087, 0.089])
    assert predicted == pytest.approx([projected_classy, classy], abs=5e-7)


def test_there_are_four_variants_for_two_targets():
    assert len(PUBLISHED) == 8
    assert PUBLISHED["SU4", "responsiveness"] == (1.1381, -2.6931, 35.8555)


def test_the_line_interface_takes_one_summary():
    options = {"variant": 2, "target": "pyramid"}
    answer = HANDLERS["nouveau_rouge"](options, {"r_ab": 0.075, "r_bb": 0.087})
    assert answer["value"] == pytest.approx(0.265326, abs=5e-7)


def test_an_unpublished_pair_is_refused_with_the_list():
    with pytest.raises(ValueError, match="no coefficients are published for 'L' and 'pyramid'"):
        NouveauRouge("L", "pyramid")


@pytest.mark.parametrize(
    ("earlier", "own", "message"),
    [([0.1], [0.1, 0.2], "differ in shape"), ([7.5], [8.7], "divide percents by 100")],
)
def test_senseless_scores_are_refused(earlier, own, message):
    with pytest.raises(ValueError, match=message):
        NouveauRouge("2", "pyramid").predict(earlier, own)


def test_a_missing_score_gives_no_prediction():
    assert np.isnan(NouveauRouge("2", "pyramid").predict([np.nan], [0.1])).all()


@pytest.mark.parametrize("combine", ["max", "mean"])
@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_jackknife_is_the_mean_over_the_sets_that_leave_one_reference_out(combine, scores):
    sets = itertools.combinations(scores, len(scores) - 1)
    by_definition = np.mean([getattr(np, combine)(part) for part in sets])
    assert jackknife_references(scores, combine=combine) == pytest.approx(by_definition)


def test_a_reference_itself_and_a_single_reference_are_left_as_they_are():
    found = jackknife_references([[0.2, 0.4, 0.3], [np.nan, 0.4, 0.3], [np.nan] * 3])
    assert found == pytest.approx([(0.3 + 0.4 + 0.4) / 3, 0.4, np.nan], nan_ok=True)
    assert jackknife_references([[0.7]]) == pytest.approx([0.7])


def test_an_unknown_way_to_combine_is_refused():
    with pytest.raises(ValueError, match="combine must be max or mean"):
        jackknife_references([0.1, 0.2], combine="median")
