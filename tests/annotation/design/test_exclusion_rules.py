"""Exclusion rules: read, refused, and whom they catch."""

from statistics import correlation

import pytest

from annotation.design.exclusion_rules import (
    DISAGREEING,
    FAST,
    STRAIGHT,
    ExclusionRule,
    JudgeWork,
    plain_rules,
    read_rules,
    rule_verdicts,
)


def _verdict(rule, work, others=()):
    works = {"own": work, **{f"other {n}": one for n, one in enumerate(others)}}
    return rule_verdicts([rule], works, works.keys())["own"][0]


def _answers(*values, question="fluency"):
    return {question: {unit: float(value) for unit, value in enumerate(values)}}


def test_rules_are_read_in_one_order_and_written_as_they_were():
    declared = [
        {"kind": STRAIGHT, "threshold": 95.0, "n_outputs": 20},
        {"kind": FAST, "threshold": 5},
    ]

    rules = read_rules(declared)

    assert rules == (ExclusionRule(FAST, 5, 10), ExclusionRule(STRAIGHT, 95, 20))
    assert read_rules(plain_rules(rules)) == rules
    assert str(rules[0]) == "median active time on an output below 5 s, from 10 outputs on"


@pytest.mark.parametrize(
    ("declared", "told"),
    [
        ({"kind": FAST}, "are a list"),
        ([3], "rule 1 needs kind, threshold"),
        ([{"kind": FAST, "threshold": 5, "because": "x"}], "nothing else"),
        ([{"kind": "slow", "threshold": 5}], "no known kind; there are fast, same_answer"),
        ([{"kind": ["fast"], "threshold": 5}], "no known kind"),
        ([{"kind": FAST}], r"\(fast\) needs a threshold from 0 to 86400"),
        ([{"kind": STRAIGHT, "threshold": 101}], "threshold from 0 to 100"),
        ([{"kind": DISAGREEING, "threshold": float("nan")}], "threshold from -1 to 1"),
        ([{"kind": FAST, "threshold": True}], "threshold"),
        ([{"kind": FAST, "threshold": 5, "n_outputs": 2}], "n_outputs from 3 to"),
        ([{"kind": FAST, "threshold": 5}, {"kind": FAST, "threshold": 6}], "two exclusion rules"),
    ],
)
def test_what_is_no_rule_is_refused_with_a_sentence(declared, told):
    with pytest.raises(ValueError, match=told):
        read_rules(declared)


def test_the_median_time_is_what_counts_and_the_threshold_itself_catches_nobody():
    rule = ExclusionRule(FAST, 4, 3)

    fast = _verdict(rule, JudgeWork(3, seconds=(1, 3, 100)))
    just = _verdict(rule, JudgeWork(3, seconds=(1, 4, 100)))

    assert (fast.value, fast.is_caught, just.is_caught) == (3, True, False)
    assert fast.reason == (
        "Rule: median active time on an output below 4 s, from 3 outputs on: 3.0 s on 3 outputs"
    )


def test_the_same_answer_is_counted_question_by_question():
    answers = {**_answers(3, 3, 3, 2), **_answers(5, 5, 5, 5, question="overall")}
    work = JudgeWork(4, answers=answers)

    assert _verdict(ExclusionRule(STRAIGHT, 80, 4), work).value == pytest.approx(100 * 7 / 8)
    assert _verdict(ExclusionRule(STRAIGHT, 80, 4), work).is_caught
    assert not _verdict(ExclusionRule(STRAIGHT, 87.5, 4), work).is_caught


def test_choices_between_outputs_can_be_all_the_same_too():
    work = JudgeWork(3, answers={"better": {1: "A>B", 2: "A>B", 3: "A>B"}})

    assert _verdict(ExclusionRule(STRAIGHT, 99, 3), work).value == 100


def test_agreement_is_the_correlation_with_the_mean_of_the_others():
    others = [
        JudgeWork(4, answers=_answers(1, 2, 3, 4)),
        JudgeWork(4, answers=_answers(1, 4, 3, 4)),
    ]
    work = JudgeWork(4, answers=_answers(4, 3, 3, 1))

    verdict = _verdict(ExclusionRule(DISAGREEING, 0, 3), work, others)

    assert verdict.value == pytest.approx(correlation([4, 3, 3, 1], [1, 3, 3, 4]))
    assert verdict.is_caught


def test_agreement_is_the_mean_over_questions():
    def both(first, second):
        answers = {**_answers(*first), **_answers(*second, question="overall")}
        return JudgeWork(3, answers=answers)

    verdict = _verdict(
        ExclusionRule(DISAGREEING, 0.5, 3), both((1, 2, 3), (3, 2, 1)), [both((2, 3, 4), (1, 2, 3))]
    )

    assert verdict.value == pytest.approx(0)


def test_who_is_not_counted_is_judged_but_nobody_is_held_against_them():
    works = {
        "kept": JudgeWork(3, answers=_answers(1, 2, 3)),
        "kept too": JudgeWork(3, answers=_answers(1, 2, 4)),
        "out": JudgeWork(3, answers=_answers(3, 2, 1)),
    }

    found = rule_verdicts([ExclusionRule(DISAGREEING, 0, 3)], works, {"kept", "kept too"})

    assert found["kept"][0].value == pytest.approx(correlation([1, 2, 3], [1, 2, 4]))
    assert found["out"][0].value < -0.9


@pytest.mark.parametrize(
    ("kind", "work", "others", "told"),
    [
        (FAST, JudgeWork(9), [], "too few: 0 of 3 outputs with a known time"),
        (STRAIGHT, JudgeWork(2), [], "too few: 2 of 3 outputs"),
        (STRAIGHT, JudgeWork(3), [], "undefined: there are no answers"),
        (DISAGREEING, JudgeWork(3, answers=_answers(1, 2, 3)), [], "that others rated, too"),
        (
            DISAGREEING,
            JudgeWork(3, answers=_answers(2, 2, 2)),
            [JudgeWork(3, answers=_answers(1, 2, 3))],
            "they do not differ",
        ),
    ],
)
def test_a_rule_says_nothing_where_it_cannot_and_tells_what_is_needed(kind, work, others, told):
    verdict = _verdict(ExclusionRule(kind, 1, 3), work, others)

    assert (verdict.value, verdict.is_caught) == (None, False)
    assert told in verdict.found
