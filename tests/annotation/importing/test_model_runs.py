"""Files as programs write them that run language models: who said what is found where it stands."""

import json

import pytest

from annotation.importing import check, guess_mapping, read
from tests.annotation.importing.test_other_dresses import kinds, run, written

MESSAGE = {"role": "assistant", "content": "An answer."}
CHAT = {"model": "m", "choices": [{"index": 0, "message": MESSAGE}]}
LOG = {
    "version": 2,
    "eval": {"model": "m"},
    "samples": [{
        "id": "i1", "input": "A question?", "target": "gold", "messages": [MESSAGE],
        "output": CHAT, "scores": {"match": {"value": "C"}},
    }],
    "reductions": [],
}  # fmt: skip
STATE = {
    "adapter_spec": {"model": "m"},
    "request_states": [{
        "instance": {
            "id": "i1", "input": {"text": "A question?"},
            "references": [
                {"output": {"text": "gold"}, "tags": ["correct"]},
                {"output": {"text": "wrong"}, "tags": []},
            ],
        },
        "request": {"model": "m"},
        "result": {"completions": [{"text": "An answer.", "logprob": -3.1}]},
    }],
    "annotator_specs": [],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "record"),
    [
        ("openai.jsonl", {"custom_id": "i1", "response": {"status_code": 200, "body": CHAT}}),
        ("anthropic.jsonl", {"custom_id": "i1", "result": {"type": "succeeded", "message": {
            "model": "m", "content": [{"type": "text", "text": "An answer."}]}}}),
        ("gemini.jsonl", {"key": "i1", "response": {"modelVersion": "m", "candidates": [
            {"content": {"role": "model", "parts": [{"text": "An "}, {"text": "answer."}]}}]}}),
        ("chat.jsonl", {"id": "i1", "object": "chat.completion", **CHAT}),
        ("turns.jsonl", {"question_id": "i1", "model_id": "m",
                         "choices": [{"index": 0, "turns": ["An answer."]}]}),
        ("inspect.json", LOG),
        ("helm.json", STATE),
        ("gem.json", {"submission_name": "m", "tasks": {"t": {
            "keys": ["i1"], "values": ["An answer."]}}}),
    ],
)  # fmt: skip
def test_the_answer_of_the_model_is_the_output(tmp_path, name, record):
    rows, report = run(written(tmp_path / name, json.dumps(record)))

    assert [(row.item_id, row.system, row.output) for row in rows] == [("i1", "m", "An answer.")]
    assert kinds(report) == set()
    assert {row.references for row in rows} <= {(), ("gold",)}


def test_the_target_of_the_evaluation_harness_is_a_reference(tmp_path):
    record = {
        "doc_id": 7, "doc": {"question": "Why?"}, "target": "gold", "exact_match": 0.0,
        "arguments": {"gen_args_0": {"arg_0": "Question: Why?", "arg_1": {"until": ["\n"]}}},
        "resps": [["Because."]], "filtered_resps": ["Because."],
    }  # fmt: skip
    path = written(tmp_path / "samples_why.jsonl", json.dumps(record) + "\n")
    reading = read(path, kind="outputs")

    guess = guess_mapping(reading.header, "outputs", reading.sample())
    assert [question.kind for question in guess.questions] == ["system_unnamed"]

    (row,) = check(reading, guess.with_constants(system="m").confirmed()).rows()
    assert (row.item_id, row.output, row.references) == ("7", "Because.", ("gold",))
    assert row.source == ("Question: Why?",)


def test_answers_in_several_turns_are_asked_about_and_then_one_text(tmp_path):
    record = {"question_id": 81, "model_id": "m", "choices": [{"turns": ["First.", "Second."]}]}
    reading = read(written(tmp_path / "m.jsonl", json.dumps(record)), kind="outputs")

    guess = guess_mapping(reading.header, "outputs", reading.sample())
    assert [question.kind for question in guess.questions] == ["list_in_cell"]
    assert "an entry a line" in guess.questions[0].mend

    (row,) = check(reading, guess.confirmed()).rows()
    assert row.output == "First.\nSecond."


@pytest.mark.parametrize(
    "held",
    [
        {"i1": "One.", "i2": "Two."},
        {"predictions": ["One.", "Two."], "ids": ["i1", "i2"], "references": [["r"], ["s"]]},
    ],
)
def test_predictions_of_one_system_wait_for_its_name(tmp_path, held):
    reading = read(written(tmp_path / "predictions.json", json.dumps(held)), kind="outputs")

    guess = guess_mapping(reading.header, "outputs", reading.sample())
    assert [question.kind for question in guess.questions] == ["system_unnamed"]

    rows = list(check(reading, guess.with_constants(system="m").confirmed()).rows())
    assert [(row.item_id, row.output) for row in rows] == [("i1", "One."), ("i2", "Two.")]


def test_what_a_file_says_once_of_all_its_records_is_kept(tmp_path):
    held = {"model": "m", "outputs": [{"id": "i1", "output": "One."}], "seed": 1}

    rows, report = run(written(tmp_path / "run.json", json.dumps(held)))

    assert [(row.item_id, row.system, row.output) for row in rows] == [("i1", "m", "One.")]
    assert kinds(report) == set()


def test_a_file_of_one_item_keeps_what_it_says_of_it(tmp_path):
    held = {"id": "i1", "source": "s", "outputs": [{"system": "m", "text": "One."}]}

    (row,), _ = run(written(tmp_path / "one.json", json.dumps(held)))

    assert (row.item_id, row.system, row.output, row.source) == ("i1", "m", "One.", ("s",))


@pytest.mark.parametrize("first", [["One.", "Two."], "One."])
def test_texts_and_lists_are_not_mixed_in_silence(tmp_path, first):
    second = "One." if isinstance(first, list) else ["One.", "Two."]
    lines = [{"id": n, "system": "m", "output": text} for n, text in enumerate([first, second])]
    path = written(tmp_path / "mixed.jsonl", "\n".join(map(json.dumps, lines)))

    _, report = run(path)

    assert [found.line for found in report.findings if found.kind == "bad_shape"] == [2]


def test_a_list_of_an_item_that_has_a_name_is_no_list_of_items(tmp_path):
    record = {"id": "i7", "system": "m", "output": ["best", "second"]}
    reading = read(written(tmp_path / "nbest.jsonl", json.dumps(record)), kind="outputs")
    guess = guess_mapping(reading.header, "outputs", reading.sample())

    assert [question.kind for question in guess.questions] == ["list_in_cell"]
    (row,) = check(reading, guess.confirmed()).rows()
    assert (row.item_id, row.output) == ("i7", "best\nsecond")


@pytest.mark.parametrize(
    "references", [{"a": "R", "b": "S"}, [{"text": "R"}, {"text": "S"}], [["R"], ["S"]]]
)
def test_references_in_objects_are_texts(tmp_path, references):
    record = {"id": 1, "system": "m", "output": "One.", "references": references}

    (row,), _ = run(written(tmp_path / "held.jsonl", json.dumps(record)))

    assert row.references == ("R", "S")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pretty.jsonl", '{\n "id": 1,\n "system": "m",\n "output": "One."\n}\n'),
        ("held.json", ('{"response": {"data": {"items": '
                       '[{"id": 1, "system": "m", "output": "One."}]}}}')),
        ("content.jsonl", '{"id": 1, "outputs": [{"name": "m", "content": "One."}]}'),
    ],
)  # fmt: skip
def test_odd_wrappings_are_seen_through(tmp_path, name, content):
    rows, report = run(written(tmp_path / name, content))

    assert [(row.item_id, row.system, row.output) for row in rows] == [("1", "m", "One.")]
    assert kinds(report) == set()


def test_what_stands_before_json_is_named(tmp_path):
    path = written(tmp_path / "commented.json", '// made by hand\n[{"id": 1, "output": "x"}]\n')

    (found,) = run(path)[1].findings[:1]

    assert (found.kind, found.line) == ("bad_json", 1)
    assert "no comments" in found.mend
