import gzip
import json
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.parquet
import pytest

from annotation.importing import Rules, UnreadableFile, check, dry_run, guess_mapping, read


def write_all(folder, files):
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def rows_of(path, kind, rules=None):
    reading = read(path, kind=kind)
    checked = check(reading, guess_mapping(reading.header, kind, reading.sample()), rules)
    rows = list(checked.rows())
    assert checked.report.findings == []
    return rows


def triples(path):
    return [(row.item_id, row.system, row.output) for row in rows_of(path, "outputs")]


FOUR = [("1", "a", "x"), ("1", "b", "y"), ("2", "a", "z"), ("2", "b", "w")]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("long.csv", "id,system,output\n1,a,x\n1,b,y\n2,a,z\n2,b,w\n"),
        ("wide.csv", "id,a,b\n1,x,y\n2,z,w\n"),
        ("declared.csv", "sep=;\nid;system;output\n1;a;x\n1;b;y\n2;a;z\n2;b;w\n"),
        ("bars.txt", "id|system|output\n1|a|x\n1|b|y\n2|a|z\n2|b|w\n"),
        ("blank_lines_first.csv", "\n\n,,\nid,system,output\n1,a,x\n1,b,y\n2,a,z\n2,b,w\n,,\n"),
        ("old_mac.csv", "id,system,output\r1,a,x\r1,b,y\r2,a,z\r2,b,w\r"),
        ("hard_spaces.csv", "\u00a0id\u00a0,system,output\n1,a,x\n1,b,y\n2,a,z\n2,b,w\n"),
        ("marked.jsonl", ('\ufeff{"id": 1, "outputs": {"a": "x", "b": "y"}}\n'
                         '{"id": 2, "outputs": {"a": "z", "b": "w"}}')),
        ("lists.json", '{"a": ["x", "z"], "b": ["y", "w"]}'),
        ("columns.json", ('{"id": [1,1,2,2], "system": ["a","b","a","b"], '
                         '"output": ["x","y","z","w"]}')),
        ("pandas.json", ('{"id":{"0":1,"1":1,"2":2,"3":2},"system":{"0":"a","1":"b","2":"a",'
                        '"3":"b"},"output":{"0":"x","1":"y","2":"z","3":"w"}}')),
        ("by_id.json", ('{"1": {"outputs": {"a": "x", "b": "y"}}, '
                       '"2": {"outputs": {"a": "z", "b": "w"}}}')),
        ("held.json", ('{"data": [{"id": 1, "outputs": {"a": "x", "b": "y"}},\n'
                      '{"id": 2, "outputs": [{"system": "a", "text": "z"},'
                      '{"model": "b", "summary": "w"}]}]}')),
        ("arrays.json", ('[["id","system","output"],["1","a","x"],["1","b","y"],'
                        '["2","a","z"],["2","b","w"]]')),
        ("array.json", '[{"id": "1", "a": "x", "b": "y"},\n {"id": "2", "a": "z", "b": "w"}]'),
    ],
)  # fmt: skip
def test_the_same_outputs_in_every_dress(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content, encoding="utf-8", newline="")

    assert sorted(triples(path)) == sorted(FOUR)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_decides_the_encoding(tmp_path, encoding):
    path = tmp_path / "marked.csv"
    path.write_bytes("id,system,output\n1,é,–\n".encode(encoding))

    assert triples(path) == [("1", "é", "–")]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_guessed_and_said(tmp_path, encoding):
    path = tmp_path / "bare.csv"
    path.write_bytes("id,system,output\n1,a,hello world\n".encode(encoding))

    report = dry_run(path, kind="outputs")

    assert (report.outcome, report.n_clean) == ("accept_with_warnings", 1)
    assert set(report.counts) == {"encoding_guessed"}


def test_a_workbook_is_read_from_the_sheet_that_holds_the_table(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    book.active.append(["Read me first"])
    sheet = book.create_sheet("Data")
    sheet.append([])
    for row in [["id", "system", "output"], *FOUR]:
        sheet.append(list(row))
    path = tmp_path / "book.xlsx"
    book.save(path)

    assert triples(path) == FOUR


def test_numbers_of_a_workbook_become_the_text_a_person_typed(tmp_path):
    book = openpyxl.Workbook()
    for row in [["item", "system", "rater", "dimension", "score"], [7, "a", 1, "fluency", 3.0]]:
        book.active.append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)

    (row,) = rows_of(path, "ratings")

    assert (row.item_id, row.judge, row.value) == ("7", "1", 3.0)


def test_parquet_with_a_struct_of_outputs(tmp_path):
    table = pa.table({"id": [1, 2], "outputs": [{"a": "x", "b": "y"}, {"a": "z", "b": "w"}]})
    path = tmp_path / "part.parquet"
    pyarrow.parquet.write_table(table, path)

    assert triples(path) == FOUR


def test_a_folder_of_aligned_texts(tmp_path):
    (tmp_path / "source.txt").write_text("s1\ns2\n")
    (tmp_path / "ref.1.txt").write_text("r1\nr2\n")
    (tmp_path / "a.txt").write_text("x\nz\n")
    (tmp_path / "b.txt").write_text("y\nw")

    rows = rows_of(tmp_path, "outputs")

    assert [(row.item_id, row.system, row.output) for row in rows] == FOUR
    assert [(row.source, row.references) for row in rows[::2]] == [
        (("s1",), ("r1",)),
        (("s2",), ("r2",)),
    ]


def test_aligned_texts_of_unequal_length_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("x\nz\n")
    (tmp_path / "b.txt").write_text("y\nw\n")
    (tmp_path / "c.txt").write_text("v\n")

    report = dry_run(tmp_path, kind="outputs")

    assert report.outcome == "reject"
    assert [found.value for found in report.findings if found.severity == "error"] == ["c.txt"]


def test_a_zip_with_one_file_a_system(tmp_path):
    path = tmp_path / "upload.csv"  # the name does not matter
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("out/a.csv", "id,output\n1,x\n2,z\n")
        archive.writestr("out/b.csv", "id,output\n1,y\n2,w\n")
        archive.writestr("__MACOSX/._a.csv", "junk")

    assert sorted(triples(path)) == sorted(FOUR)


def test_a_folder_a_system_and_a_file_an_item(tmp_path):
    for item, system, text in FOUR:
        (tmp_path / system).mkdir(exist_ok=True)
        (tmp_path / system / f"{item}.txt").write_text(text + "\n")

    assert sorted(triples(tmp_path)) == sorted(FOUR)


def test_label_studio_annotations_become_ratings(tmp_path):
    task = {
        "id": 9,
        "data": {"item_id": "007", "model": "a", "text": "out"},
        "annotations": [
            {
                "completed_by": {"id": 3, "email": "j@example.org"},
                "lead_time": 4.25,
                "was_cancelled": False,
                "result": [
                    {"from_name": "fluency", "type": "rating", "value": {"rating": 4}},
                    {"from_name": "overall", "type": "choices", "value": {"choices": ["2"]}},
                ],
            },
            {"completed_by": 5, "was_cancelled": True, "result": []},
        ],
    }
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task]))

    rows = rows_of(path, "ratings")

    assert [(row.item_id, row.system, row.judge, row.dimension, row.value) for row in rows] == [
        ("007", "a", "j@example.org", "fluency", 4.0),
        ("007", "a", "j@example.org", "overall", 2.0),
    ]
    assert rows[0].active_seconds == "4.25"


def test_potato_columns_become_ratings(tmp_path):
    path = tmp_path / "annotated_instances.csv"
    path.write_text(
        "instance_id,system,user_id,fluency.1,fluency.2,tone:::scale_3\n"
        "i1,a,u1,,2,3\ni1,a,u2,1,,3\n"
    )

    rows = rows_of(path, "ratings")

    assert [(row.judge, row.dimension, row.value) for row in rows] == [
        ("u1", "fluency", 2.0),
        ("u1", "tone", 3.0),
        ("u2", "fluency", 1.0),
        ("u2", "tone", 3.0),
    ]


def test_mqm_errors_are_summed_to_one_rating_of_judge_and_output(tmp_path):
    path = tmp_path / "mqm.tsv"
    path.write_text(
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "a\td\t1\t11\tr1\ts\tt\tAccuracy/Omission\tMajor\n"
        "a\td\t1\t11\tr1\ts\tt\tFluency/Punctuation\tMinor\n"
        "a\td\t1\t12\tr1\ts2\tt2\tNo-error\tNo-error\n"
    )

    rows = rows_of(path, "ratings")

    assert [(row.item_id, row.dimension, row.value) for row in rows] == [
        ("11", "mqm", 5.1),
        ("12", "mqm", 0.0),
    ]


def test_an_mt_metrics_eval_tree(tmp_path):
    files = {
        "sources/en-de.txt": "s1\ns2\n",
        "documents/en-de.docs": "news d1\nnews d2\n",
        "references/en-de.refA.txt": "r1\nr2\n",
        "system-outputs/en-de/a.txt": "x\nz\n",
        "system-outputs/en-de/b.txt": "y\nw\n",
        "human-scores/en-de.mqm.seg.score": "a\t1\na\tNone\nb\t2\nb\t0.5\n",
        "metric-scores/en-de/BLEU-refA.seg.score": "a\t0.25\na\t0.5\nb\t1\nb\t0\n",
    }
    write_all(tmp_path, files)

    outputs = rows_of(tmp_path, "outputs")
    assert [(row.item_id, row.system, row.output, row.domain) for row in outputs] == [
        ("d1", "a", "x", "news"),
        ("d1", "b", "y", "news"),
        ("d2", "a", "z", "news"),
        ("d2", "b", "w", "news"),
    ]
    scores = rows_of(tmp_path, "scores")
    assert [(row.item_id, row.system, row.metric, row.score) for row in scores[:2]] == [
        ("d1", "a", "BLEU-refA", 0.25),
        ("d2", "a", "BLEU-refA", 0.5),
    ]
    report = dry_run(tmp_path, kind="ratings")
    assert (report.n_clean, dict(report.counts)) == (4, {"missing_value": 1})


def test_a_tree_says_what_people_wrote_and_what_is_not_there(tmp_path):
    files = {
        "sources/en-de.txt": "s1\ns2\ns3\n",
        "documents/en-de.docs": "news\td1\nnews\td1\nchat\td2\n",
        "references/en-de.refA.txt": "r1\nh2\nr3\n",
        "references/en-de.writer.txt": "h1\nh2\n[No translation supplied]\n",
        "system-outputs/en-de/writer.txt": "h1\nh2\n[No translation supplied]\n",
        "system-outputs/en-de/mt.txt": "x\ny\nz\n",
    }
    write_all(tmp_path, files)

    reading = read(tmp_path, kind="outputs")
    checked = check(reading, guess_mapping(reading.header, "outputs", reading.sample()))

    assert [
        (r.item_id, r.document, r.system, r.system_kind, list(r.references)) for r in checked.rows()
    ] == [
        ("1", "d1", "mt", "machine", ["r1", "h1"]),
        ("1", "d1", "writer", "human", ["r1", "h1"]),
        ("2", "d1", "mt", "machine", ["h2"]),
        ("2", "d1", "writer", "human", ["h2"]),
        ("3", "d2", "mt", "machine", ["r3"]),
    ]
    assert checked.report.counts["missing_value"] == 1


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "empty_file"),
        (b" \n\n", "empty_file"),
        (b"<!DOCTYPE html><html><body>504</body></html>", "not_a_table"),
        (b"%PDF-1.7 ...", "not_a_table"),
        (b"\xd0\xcf\x11\xe0 old Excel", "not_a_table"),
        (gzip.compress(b"id,system,output\n" * 2000)[:-12], "truncated_file"),
        (b"PK\x03\x04 not a zip", "damaged_file"),
    ],
)
def test_what_is_no_table_is_named(tmp_path, content, kind):
    path = tmp_path / "upload.csv"
    path.write_bytes(content)

    with pytest.raises(UnreadableFile) as caught:
        list(read(path, kind="outputs"))

    assert caught.value.finding.kind == kind


def test_a_zip_whose_paths_lead_outside_is_refused(tmp_path):
    path = tmp_path / "evil.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../outside.csv", "id,output\n1,x\n")

    assert dict(dry_run(path, kind="outputs").counts) == {"unsafe_archive": 1}


def test_a_zip_with_a_file_without_a_name_is_refused(tmp_path):
    path = tmp_path / "nameless.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo(""), "id,output\n1,x\n")

    assert dict(dry_run(path, kind="outputs").counts) == {"damaged_file": 1}


def test_a_zip_that_unpacks_too_far_is_refused_unread(tmp_path):
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("zeros.csv", b"\x00" * 20_000_000)

    assert dict(dry_run(path, kind="outputs").counts) == {"too_large": 1}


def test_numbers_in_json_keep_their_spelling(tmp_path):
    path = tmp_path / "ids.jsonl"
    path.write_text('{"id": 1e3, "system": "a", "output": "x"}\n')

    assert triples(path) == [("1e3", "a", "x")]


def test_rules_reach_the_rows(tmp_path):
    path = tmp_path / "outputs.csv"
    path.write_text("id,system,output\n1,a,x\n1,c,y\n")

    report = dry_run(path, kind="outputs", rules=Rules(systems={"a", "b"}))

    assert [(found.kind, found.line, found.value) for found in report.findings] == [
        ("unknown_system", 3, "c")
    ]
