from dataclasses import replace

import pytest

from metrics_app.metrics.judging.question import (
    PAIR_SCALE,
    TEMPLATE,
    TIE_SCALE,
    AnswerScale,
    Question,
    check_template,
    fill,
    fill_pair,
    fill_set,
    set_scale,
)

FLUENCY = Question(
    dimension="Fluency",
    definition="How well it reads.",
    question="Is the text fluent?",
    scale=AnswerScale(1, 2, points=((1.0, "No"), (2.0, "Yes"))),
    source_title="E-mail",
    output_title="Subject line",
)


def test_the_prompt_holds_the_studys_own_words():
    prompt = fill(TEMPLATE, FLUENCY, sources=["One.", "Two."], output="An output")

    for words in (
        "Definition of Fluency: How well it reads.",
        "Question: Is the text fluent?",
        "1: No\n2: Yes",
        "E-mail:\n<<<\nOne.\n\nTwo.\n>>>",
        "Subject line, the text to be judged:\n<<<\nAn output\n>>>",
    ):
        assert words in prompt
    assert prompt.endswith("Fluency (number only):")


def test_braces_in_texts_are_text():
    prompt = fill("{output}|{source}", FLUENCY, sources=["{output}"], output="{source} {x}")

    assert prompt == "{source} {x}|{output}"


def test_a_range_names_its_anchors():
    scale = AnswerScale(0, 100, anchors=((0.0, "worst"), (100.0, "best")))

    assert scale.in_words() == "any number from 0 to 100\n0: worst\n100: best"


@pytest.mark.parametrize(
    ("template", "problem"),
    [("Rate it.", "must contain {output}"), ("{output} {rating}", "no field {rating}")],
)
def test_a_template_that_cannot_work_is_refused(template, problem):
    with pytest.raises(ValueError, match=problem):
        check_template(template)


def test_a_pair_is_shown_as_a_and_b_with_the_studys_own_words():
    question = replace(FLUENCY, question="Which reads better?", scale=TIE_SCALE)

    prompt = fill_pair(question, sources=["One."], outputs=("Left {output_b}", "Right"))

    for words in (
        "Definition of Fluency: How well it reads.",
        "Question: Which reads better?",
        "A: the first text is better\nB: the second text is better\ntie: there is no difference",
        "E-mail:\n<<<\nOne.\n>>>",
        # A text is put in as it is, never read for fields.
        "Subject line A:\n<<<\nLeft {output_b}\n>>>",
        "Subject line B:\n<<<\nRight\n>>>",
    ):
        assert words in prompt


def test_a_pair_without_a_question_or_a_tie_is_asked_for_the_better():
    question = replace(FLUENCY, question="", scale=PAIR_SCALE)

    prompt = fill_pair(question, sources=[], outputs=("Left", "Right"))

    assert "Question: Which of the two texts is better?" in prompt
    assert "tie" not in prompt


@pytest.mark.parametrize(("n_outputs", "last"), [(3, "C"), (5, "E")])
def test_a_set_is_shown_in_its_order_with_a_letter_for_each_text(n_outputs, last):
    question = replace(FLUENCY, question="", scale=set_scale(n_outputs))
    texts = [f"Text {number} {{source}}" for number in range(n_outputs)]

    prompt = fill_set(question, sources=["One."], outputs=texts)

    assert "Question: Which of the texts is the best, and which the worst?" in prompt
    assert f"two different letters from A to {last}" in prompt
    # A text is put in as it is, never read for fields.
    shown = [
        f"Subject line {letter}:\n<<<\n{text}\n>>>"
        for letter, text in zip("ABCDE", texts, strict=False)
    ]
    assert "\n\n".join(shown) in prompt
    assert prompt.endswith("Fluency (best>worst only):")
