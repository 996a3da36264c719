import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics_app.metrics.judging.answers import (
    best_worst_in,
    best_worst_of_set,
    choice_in,
    choice_of_pair,
    fact_label,
    judgement_of,
    number_in,
    weighted_value,
)
from metrics_app.metrics.judging.question import PAIR_SCALE, TIE_SCALE, AnswerScale, set_scale
from tests.metrics_app.llm_server import says

FIVE = AnswerScale(1, 5, points=tuple((float(n), "") for n in range(1, 6)))
TEN = AnswerScale(1, 10, points=tuple((float(n), "") for n in range(1, 11)))
RANGE = AnswerScale(0, 100)


@pytest.mark.parametrize(
    ("text", "scale", "value"),
    [
        ("4", FIVE, 4),
        (" 4.\n", FIVE, 4),
        ("Fluency: 4", FIVE, 4),
        ("4/5", FIVE, 4),
        ("4 out of 5", FIVE, 4),
        ("10", TEN, 10),
        ("4, yes, 4", FIVE, 4),
        ("37.5", RANGE, 37.5),
        ("4.5", FIVE, None),
        ("6", FIVE, None),
        ("-1", RANGE, None),
        ("between 2 and 3", FIVE, None),
        ("Point 3 is made twice, so 2", FIVE, None),
        ("GPT4", FIVE, None),
        ("good", FIVE, None),
        ("", FIVE, None),
    ],
)
def test_one_number_of_the_scale_is_an_answer_and_nothing_else(text, scale, value):
    assert number_in(text, scale) == value


def test_points_are_weighted_by_their_probabilities():
    choice = says("4", tokens=[("4", {"4": 0.6, "5": 0.3, " 4": 0.0625, "the": 0.0375})])

    found = judgement_of([choice], FIVE)

    assert found.value == pytest.approx((4 * 0.6625 + 5 * 0.3) / 0.9625)
    assert (found.outcome, found.n_used, found.n_weighted) == ("answered", 1, 1)


def test_words_before_the_number_are_passed_over():
    choice = says("Score: 2", tokens=[("Score", {"Score": 1}), (":", {":": 1}), (" 2", {" 2": 1})])

    assert weighted_value(choice, FIVE) == 2


@pytest.mark.parametrize(
    ("tokens", "scale"),
    [
        ([], FIVE),
        ([("4", {"4": 0.2, "the": 0.8})], FIVE),  # less than half of the mass is on the scale
        ([("1", {"1": 0.9, "2": 0.1})], TEN),  # 1 may become 10
        ([("37", {"37": 1.0})], RANGE),
    ],
)
def test_where_probabilities_do_not_tell_the_written_number_counts(tokens, scale):
    assert weighted_value(says("4", tokens=tokens), scale) is None


def test_samples_are_averaged_and_those_without_a_number_left_out():
    found = judgement_of([says("4"), says("3"), says("hm")], FIVE)

    assert (found.value, found.n_used, found.outcome) == (3.5, 2, "answered")


@pytest.mark.parametrize(
    ("choice", "outcome"),
    [
        (says("I’m sorry, I can’t rate this."), "refused"),
        (says("", finish_reason="content_filter"), "refused"),
        (says(None, message={"content": None, "refusal": "No."}), "refused"),
        (says("What a fine text!"), "unparsable"),
        ({}, "unparsable"),
        ({"message": None, "logprobs": "nonsense"}, "unparsable"),
    ],
)
def test_refusals_and_nonsense_are_told_apart_and_have_no_value(choice, outcome):
    found = judgement_of([choice], FIVE)

    assert (found.outcome, found.value) == (outcome, None)


def test_nonsense_in_the_probabilities_does_no_harm():
    choice = says("4")
    choice["logprobs"] = {"content": [None, {"token": "4", "top_logprobs": [{"token": "4"}]}]}

    assert judgement_of([choice], FIVE).value == 4


LABELS = AnswerScale(0, 1, ((0, "Absent"), (1, "Present")))


@pytest.mark.parametrize(
    ("texts", "outcome", "value"),
    [
        (["Present"], "answered", 1),
        ([" **absent**. "], "answered", 0),
        (["0"], "answered", 0),
        (["Label: 1"], "answered", 1),
        (["Not present"], "unparsable", None),
        (["Present or absent"], "unparsable", None),
        (["2"], "unparsable", None),
        (["I cannot tell, I'm sorry"], "refused", None),
        (["1", "0", "present"], "answered", 1),
        (["1", "0"], "unparsable", None),
        (["1", "as an AI, I decline"], "answered", 1),
    ],
)
def test_a_label_of_a_fact(texts, outcome, value):
    found = fact_label([says(text) for text in texts], LABELS)
    assert (found.outcome, found.value) == (outcome, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A", 1), (" b.\n", 2), ("**B**", 2), ("[[A]]", 1), ("(B)", 2), ("Answer: A", 1),
        ("The answer is B.", 2), ("Text A is better.", 1), ("Output B", 2), ("tie", 0),
        ("A or B", None), ("A>B", None), ("A text is better", None), ("C", None), ("", None),
        ("1", None), ("B, as it names the time.", None), ("not A", None), ("A" * 50_000, None),
    ],
)  # fmt: skip
def test_a_choice_is_all_that_the_text_says(text, value):
    assert choice_in(text, TIE_SCALE) == value


def test_a_tie_that_is_not_offered_is_no_choice():
    assert choice_in("tie", PAIR_SCALE) is None


@pytest.mark.parametrize(
    ("texts", "outcome", "value"),
    [
        (["A", "B", "A"], "answered", 1),
        (["A", "?", "A"], "answered", 1),
        (["A", "B"], "unparsable", None),
        (["I'm sorry, no."], "refused", None),
        (["both"], "unparsable", None),
    ],
)
def test_the_choice_of_most_samples_counts(texts, outcome, value):
    found = choice_of_pair([says(text) for text in texts], TIE_SCALE)

    assert (found.outcome, found.value) == (outcome, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("B>D", 24), (" d > a.\n", 41), ("**B>D**", 24), ("[[B>D]]", 24), ("Answer: B>D", 24),
        ("The answer is (C > A).", 31), ("Best: B, worst: D", 24), ("best: B\nworst: D", 24),
        ("Best=B, worst=D", 24),
        ("**Best:** A; **Worst:** C.", 13), ("Best is Text B and worst is Text D", 24),
        ("A>A", None), ("A>E", None), ("A=B", None), ("A>B>C", None), ("A", None), ("B, D", None),
        ("B>D, as it names the time.", None), ("Not B>D", None), ("A>B or A>C", None),
        ("Best: A", None), ("24", None), ("", None), ("A>" * 50_000, None), ("a " * 50_000, None),
    ],
)  # fmt: skip
def test_a_best_and_worst_are_all_that_the_text_says(text, value):
    assert best_worst_in(text, set_scale(4)) == value


@pytest.mark.parametrize(
    ("texts", "outcome", "value"),
    [
        (["A>B", "A>C", "A>B"], "answered", 12),
        (["A>B", "A>A", "A>B"], "answered", 12),
        (["A>B", "A>C"], "unparsable", None),
        (["I'm sorry, no."], "refused", None),
        (["all are fine"], "unparsable", None),
    ],
)
def test_the_best_and_worst_of_most_samples_count(texts, outcome, value):
    found = best_worst_of_set([says(text) for text in texts], set_scale(3))

    assert (found.outcome, found.value) == (outcome, value)


NAMES = st.sampled_from(
    ["message", "content", "text", "refusal", "logprobs", "token", "logprob", "top_logprobs"]
)
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.sampled_from(["3", "A", "B>A", "I cannot."]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.lists(st.dictionaries(NAMES, ANY_JSON, max_size=4), max_size=3))
def test_whatever_the_choices_hold_there_is_a_judgement(choices):
    for read, scale in (
        (judgement_of, FIVE),
        (fact_label, FIVE),
        (choice_of_pair, PAIR_SCALE),
        (best_worst_of_set, set_scale(3)),
    ):
        found = read(choices, scale)
        assert (found.value is None) == (found.outcome != "answered")
        assert found.value is None or scale.minimum <= found.value <= scale.maximum


@pytest.mark.parametrize(
    ("choice", "value"),
    [
        ({"message": {"content": [{"type": "text", "text": "3"}, {"text": None}, 4]}}, 3.0),
        ({"message": "3"}, None),
        ({"message": {"content": 3}}, None),
        ({"message": {"content": "3"}, "logprobs": {"content": [{"token": "3"}]}}, 3.0),
        ({"message": {"content": "3"}, "logprobs": {"content": "3"}}, 3.0),
        (
            {
                "message": {"content": "3"},
                "logprobs": {
                    "content": [
                        {"token": "3", "top_logprobs": [7, {"token": "3", "logprob": math.nan}]}
                    ]
                },
            },
            3.0,
        ),
        # Tokens that are no points, and too little of those that are: what was written counts.
        (says("3", tokens=[("3", {"Three": 0.9, "3": 0.1})]), 3.0),
    ],
)
def test_odd_answers(choice, value):
    assert judgement_of([choice], FIVE).value == value
