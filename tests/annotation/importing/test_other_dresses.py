"""Files as spreadsheets, scripts and other tools really write them, each read as a person would."""

import csv
import io
import json
import zipfile

import openpyxl
import pytest

from annotation.importing import ReadOptions, Rules, ScaleRule, check, dry_run, guess_mapping, read
from annotation.importing.moments import moment

ONE_TO_FIVE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))


def run(path, kind="outputs", options=None, **said):
    rules = ONE_TO_FIVE if kind == "ratings" else Rules()
    reading = read(path, kind=kind, options=options)
    mapping = guess_mapping(reading.header, kind, reading.sample()).with_fields(said)
    checked = check(reading, mapping.confirmed() if said else mapping, rules)
    return list(checked.rows()), checked.report


def written(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def kinds(report):
    return set(report.counts)


TWO = [("i1", "A", "fine, really"), ("i2", "A", "good")]
MARKDOWN = "| id | system | output |\n|----|:---|---|\n|i1|A|fine, really|\n|i2|A|good|\n"
TABLE = 'item_id,system,output\ni1,A,"fine, really"\ni2,A,good\n'


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("title.csv", f"My study,,\nMade 2024-01-02,,\n,,\n{TABLE}", {"lines_before_header"}),
        ("comment.csv", f"# by script 2\n# today\n{TABLE}", {"lines_before_header"}),
        ("spaced.csv", 'item_id, system, output\ni1, A, "fine, really"\ni2, A, good\n',
         {"odd_quotes"}),
        ("apostrophes.csv", TABLE.replace('"', "'").replace("item_id", "'item_id'"),
         {"odd_quotes"}),
        ("joined.csv", TABLE[:42] + "\n\ufeff" + "item_id,system,output\ni2,A,good\n",
         {"repeated_header"}),
        ("joined_rows.csv", TABLE.replace("i2", "\ufeffi2"), set()),
        ("invisible.csv", "\u200b" + TABLE, set()),
        ("german.csv", TABLE.replace("item_id", "Artikel-ID").replace("output", "Ausgabe"), set()),
        ("french.csv", TABLE.replace("item_id,system,output", "identifiant,système,sortie"), set()),
        ("spanish.csv", TABLE.replace("item_id,system,output", "id,sistema,salida"), set()),
        ("chinese.csv", TABLE.replace("item_id,system,output", "编号,系统,输出"), set()),
        ("table.md", MARKDOWN, set()),
        ("total.csv", f"{TABLE}Total,,2\n", {"totals_row"}),
        ("one_after_another.json",
         "\n".join(json.dumps({"id": i, "system": s, "output": o}, indent=1) for i, s, o in TWO),
         set()),
        ("split.json", json.dumps({"columns": ["id", "system", "output"], "index": [0, 1],
                                   "data": TWO}), set()),
        ("by_system.json", json.dumps({"A": {"i1": "fine, really", "i2": "good"}}), set()),
        ("batch.jsonl", "\n".join(json.dumps({"custom_id": i, "model": s, "response": o})
                                  for i, s, o in TWO), set()),
    ],
)  # fmt: skip
def test_the_two_outputs_are_found(tmp_path, name, content, said):
    rows, report = run(written(tmp_path / name, content))

    assert [(row.item_id, row.system, row.output) for row in rows] == TWO
    assert kinds(report) == said


def test_quotes_escaped_by_a_backslash_are_read_and_said(tmp_path):
    content = 'item_id,system,output\n"i1","A","He said \\"hi\\", twice"\n"i2","A","Fine"\n'

    rows, report = run(written(tmp_path / "sql.csv", content))

    assert rows[0].output == 'He said "hi", twice'
    assert kinds(report) == {"odd_quotes"}


def test_a_broken_quote_is_not_explained_away_by_an_odd_way_of_quoting(tmp_path):
    content = 'item_id,system,output\ni1,A,"never closed\ni2,A,\\" it\'s, "x"\n'

    _, report = run(written(tmp_path / "broken.csv", content))

    assert kinds(report) == {"unclosed_quote"}


@pytest.mark.parametrize(
    ("name", "content", "outcome", "kind"),
    [
        ("pointer.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12\n",
         "reject", "not_a_table"),
        ("again.csv", "item_id,system,output,output.1\ni1,A,fine,x\n", "ask", "ambiguous_header"),
        ("labels.csv", "id,sprachmodell,texte\n" + "".join(f"i{n},gpt,Ein Satz {n}.\n"
                                                             for n in range(4)),
         "ask", "columns_unclear"),
        ("chat.jsonl", '{"id": "i1", "messages": [{"role": "user", "content": "q"}]}\n',
         "ask", "list_in_cell"),
        ("cases.csv", "id,system,output\ni1,GPT,a b\ni1,gpt,c d\n",
         "accept_with_warnings", "systems_differ_in_case"),
        ("lines.txt", "A first output.\nA second one, with a comma.\n", "ask", "system_unnamed"),
    ],
)  # fmt: skip
def test_nothing_is_guessed_at_in_silence(tmp_path, name, content, outcome, kind):
    report = dry_run(written(tmp_path / name, content), kind="outputs")

    assert report.outcome == outcome
    assert kind in kinds(report)


def test_a_text_file_without_cells_has_one_output_a_line(tmp_path):
    path = written(tmp_path / "bart.txt", "A first output.\nA second one, with a comma.\n")

    rows, report = run(path, item_id="item_id")
    assert (rows, kinds(report)) == ([], {"missing_column"})

    reading = read(path, kind="outputs")
    mapping = guess_mapping(reading.header, "outputs").with_constants(system="bart").confirmed()
    rows = list(check(reading, mapping).rows())
    assert [(row.item_id, row.output) for row in rows] == [
        ("1", "A first output."),
        ("2", "A second one, with a comma."),
    ]


def test_a_zip_of_fairseq_files_is_aligned_by_line(tmp_path):
    path = tmp_path / "test.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("test.src", "test.ref", "bart.hyp", "t5.pred"):
            archive.writestr(name, f"{name} one\n{name} two\n")

    rows, report = run(path)

    assert [(row.item_id, row.system, row.output) for row in rows][:2] == [
        ("1", "bart", "bart.hyp one"),
        ("1", "t5", "t5.pred one"),
    ]
    assert (rows[0].source, rows[0].references) == (("test.src one",), ("test.ref one",))
    assert report.outcome == "accept"


def test_an_archive_in_an_archive_is_named(tmp_path):
    path = tmp_path / "outer.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("inner.zip", b"PK\x05\x06" + b"\0" * 18)

    with pytest.raises(ValueError, match=r"only inner\.zip"):
        read(path, kind="outputs")


@pytest.mark.parametrize(
    ("content", "column"),
    [
        (f"id,system,output\n{'i' * 201},A,fine\ni2,A,good\n", "id"),
        (f"id,system,output\ni1,{'s' * 201},fine\ni2,A,good\n", "system"),
        (f"id,system,output,domain\ni1,A,fine,{'d' * 101}\ni2,A,good,\n", "domain"),
    ],
)
def test_a_name_longer_than_what_fits_costs_its_row(tmp_path, content, column):
    rows, report = run(written(tmp_path / "long.csv", content))

    assert [row.item_id for row in rows] == ["i2"]
    assert [(found.kind, found.line, found.column) for found in report.findings] == [
        ("too_long", 2, column)
    ]


def test_a_system_is_machine_or_human_throughout(tmp_path):
    content = "id,system,system_kind,output\ni1,A,Human,x y\ni2,A,machine,x z\ni3,B,robot,z y\n"

    rows, report = run(written(tmp_path / "kinds.csv", content))

    assert [(row.system, row.system_kind) for row in rows] == [("A", "human")]
    assert [(found.kind, found.line, found.value) for found in report.findings] == [
        ("bad_value", 3, "machine"),
        ("bad_value", 4, "robot"),
    ]


HEAD = "item_id,system,judge,dimension,value\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (f"{HEAD}i1,A,r1,fluency,#DIV/0!\n", "'#DIV/0!' is the error of a formula"),
        (f"{HEAD}i1,A,r1,fluency,02-Mar\n", "'02-Mar' is a date"),
        (
            f'{HEAD}i1,A,r1,fluency,"1,234"\n',
            "'1,234' has a comma between its thousands, or in place of the decimal point",
        ),
    ],
)
def test_what_is_no_number_is_said_in_words(tmp_path, content, reason):
    _, report = run(written(tmp_path / "ratings.csv", content), "ratings")

    (found,) = report.findings
    assert (found.kind, found.line, found.column) == ("not_a_number", 2, "value")
    assert reason in found.reason


def test_a_row_of_means_below_the_table_is_left_out_and_said(tmp_path):
    content = f"{HEAD}i1,A,r1,fluency,3\n,,,Average,3\n"

    rows, report = run(written(tmp_path / "ratings.csv", content), "ratings")

    assert len(rows) == 1
    assert [(found.kind, found.line) for found in report.findings] == [("totals_row", 3)]


def test_a_name_in_another_case_is_told_from_one_that_is_not_there(tmp_path):
    path = written(tmp_path / "ratings.csv", f"{HEAD}i1,bart,r1,Fluency,3\ni1,t5,r1,fluency,3\n")
    rules = Rules(systems=frozenset(["BART"]), dimensions=frozenset(["fluency"]))
    reading = read(path, kind="ratings")

    report = check(reading, guess_mapping(reading.header, "ratings"), rules).run()

    assert [found.reason for found in report.findings] == [
        "The study has no system 'bart', but 'BART'.",
        "The study has no dimension 'Fluency', but 'fluency'.",
        "The study has no system 't5'.",
    ]


def test_a_cell_that_is_no_number_keeps_a_wide_score_in_the_file(tmp_path):
    path = written(tmp_path / "scores.csv", "item_id,system,bleu,rouge\ni1,A,0.3,0.4\ni2,A,oops,.5")

    _, report = run(path, "scores")

    (found,) = report.findings
    assert (found.kind, found.line, found.column, found.value) == (
        "not_a_number", 3, "bleu", "oops",
    )  # fmt: skip
    assert found.mend


def test_columns_named_by_annotators_are_bound_to_them(tmp_path):
    path = written(tmp_path / "wide.csv", "id,model,Annotator 1,Annotator 2\ni1,A,3,4\n")
    reading = read(path, kind="ratings")

    mapping = guess_mapping(reading.header, "ratings", reading.sample())

    assert [dict(column.bound) for column in mapping.columns[2:]] == [
        {"judge": "Annotator 1"},
        {"judge": "Annotator 2"},
    ]


def mturk(answers, rows):
    """Write a batch as Mechanical Turk does: everything quoted, Approve and Reject never filled."""
    stream = io.StringIO()
    writer = csv.writer(stream, quoting=csv.QUOTE_ALL, lineterminator="\n")
    about = ["HITId", "AssignmentId", "WorkerId", "AssignmentStatus", "SubmitTime"]
    inputs = ["Input.id", "Input.system", "Input.summary"]
    writer.writerow([*about, *inputs, *(f"Answer.{name}" for name in answers), "Approve", "Reject"])
    for at, (status, cells) in enumerate(rows):
        when = "Thu Oct 09 07:42:20 PDT 2025"
        writer.writerow(["H1", f"A{at}", f"W{at}", status, when, "i1", "A", "fine text", *cells])
    return stream.getvalue()


RADIO = mturk(
    ["fluency.1", "fluency.2", "fluency.3", "comment"],
    [("Approved", ["false", "true", "false", "ok"]), ("Rejected", ["false", "false", "true", ""])],
)
CROWD = mturk(
    ["taskAnswers"],
    [
        ("Approved", [json.dumps([{"fluency": {"1": False, "2": True}, "comment": "ok"}])]),
        ("Rejected", [json.dumps([{"fluency": 3}])]),
    ],
)


@pytest.mark.parametrize("content", [RADIO, CROWD], ids=["radio buttons", "crowd elements"])
def test_answers_of_mechanical_turk_come_to_one_value_a_question(tmp_path, content):
    rows, report = run(written(tmp_path / "Batch_1_batch_results.csv", content), "ratings")

    assert [(row.judge, row.dimension, row.value, row.valid) for row in rows] == [
        ("W0", "fluency", 2.0, ""),
        ("W1", "fluency", 3.0, "false"),
    ]
    assert kinds(report) == {"short_rows_padded"}
    assert moment(rows[0].submitted_at).isoformat() == "2025-10-09T07:42:20-07:00"


@pytest.mark.parametrize("text", ["Thu Xyz 09 07:42:20 PDT 2025", "Thu Oct 39 07:42:20 PDT 2025"])
def test_a_moment_that_never_was_is_none(text):
    assert moment(text) is None


SHORT = {"item_id": "i1", "system": "A", "output": "fine text", "id": 1, "annotator": 3}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("min.json", json.dumps([SHORT | {"fluency": [{"rating": 4}], "coherence": "3"}])),
        ("short.csv", 'annotator,coherence,fluency,id,item_id,system\n3,3,"[{""rating"": 4}]",1,i1,A'),  # noqa: E501
    ],
)  # fmt: skip
def test_short_exports_of_label_studio_need_no_word(tmp_path, name, content):
    rows, report = run(written(tmp_path / name, content), "ratings")

    assert sorted((row.judge, row.dimension, row.value) for row in rows) == [
        ("3", "coherence", 3.0),
        ("3", "fluency", 4.0),
    ]
    assert report.outcome == "accept"


def test_a_folder_of_potato_has_a_folder_for_each_judge(tmp_path):
    path = tmp_path / "annotation_output.zip"
    line = {"id": "i1", "displayed_text": "x", "label_annotations": {"fluency": {"4": "4"}}}
    with zipfile.ZipFile(path, "w") as archive:
        for judge in ("u1", "u2"):
            archive.writestr(f"out/{judge}/annotated_instances.jsonl", json.dumps(line))

    reading = read(path, kind="ratings")
    mapping = guess_mapping(reading.header, "ratings", reading.sample())
    rows = list(check(reading, mapping.with_constants(system="A").confirmed()).rows())

    assert [found.kind for found in mapping.questions] == ["system_unnamed"]
    assert [(row.judge, row.dimension, row.value) for row in rows] == [
        ("u1", "fluency", 4.0),
        ("u2", "fluency", 4.0),
    ]


def book(path, sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    made.save(path)
    return path


def test_a_sheet_for_each_system_or_judge_is_named_by_its_sheet(tmp_path):
    outputs = book(
        tmp_path / "outputs.xlsx",
        {name: [["id", "output"], ["i1", f"{name} says"]] for name in ("bart", "t5")},
    )
    ratings = book(
        tmp_path / "ratings.xlsx",
        {name: [["item_id", "system", "fluency"], ["i1", "A", 3]] for name in ("r1", "r2")},
    )

    assert [row.system for row in run(outputs)[0]] == ["bart", "t5"]
    assert [row.judge for row in run(ratings, "ratings")[0]] == ["r1", "r2"]


def test_sheets_without_a_name_of_their_own_name_nothing(tmp_path):
    path = book(
        tmp_path / "book.xlsx",
        {name: [["id", "output"], ["i1", f"{name} says"]] for name in ("Sheet1", "Tabelle 2")},
    )

    assert kinds(run(path)[1]) == {"system_unnamed"}


PER_ITEM = {
    name: [
        ["R1", f"A review of {name}."], ["R2", "Another review."], [], ["summ", "The reference."],
        [], ["flu-ency", "overall"], [3, 4, "M1", "One text."], [5, 2, "M2", "Two texts."],
    ]
    for name in ("case1", "case2")
}  # fmt: skip
LAYOUT = ReadOptions(header_row=6, cells="B1:B2, B4")


def test_a_sheet_for_each_item_is_read_as_it_is_said(tmp_path):
    path = book(tmp_path / "annotator1.xlsx", PER_ITEM)
    said = {"C": "system", "D": "output", "B1:B2": "source", "B4": "reference"}

    assert run(path)[1].outcome == "ask"
    rows, report = run(path, options=LAYOUT, **said)

    assert report.outcome == "accept"
    assert [(row.item_id, row.system) for row in rows] == [
        ("case1", "M1"), ("case1", "M2"), ("case2", "M1"), ("case2", "M2"),
    ]  # fmt: skip
    assert rows[2].source == ("A review of case2.", "Another review.")
    assert rows[2].references == ("The reference.",)


def test_the_scores_in_a_sheet_for_each_item_are_bound_to_their_dimensions(tmp_path):
    path = book(tmp_path / "annotator1.xlsx", PER_ITEM)
    reading = read(path, kind="ratings", options=LAYOUT)
    mapping = guess_mapping(reading.header, "ratings", reading.sample())
    mapping = mapping.with_fields({"C": "system"}).with_constants(judge="r1").confirmed()

    rows = list(check(reading, mapping, ONE_TO_FIVE).rows())

    assert [(row.item_id, row.system, row.dimension, row.value) for row in rows][:3] == [
        ("case1", "M1", "flu_ency", 3.0),
        ("case1", "M1", "overall", 4.0),
        ("case1", "M2", "flu_ency", 5.0),
    ]


@pytest.mark.parametrize("cells", ["B", "B1:A0", "1:2", "B1:ZZ99999"])
def test_cells_that_are_none_are_refused(tmp_path, cells):
    path = book(tmp_path / "book.xlsx", PER_ITEM)

    with pytest.raises(ValueError, match="names no cells"):
        read(path, kind="outputs", options=ReadOptions(cells=cells))


def test_names_inside_an_object_say_what_a_column_is(tmp_path):
    lines = [
        {"id": f"i{at}", "meta": {"model": "A"}, "result": {"text": text}}
        for at, text in ((1, "fine, really"), (2, "good"))
    ]
    path = written(tmp_path / "runs.jsonl", "\n".join(map(json.dumps, lines)))

    rows, report = run(path)

    assert [(row.item_id, row.system, row.output) for row in rows] == TWO
    assert report.outcome == "accept"


def test_outputs_beside_their_systems_are_a_row_each(tmp_path):
    content = (
        "id,model_a,response_a,model_b,response_b,winner\n"
        "i1,bart,one,t5,two,model_a\ni1,t5,two,lead,three,tie\n"
    )

    rows, report = run(written(tmp_path / "pairs.csv", content))

    assert [(row.system, row.output) for row in rows] == [
        ("bart", "one"), ("t5", "two"), ("lead", "three"),
    ]  # fmt: skip
    assert kinds(report) <= {"repeated_output"}
