"""The Human Evaluation Datasheet: which answers are there without typing, and what they say."""

import json

import pytest

from metrics_app.reports.datasheet.evidence import Evidence
from metrics_app.reports.datasheet.questions import QUESTIONS
from metrics_app.reports.datasheet.sheet import fill_datasheet
from metrics_app.reports.datasheet.writers import WRITERS

SCALE = {
    "kind": "points", "measurement": "ordinal", "minimum": None, "maximum": None, "step": None,
    "points": [{"value": 1.0, "label": "bad"}, {"value": 2.0, "label": "good_100%"}],
}  # fmt: skip
DIMENSION = {
    "phase": "main", "key": "fluency", "version": 1, "is_current": True, "kind": "points",
    "name": "Fluency", "definition": "", "question": "How <fluent> is it?", "scale": SCALE,
}  # fmt: skip
PROTOCOL = {
    "study": {
        "slug": "demo", "title": "Demo", "layout": "one_output", "seed": 7, "repeat_percent": 0,
        "lease_minutes": 60, "source_title": "Source", "output_title": "Output",
        "shuffles_dimensions": False, "one_dimension_per_pass": False,
        "source_once_per_judge": True,
    },
    "phases": [
        {"phase": "main", "title": "", "instructions": "", "suggestions": "", "examples": []}
    ],
    "dimensions": [DIMENSION, {**DIMENSION, "key": "comment", "kind": "comment", "scale": None}],
    "groups": [{"key": "crowd", "name": "Crowd", "kind": "crowd", "judges_per_unit": 3,
                "n_judges": 5, "n_excluded": 1}],
    "systems": [],
}  # fmt: skip
CONDUCT = {
    "n_collected": 40, "n_imported": 0, "n_repeats": 0, "n_simulated": 0, "n_model_judges": 0,
    "n_joint_judges": 0, "optional": frozenset(), "has_comments": True,
}  # fmt: skip
EXCLUDED = ("2026-03-01T10:00:00", "judge_excluded", "J003", "failed two checks")
REPORT = {
    "data_hash": "abc", "code_version": "1.0",
    "overview": {"n_outputs": 8, "n_systems": 2, "n_left_out": {"late": 3}, "n_resamples": 1000},
    "means": [
        {"dimension": "fluency", "system": system, "n_items": 4, "mean": 1.5} for system in "ab"
    ],
    "agreement": [{
        "dimension": "fluency", "group": "crowd", "scope": "pooled", "value": 0.5, "ci": [0.4, 0.6],
        "statistic": "krippendorff_alpha", "options": {"measurement": "ordinal"}, "n_raters": 5,
        "n_units": 8, "undefined": None,
    }],
}  # fmt: skip


def _sheet(**changed):
    parts = {"protocol": PROTOCOL, "conduct": CONDUCT, "report": REPORT, **changed}
    return fill_datasheet(Evidence(**parts))


def _answers(sheet):
    return {entry.number: entry.answer for entry in sheet.entries}


def test_there_are_62_questions_33_of_them_automatic():
    filled = [question.filled for question in QUESTIONS]

    assert len({question.number for question in QUESTIONS}) == len(QUESTIONS) == 62
    assert {kind: filled.count(kind) for kind in set(filled)} == {
        "automatic": 33, "preset": 26, "typed": 3,
    }  # fmt: skip


@pytest.mark.parametrize("report", [REPORT, {}])
def test_every_automatic_question_is_answered_and_the_rest_is_open(report):
    sheet = _sheet(report=report)

    answered = {entry.number for entry in sheet.entries if not entry.is_open}
    assert answered == {one.number for one in QUESTIONS if one.filled == "automatic"}
    assert sheet.n_open == 29


def test_what_a_study_has_not_is_none():
    answers = _answers(_sheet())

    for number in ("3.1.3.1", "3.1.3.2", "3.1.3.3", "3.2.2.2", "3.2.3", "3.2.4", "3.2.5",
                   "3.3.3.1", "4.3.2", "4.3.6", "4.3.12.1", "4.3.12.2"):  # fmt: skip
        assert answers[number].split(":")[0] == "none", number


def test_answers_come_from_protocol_and_report():
    answers = _answers(_sheet(exclusions=[EXCLUDED]))

    assert answers["3.1.1"] == "8 outputs of 2 systems: a 4, b 4"
    assert answers["3.2.1"] == "5 in all: 5 in the group Crowd (3 planned for each output)"
    assert answers["3.3.3.2"] == (
        "2026-03-01 judge excluded: J003 (failed two checks); 3 ratings left out: late"
    )
    assert answers["4.2.2"] == "absolute"
    assert answers["4.3.3"] == "2"
    assert answers["4.3.4"] == "1 (bad), 2 (good_100%)"
    assert answers["4.3.7"] == "How <fluent> is it?"
    assert answers["4.3.11.2"] == (
        "Krippendorff's alpha, ordinal: crowd: 0.50 [0.40, 0.60] (5 judges, 8 units)"
    )


def test_the_words_that_judges_read_before_are_those_of_instructions_and_suggestions():
    phase = {"instructions": "Read it all.", "suggestions": "Twice, if long.", "examples": [{}]}
    protocol = {**PROTOCOL, "phases": [phase, {**phase, "suggestions": ""}]}

    answers = _answers(_sheet(protocol=protocol))

    assert answers["3.2.4"] == "none beside written instructions of 9 words and 2 worked examples"


def test_section_four_is_answered_once_for_each_criterion_and_not_for_comments():
    second = {**DIMENSION, "key": "coverage", "name": "Coverage"}
    protocol = {**PROTOCOL, "dimensions": [*PROTOCOL["dimensions"], second]}

    sheet = _sheet(protocol=protocol)

    assert [part.title for part in sheet.parts if part.number == "4"] == [
        "Quality criterion: Fluency",
        "Quality criterion: Coverage",
    ]
    assert len(sheet.entries) == 62 + 21


def test_every_format_holds_every_answer():
    sheet = _sheet()
    answer = "How <fluent> is it?"

    stored = json.loads(WRITERS["json"](sheet))
    assert (stored["n_questions"], stored["n_open"]) == (62, 29)
    assert answer in [entry["answer"] for entry in stored["entries"]]
    assert "How &lt;fluent&gt; is it?" in WRITERS["html"](sheet)
    latex = WRITERS["tex"](sheet)
    assert r"How \textless{}fluent\textgreater{} is it?" in latex
    assert r"good\_100\%" in latex
    assert latex.count(r"\item[") == len(sheet.entries)
    assert latex.count(r"\begin{") == latex.count(r"\end{")


def test_agreement_with_oneself_is_told_from_the_report():
    row = {
        "dimension": "fluency", "group": "crowd", "judge": "", "statistic": "krippendorff_alpha",
        "value": 0.75, "ci": [0.5, 0.9], "n_units": 12, "n_judges": 4, "undefined": None,
    }  # fmt: skip
    own = {**row, "judge": "J001", "value": 0.1}
    repeated = {**CONDUCT, "n_repeats": 12}

    answers = _answers(_sheet(conduct=repeated, report={**REPORT, "self_agreement": [row, own]}))

    assert answers["4.3.12.1"] == (
        "12 outputs shown again to the same judge; krippendorff_alpha of first and second answers"
    )
    assert answers["4.3.12.2"] == (
        "Krippendorff's alpha, first against second answer: "
        "crowd: 0.75 [0.50, 0.90] (4 judges, 12 repeats)"
    )


def test_exclusion_rules_and_their_later_changes_are_told_with_reasons():
    rules = [{"kind": "same_answer", "threshold": 95.0, "n_outputs": 20}]
    protocol = {**PROTOCOL, "study": {**PROTOCOL["study"], "exclusion_rules": rules}}
    changed = (
        "2026-03-02T10:00:00", "exclusion_rules_changed", "before: none, now: this", "a bot",
    )  # fmt: skip
    set_before = ("2026-02-01T10:00:00", "exclusion_rules_set", "before: none, now: that", "")

    answer = _answers(_sheet(protocol=protocol, exclusions=[set_before, changed, EXCLUDED]))

    assert answer["3.3.3.2"] == (
        "rules: share of the commonest answer to each question above 95%, from 20 outputs on; "
        "2026-03-02 exclusion rules changed: before: none, now: this (a bot); "
        "2026-03-01 judge excluded: J003 (failed two checks); 3 ratings left out: late"
    )
