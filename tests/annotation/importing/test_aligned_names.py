"""What files of lines are told by their names, and other files that hold lines of texts."""

import bz2
import lzma
import zipfile

import pytest

from annotation.importing import UnreadableFile, check, guess_mapping, read
from tests.annotation.importing.test_other_dresses import kinds, run, written

PRINTED = """\
2023-01-01 10:00:00 | INFO | fairseq_cli.generate | {'_name': None}
S-1\tein Hund
T-1\ta dog
H-1\t-0.2\ta do@@ g
D-1\t-0.2\ta dog
P-1\t-0.1 -0.2
H-1\t-0.9\tthe do@@ g
D-1\t-0.9\tthe dog
S-0\teine Katze
T-0\ta cat
H-0\t-0.5\tthe cat
Generate test with beam=5: BLEU4 = 30.1, 60/40/30/20 (BP=1.000)
"""


def packed(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def systems(path):
    rows, _ = run(path)
    return {row.system: row.output for row in rows}


def test_files_alike_but_for_their_ending_are_two_systems(tmp_path):
    path = packed(tmp_path / "runs.zip", {"bart.txt": "one\n", "bart.out": "two\n"})

    assert systems(path) == {"bart.txt": "one", "bart.out": "two"}


def test_files_of_one_name_in_two_folders_are_two_systems(tmp_path):
    files = {"a/bart.txt": "one\n", "b/c/bart.txt": "two\n", "b/t5.txt": "three\n"}

    told = systems(packed(tmp_path / "runs.zip", files))

    assert sorted(told.values()) == ["one", "three", "two"]


def test_two_files_of_sources_are_not_mixed(tmp_path):
    files = {"dev.src": "a\n", "test.src": "b\n", "bart.hyp": "one\n"}

    with pytest.raises(UnreadableFile, match=r"dev\.src, test\.src"):
        read(packed(tmp_path / "sets.zip", files), kind="outputs")


def test_a_file_that_is_called_hypothesis_names_no_system(tmp_path):
    files = {"hyp.txt": "one\n", "ref.txt": "two\n", "src.txt": "three\n"}
    reading = read(packed(tmp_path / "set.zip", files), kind="outputs")

    guess = guess_mapping(reading.header, "outputs", reading.sample())
    assert [question.kind for question in guess.questions] == ["system_unnamed"]

    (row,) = check(reading, guess.with_constants(system="bart").confirmed()).rows()
    assert (row.system, row.output, row.references) == ("bart", "one", ("two",))


def test_what_fairseq_prints_is_read_by_its_numbers(tmp_path):
    reading = read(written(tmp_path / "generate-test.txt", PRINTED), kind="outputs")
    mapping = guess_mapping(reading.header, "outputs").with_constants(system="m").confirmed()

    checked = check(reading, mapping)
    rows = [(row.item_id, row.output, row.source, row.references) for row in checked.rows()]

    assert rows == [
        ("1", "a dog", ("ein Hund",), ("a dog",)),
        ("0", "the cat", ("eine Katze",), ("a cat",)),
    ]
    assert checked.report.counts["other_candidates"] == 2  # the second H and its D


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_files_packed_in_other_ways_are_unpacked(tmp_path, pack):
    path = tmp_path / "outputs.csv.packed"
    path.write_bytes(pack(b"id,system,output\n1,a,x\n"))
    rows, report = run(path)
    assert ([row.output for row in rows], kinds(report)) == (["x"], set())

    path.write_bytes(pack(b"id,system,output\n1,a,x\n" * 2000)[:40])
    with pytest.raises(UnreadableFile, match="ends too early"):
        read(path, kind="outputs")


@pytest.mark.parametrize(
    "content",
    ['<?xml version="1.0"?>\n<dataset/>', '<srcset setid="n" srclang="any">\n<doc>\n', "<tmx>"],
)
def test_sets_in_xml_are_named_as_such(tmp_path, content):
    with pytest.raises(UnreadableFile, match=r"XML.*plain lines"):
        read(written(tmp_path / "set.sgm", content), kind="outputs")


OUTPUTS = '{"item_id": "i1", "system": "A", "output": "x"}\n'
RATINGS = (
    '{"item_id": "i1", "system": "A", "judge": "j", "dimension": "fluency", "value": 4, '
    '"text": ""}\n'
)


@pytest.mark.parametrize(("kind", "left"), [("outputs", "ratings"), ("ratings", "outputs")])
def test_of_tables_of_both_kinds_those_are_read_that_are_meant(tmp_path, kind, left):
    files = {"data/OUTPUTS.JSONL": OUTPUTS, "data/ratings.jsonl": RATINGS}
    reading = read(packed(tmp_path / "set.zip", files), kind=kind)

    checked = check(reading, guess_mapping(reading.header, kind, reading.sample()))

    assert len(list(checked.rows())) == 1
    assert kinds(checked.report) == {"other_table"}
    assert left in checked.report.findings[0].reason.lower()


def test_a_table_of_ratings_holds_no_empty_outputs(tmp_path):
    _, report = run(written(tmp_path / "ratings.jsonl", RATINGS))

    assert report.outcome == "ask"


def test_records_of_answers_in_a_cell_are_a_row_each(tmp_path):
    content = (
        '{"item_id": "i1", "outputs": {"A": "x", "B": "y"}, "ratings": ['
        '{"system": "A", "judge": "j", "dimension": "fluency", "value": 4},'
        '{"system": "B", "judge": "j", "dimension": "fluency", "value": 2}]}\n'
    )
    reading = read(written(tmp_path / "items.jsonl", content), kind="ratings")

    rows = check(reading, guess_mapping(reading.header, "ratings", reading.sample())).rows()

    assert [(row.system, row.judge, row.value) for row in rows] == [("A", "j", 4), ("B", "j", 2)]


def test_a_wide_row_of_one_phase_says_nothing_of_the_others(tmp_path):
    content = "item_id,system,judge,phase,fluency,overall\ni1,A,j,one,4,\ni1,A,j,two,,3\n"
    reading = read(written(tmp_path / "wide.csv", content), kind="ratings")
    checked = check(reading, guess_mapping(reading.header, "ratings", reading.sample()))

    rows = [(row.phase, row.dimension, row.value) for row in checked.rows()]

    assert rows == [("one", "fluency", 4), ("two", "overall", 3)]
    assert kinds(checked.report) == set()


@pytest.mark.parametrize(
    ("name", "is_reference"),
    [
        ("target.txt", True), ("ref.A.txt", True), ("gold_summaries.txt", True),
        ("newstest2019-ende-ref.txt", True), ("test.target.txt", True), ("targeted.txt", False),
        ("golden-retriever.txt", False),
    ],
)  # fmt: skip
def test_references_are_known_by_the_words_of_their_names(tmp_path, name, is_reference):
    files = {"bart.txt": "one\n", name: "two\n", "newstest_src.txt": "three\n"}

    rows, _ = run(packed(tmp_path / "set.zip", files))

    assert {row.source for row in rows} == {("three",)}
    assert {row.references for row in rows} == ({("two",)} if is_reference else {()})


def test_what_tells_about_a_set_is_no_system(tmp_path):
    files = {"README.txt": "About.\n", "bart.txt": "one\n", ".ipynb_checkpoints/old.txt": "zero\n"}

    assert systems(packed(tmp_path / "set.zip", files)) == {"bart": "one"}


def test_dots_in_the_names_of_models_are_part_of_them(tmp_path):
    record = '{{"id": 1, "output": "{}"}}\n'
    files = {f"llama-3.{n}-8b.jsonl": record.format(n) for n in (1, 2)}

    assert systems(packed(tmp_path / "set.zip", files)) == {
        "llama-3.1-8b": "1",
        "llama-3.2-8b": "2",
    }


def test_of_two_files_of_one_name_in_an_archive_none_is_lost_in_silence(tmp_path):
    path = packed(tmp_path / "set.zip", {"bart.txt": "one\n"})
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("bart.txt", "two\n")

    with pytest.raises(UnreadableFile, match=r"2 files of the name 'bart\.txt'"):
        read(path, kind="outputs")


def test_texts_beside_tables_are_said_to_be_left_out(tmp_path):
    files = {"outputs.csv": "id,system,output\n1,a,x\n", "bart.txt": "one\n", "notes.txt": "n\n"}

    _, report = run(packed(tmp_path / "set.zip", files))

    assert [found.value for found in report.findings] == ["bart.txt"]


def test_a_guess_about_one_file_names_it(tmp_path):
    files = {"bart.txt": "caf\u00e9\n".encode("latin-1"), "t5.txt": "coffee\n"}

    _, report = run(packed(tmp_path / "set.zip", files))

    assert [found.place for found in report.findings] == ["bart.txt"]


def test_of_two_lengths_the_shorter_is_the_odd_one(tmp_path):
    _, report = run(packed(tmp_path / "set.zip", {"bart.txt": "one\n", "t5.txt": "one\ntwo\n"}))

    (odd,) = [found for found in report.findings if found.kind == "unequal_list_lengths"]
    assert odd.reason == "bart.txt has 1 lines where the others have 2."


def test_folders_of_sources_and_references_are_no_systems(tmp_path):
    files = {
        f"{folder}/{item}.txt": f"{folder} of {item}\nin two lines"
        for folder in ("bart", "t5", "source", "reference")
        for item in ("i1", "i2")
    }

    rows, _ = run(packed(tmp_path / "items.zip", files))

    assert [(row.item_id, row.system) for row in rows] == [
        ("i1", "bart"), ("i2", "bart"), ("i1", "t5"), ("i2", "t5"),
    ]  # fmt: skip
    assert rows[0].source == ("source of i1\nin two lines",)
    assert rows[3].references == ("reference of i2\nin two lines",)


def test_numbered_files_of_one_folder_are_items_of_a_system_to_be_named(tmp_path):
    files = {f"decoded/{item}.txt": f"text {item}\nin two lines" for item in range(3)}
    reading = read(packed(tmp_path / "items.zip", files), kind="outputs")

    guess = guess_mapping(reading.header, "outputs", reading.sample())
    assert [question.kind for question in guess.questions] == ["system_unnamed"]

    rows = check(reading, guess.with_constants(system="bart").confirmed()).rows()
    assert [row.item_id for row in rows] == ["0", "1", "2"]
