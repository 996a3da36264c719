"""Agreement as JSON lines: shapes of data, words and numbers, and what makes no sense."""

import json

import pytest

from metrics_app.stats.lines.agreement import HANDLERS

RATINGS = [[1, 2, None], [2, 2, 2], [3, 3, 2], [1, 1, 1], [3, None, 1]]


def ask(statistic, data, **options):
    return HANDLERS[statistic](options, data)


def test_words_are_read_in_their_declared_order():
    words = [["low", "low"], ["mid", "high"], ["high", "high"], ["mid", "low"]]
    numbers = [[1, 1], [2, 3], [3, 3], [2, 1]]

    declared = ask(
        "cohen_kappa", {"ratings": words}, weights="linear", categories=["low", "mid", "high"]
    )
    alphabetic = ask("cohen_kappa", {"ratings": words}, weights="linear")

    assert declared == ask("cohen_kappa", {"ratings": numbers}, weights="linear")
    assert declared["value"] == pytest.approx(0.5)
    assert alphabetic["value"] == pytest.approx(0.25)


@pytest.mark.parametrize("blank", [None, "", " "])
def test_blank_words_are_missing(blank):
    answer = ask("percent_agreement", {"ratings": [["a", "a", blank], ["a", "b", "b"]]})

    assert answer["value"] == pytest.approx((1 + 1 / 3) / 2)


def test_a_table_counts_what_its_ratings_count():
    table = {"table": [[2, 1], [0, 1]]}
    ratings = {"ratings": [[1, 1], [1, 1], [1, 2], [2, 2]]}

    for statistic in set(HANDLERS) - {"kendall_w", "icc"}:
        assert ask(statistic, table) == ask(statistic, ratings), statistic


def test_unused_points_are_declared():
    ratings = {"ratings": [[1, 1], [2, 2], [1, 2]]}

    two, five = (
        ask("brennan_prediger", ratings, categories=categories)["value"]
        for categories in ([1, 2], [5, 4, 3, 2, 1])
    )

    assert two == pytest.approx((2 / 3 - 1 / 2) / (1 - 1 / 2))
    assert five == pytest.approx((2 / 3 - 1 / 5) / (1 - 1 / 5))


def test_numbers_count_by_their_value_and_not_their_place():
    # 1 - 4 / 5 of the way from 0 to 5 is shared in the second unit.
    answer = ask("percent_agreement", {"ratings": [[0, 0], [1, 5]]}, weights="linear")

    assert answer["value"] == pytest.approx((1 + 1 / 5) / 2)


def test_a_matrix_of_weights_may_be_given():
    named = ask("fleiss_kappa", {"ratings": RATINGS}, weights="linear")
    matrix = ask(
        "fleiss_kappa", {"ratings": RATINGS}, weights=[[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    )

    assert matrix["value"] == pytest.approx(named["value"], abs=1e-12)
    assert matrix["se"] == pytest.approx(named["se"], abs=1e-12)


def test_kappa_takes_t_where_it_is_asked_for():
    table = {"table": [[13, 0, 0], [0, 20, 7], [0, 4, 56]]}

    normal = ask("cohen_kappa", table)
    wide = ask("cohen_kappa", table, ci_method="t, df=n-1")

    # t(99) at .975 is 1.984217.
    assert wide["ci"][0] == pytest.approx(normal["value"] - 1.984217 * normal["se"], abs=1e-6)
    assert wide["ci"][0] < normal["ci"][0]


def test_the_normal_interval_of_kappa_passes_1_where_it_is_asked_for():
    table = {"table": [[9, 1], [0, 10]]}

    cut = ask("cohen_kappa", table)
    whole = ask("cohen_kappa", table, ci_method="asymptotic Fleiss-Cohen-Everitt, normal")

    assert cut["ci"][1] == 1.0
    # statsmodels.stats.inter_rater.cohens_kappa gives kappa .9 and kappa_upp 1.0919...
    assert whole["ci"][1] == pytest.approx(0.9 + 1.959963985 * whole["se"])
    assert whole["ci"][1] > 1


def test_kappa_weighs_who_gave_which_answer():
    # As Cohen (1968) admits: a 2 against a 1 is three times as grave as a 1 against a 2.
    answer = ask(
        "cohen_kappa",
        {"table": [[8, 4], [2, 6]]},
        weights="custom",
        disagreement_weights=[[0, 1], [3, 0]],
    )

    # Observed (4 + 3 x 2) / 20, expected (12 x 10 + 3 x 8 x 10) / 400.
    assert answer["value"] == pytest.approx(1 - (10 / 20) / (360 / 400))
    mirrored = ask(
        "cohen_kappa",
        {"table": [[8, 2], [4, 6]]},
        weights="custom",
        disagreement_weights=[[0, 3], [1, 0]],
    )
    assert mirrored["value"] == pytest.approx(answer["value"])
    assert mirrored["se"] == pytest.approx(answer["se"])


def test_icc_without_a_complete_unit_says_what_is_lacking():
    assert ask("icc", {"ratings": [[1, None], [None, 2]]}) == {"undefined": "no_pairs"}
    assert ask("icc", {"ratings": [[1, 2, None], [None, 2, 1]]}) == {"undefined": "incomplete"}


def test_icc_leaves_incomplete_units_out():
    whole = [row for row in RATINGS if None not in row]

    for form in ("ICC(1,1)", "ICC(A,k)"):
        answer = ask("icc", {"ratings": RATINGS}, form=form)
        assert answer == ask("icc", {"ratings": whole}, form=form)


def test_more_raters_have_the_mean_of_their_kappas():
    answer = ask("cohen_kappa", {"ratings": RATINGS})

    values = [pair["value"] for pair in answer["pairs"]]
    assert answer["value"] == pytest.approx(sum(values) / 3)


def test_an_undefined_answer_says_what_is_known():
    answer = ask("cohen_kappa", {"ratings": [[1, 1], [1, 1]]})

    assert (answer["undefined"], answer["pa"]) == ("one_category", 1.0)
    assert "value" not in answer


@pytest.mark.parametrize("shape", ["ratings", "counts", "table"])
def test_no_unit_at_all_is_undefined(shape):
    assert ask("fleiss_kappa", {shape: []})["undefined"] == "all_missing"


@pytest.mark.parametrize("statistic", sorted(HANDLERS))
def test_answers_are_json(statistic):
    answer = ask(statistic, {"ratings": [[1, 2], [2, 2], [3, 1]]})

    assert json.loads(json.dumps(answer, allow_nan=False))["value"] == answer["value"]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ({}, {}, "exactly one of ratings, table and counts"),
        ({"ratings": [[1, 2], [1]]}, {}, "as many cells"),
        ({"ratings": [[1, "a"]]}, {}, "mix words and numbers"),
        ({"ratings": [["a", "b"]]}, {"categories": ["a"]}, "'b' is none of the categories a"),
        ({"ratings": [[1, 7]]}, {"categories": [1, 2]}, "7 of unit 0 by rater 1 is not on"),
        ({"table": [[1, 2]]}, {}, "must be square"),
        ({"table": [[1, -2], [0, 1]]}, {}, "whole numbers"),
        ({"table": [[1, 2], [0, 1]]}, {"categories": [1, 2, 3]}, "3 categories need a table"),
        ({"table": [[1, 1e9], [0, 1]]}, {}, "more than 20,000,000 units"),
        ({"counts": [[1, 1e300], [0, 1]]}, {}, "too large"),
        ({"counts": [[1, 1], [2]]}, {}, "rows of numbers of equal length"),
        ({"ratings": RATINGS}, {"weights": "cubic"}, "weights must be one of"),
        ({"ratings": RATINGS}, {"weights": "custom"}, "disagreement_weights"),
        ({"ratings": RATINGS}, {"confidence": 95}, "between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_an_error_with_a_sentence(data, options, message):
    with pytest.raises(ValueError, match=message):
        ask("fleiss_kappa", data, **options)


@pytest.mark.parametrize("statistic", ["icc", "kendall_w", "cohen_kappa", "conger_kappa"])
def test_counts_do_not_say_who_rated(statistic):
    with pytest.raises(ValueError, match="who rated"):
        ask(statistic, {"counts": [[1, 1], [2, 0]]})
