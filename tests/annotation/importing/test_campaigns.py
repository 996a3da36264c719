"""Answers of judges as other tools export them, and lists with an answer of each judge."""

import json

import pytest

from annotation.importing import check, guess_mapping, read
from tests.annotation.importing.test_other_dresses import written

FIELDS = {"source": "s", "output": "One."}
COLUMNS = {
    "id": "i1", "system": "bart", **FIELDS, "fluency.responses": [4, 2],
    "fluency.responses.users": ["u1", "u2"],
    "fluency.responses.status": ["submitted", "discarded"], "fluency.suggestion": None,
}  # fmt: skip
RECORD = {
    "id": "i1", "fields": FIELDS, "metadata": {"system": "bart"}, "vectors": {},
    "responses": {"fluency": [{"value": 4, "user_id": "u1"},
                              {"value": 2, "user_id": "u2", "status": "draft"}]},
}  # fmt: skip
FIRST_VERSION = {
    "external_id": "i1", "fields": FIELDS, "metadata": {"system": "bart"}, "suggestions": [],
    "responses": [
        {"user_id": "u1", "status": "submitted", "values": {"fluency": {"value": 4}}},
        {"user_id": "u2", "status": "discarded", "values": {"fluency": {"value": 2}}},
    ],
}  # fmt: skip
FACTGENIE = {
    "dataset": "d", "setup_id": "bart", "example_idx": "i1", "output": "One.",
    "metadata": {"id": "run", "annotator_id": "u1", "annotator_group": "crowd"},
    "annotations": [{"type": 0, "start": 0, "text": "One", "reason": ""}],
    "sliders": [{"label": "fluency", "value": 4, "min": 1, "max": 5}], "flags": [],
}  # fmt: skip
PEARMUT = {
    "user_id": "u1", "item_i": 0, "item": [{"item_id": "i1", "src": "s", "tgt": {"bart": "One."}}],
    "annotation": [{"bart": {"fluency": 4, "error_spans": [{"start_i": 0, "end_i": 1}]}}],
}  # fmt: skip
CAMPAIGNS = {
    "argilla_columns": COLUMNS, "argilla": RECORD, "argilla_1": FIRST_VERSION,
    "factgenie": FACTGENIE, "pearmut": PEARMUT,
}  # fmt: skip


def ratings(path, **constants):
    reading = read(path, kind="ratings")
    guess = guess_mapping(reading.header, "ratings", reading.sample())
    rows = check(reading, guess.with_constants(**constants).confirmed()).rows()
    asked = [question.kind for question in (*guess.questions, *reading.questions)]
    return [(row.item_id, row.system, row.judge, row.dimension, row.value) for row in rows], asked


@pytest.mark.parametrize("tool", CAMPAIGNS)
def test_an_answer_is_found_with_who_gave_it_about_what(tmp_path, tool):
    rows, asked = ratings(written(tmp_path / f"{tool}.jsonl", json.dumps(CAMPAIGNS[tool])))

    assert rows == [("i1", "bart", "u1", "fluency", 4)]
    assert asked == []


@pytest.mark.parametrize("tool", CAMPAIGNS)
def test_the_outputs_of_a_campaign_can_be_loaded_too(tmp_path, tool):
    path = written(tmp_path / f"{tool}.jsonl", json.dumps(CAMPAIGNS[tool]))
    reading = read(path, kind="outputs")
    guess = guess_mapping(reading.header, "outputs", reading.sample())

    (row,) = check(reading, guess).rows()

    assert (row.item_id, row.system, row.output) == ("i1", "bart", "One.")


@pytest.mark.parametrize(
    "record",
    [
        {"text": "One.", "meta": {"item": "i1", "system": "bart"}, "_task_hash": 4, "accept": [4],
         "options": [{"id": 4, "text": "good"}], "answer": "accept", "_annotator_id": "u1"},
        {"id": "i1", "text": "One.", "system": "bart", "label": ["4"], "annotator": "u1",
         "Comments": []},
    ],
    ids=["prodigy", "doccano"],
)  # fmt: skip
def test_tools_that_name_no_dimension_leave_it_to_be_named(tmp_path, record):
    path = written(tmp_path / "labels.jsonl", json.dumps(record))

    rows, asked = ratings(path, dimension="fluency")

    assert rows == [("i1", "bart", "u1", "fluency", 4)]
    assert asked == ["dimension_unnamed"]


BY_PLACE = [("i1", "bart", "judge-1", "fluency", 4), ("i1", "bart", "judge-3", "fluency", 2)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("lists.jsonl", '{"id": "i1", "system": "bart", "fluency": [4, "N/A", 2]}\n'),
        ("held.jsonl", '{"id": "i1", "system": "bart", "annotations": {"fluency": [4, null, 2]}}'),
        ("python.csv", "id,system,fluency\ni1,bart,\"[4, '-', 2]\"\n"),
    ],
)
def test_lists_of_numbers_hold_an_answer_of_each_judge_once_that_is_confirmed(
    tmp_path, name, content
):
    rows, asked = ratings(written(tmp_path / name, content))

    assert [row for row in rows if row[-1] is not None] == BY_PLACE
    assert asked == ["list_in_cell"]


def test_judges_are_named_by_a_list_of_them(tmp_path):
    record = {"id": "i1", "system": "bart", "annotators": ["A", "B"], "overall": [5, 3]}

    rows, asked = ratings(written(tmp_path / "named.jsonl", json.dumps(record)))

    assert rows == [("i1", "bart", "A", "overall", 5), ("i1", "bart", "B", "overall", 3)]
    assert asked == ["list_in_cell"]


def test_lists_beside_a_list_of_texts_are_about_the_texts(tmp_path):
    record = {"id": "i1", "machine_summaries": ["One.", "Two."], "fluency": [5, 3]}

    reading = read(written(tmp_path / "mteb.jsonl", json.dumps(record)), kind="ratings")

    assert "judge" not in reading.header
