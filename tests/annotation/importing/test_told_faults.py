"""What exactly is said of, or read from, the odder files of `tests/data/messy`."""

import zipfile
from pathlib import Path

import openpyxl
import pytest

from annotation.importing import Rules, ScaleRule, check, guess_mapping, read

FOLDER = Path(__file__).parents[2] / "data" / "messy"
ONE_TO_FIVE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))


def run(path, kind="outputs"):
    reading = read(path, kind=kind)
    mapping = guess_mapping(reading.header, kind, reading.sample())
    checked = check(reading, mapping, ONE_TO_FIVE if kind == "ratings" else Rules())
    return list(checked.rows()), checked.report.findings, mapping


@pytest.mark.parametrize(
    ("name", "kind", "line", "words"),
    [
        ("json_array_broken.json", "bad_json", 4, "':' delimiter"),
        ("jsonl_python_none.jsonl", "bad_json", 3, "json.dumps"),
        ("jsonl_cut_after_comma.jsonl", "bad_json", 5, "delimiter at character 40"),
        ("jsonl_list_is_text.jsonl", "bad_shape", 2, "where the records before have a list"),
        ("jsonl_ids_longer.jsonl", "unequal_list_lengths", 2, "ids has 3 entries, but t5 2"),
        ("json_sources_longer.json", "unequal_list_lengths", 1, "source has 5 entries"),
        ("jsonl_systems_beside_outputs.jsonl", "unequal_list_lengths", 2, "systems has 2 entries"),
        ("rows_in_quotes.csv", "rows_in_quotes", 2, "look like whole rows"),
        ("letters_lost_before.csv", "replacement_signs", 2, "caf\ufffd good"),
        ("terminal_colours.csv", "markup_left", 3, "x1b[31m"),
        ("ids_none_nan.csv", "placeholder_id", 2, "None"),
        ("only_total.csv", "no_rows", None, "No row of the file is left"),
        ("model_and_system.csv", "ambiguous_header", 1, "column model, system"),
    ],
)
def test_the_fault_is_named_with_its_line(name, kind, line, words):
    _, findings, _ = run(FOLDER / name)

    found = next(found for found in findings if found.kind == kind)
    assert found.line == line
    assert words in str(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("enc_iso8859_7.csv", "Το φαγητό ήταν πολύ καλό 1"),
        ("enc_iso8859_8.csv", "האוכל היה טוב מאוד 1"),
        ("enc_koi8u.csv", "Це дуже гарний готель їжа смачна 1"),
        ("enc_tis620.csv", "อาหารอร่อยมากและบริการดี 1"),
        ("enc_iso2022_jp.csv", "このレストランはとても良かった。 1"),
        ("tsv_quotes_over_rows_crlf.tsv", '"Start only'),
    ],
)
def test_the_first_text_comes_out_as_it_was_meant(name, text):
    rows, _, _ = run(FOLDER / name)

    assert rows[0].output == text


@pytest.mark.parametrize(
    ("name", "systems"),
    [
        ("wide_output_in_brackets.csv", {"bart", "t5"}),
        ("wide_outputs_prefix.csv", {"bart", "t5"}),
        ("wide_output_suffix.csv", {"bart", "t5"}),
        ("jsonl_output_prefix.jsonl", {"bart", "t5"}),
        ("wide_entity_reviews.csv", {"meansum", "copycat"}),
        ("json_lists_with_sources.json", {"bart", "t5"}),
        ("jsonl_system_is_key.jsonl", {"bart", "t5"}),
    ],
)
def test_the_systems_are_those_of_the_study(name, systems):
    rows, _, _ = run(FOLDER / name)

    assert {row.system for row in rows} == systems


def test_lists_beside_the_outputs_tell_of_the_items():
    rows, _, _ = run(FOLDER / "json_lists_with_sources.json")

    first = rows[0]
    assert (first.item_id, first.output) == ("1", "bart output number 0.")
    assert (first.source, first.references) == (
        ("src output number 0.",),
        ("ref output number 0.",),
    )


def test_outputs_of_a_named_system_by_item_keep_the_names_of_the_items():
    rows, _, _ = run(FOLDER / "jsonl_outputs_by_id.jsonl")

    assert {(row.item_id, row.system) for row in rows} == {
        (f"d{at}", system) for at in range(4) for system in ("bart", "t5")
    }


def test_beside_a_summary_the_text_is_its_source():
    rows, _, _ = run(FOLDER / "text_is_source.csv")

    assert [(row.output, row.source) for row in rows] == [
        ("Short one", ("Long source text one here",)),
        ("Short two", ("Long source text two here",)),
    ]


def test_records_on_one_line_are_told_apart():
    _, findings, _ = run(FOLDER / "r_array_on_one_line.json", "ratings")

    assert [(found.place, found.line) for found in findings] == [
        ("record 3", 1),
        ("record 4", 1),
        ("record 5", 1),
    ]


def test_judges_are_found_in_brackets_and_alone():
    _, _, brackets = run(FOLDER / "r_wide_experts_in_brackets.csv", "ratings")
    _, _, alone = run(FOLDER / "r_wide_a1.csv", "ratings")

    assert [dict(column.bound) for column in brackets.columns[2:]] == [
        {"judge": "expert 1", "dimension": "fluency"},
        {"judge": "expert 2", "dimension": "fluency"},
    ]
    assert [dict(column.bound) for column in alone.columns[2:]] == [
        {"judge": "A1"},
        {"judge": "A2"},
        {"judge": "A3"},
    ]


@pytest.mark.parametrize("gap", [" ", "'", "\N{NO-BREAK SPACE}", "."])
def test_signs_between_thousands_are_said(tmp_path, gap):
    path = tmp_path / "scores.csv"
    path.write_text(f"item_id;system;length\ni1;A;1{gap}234,5\ni2;A;12\n", encoding="utf-8")

    _, findings, _ = run(path, "scores")

    assert [(found.kind, found.line, found.column) for found in findings] == [
        ("not_a_number", 2, "length")
    ]
    assert "signs between its thousands" in findings[0].reason


def test_a_text_of_several_lines_is_no_table(tmp_path):
    path = tmp_path / "lines.csv"
    path.write_text('id,system,output\n1,A,"One, two\nthree\nfour, five, six, seven"\n2,A,fine\n')

    rows, findings, _ = run(path)

    assert (len(rows), findings) == (2, [])


@pytest.mark.parametrize("last", ["", "i3,A,r2,crowd,fluency,6\n"], ids=["by columns", "by rows"])
def test_a_judge_is_in_one_group(tmp_path, last):
    head = "item_id,system,judge,judge_group,dimension,value\n"
    rows = "i1,A,r1,expert,fluency,2\ni2,A,r1,crowd,fluency,3\n"
    path = tmp_path / "ratings.csv"
    path.write_text(head + rows + last)

    clean, findings, _ = run(path, "ratings")

    assert [row.item_id for row in clean] == ["i1"]
    assert (findings[0].kind, findings[0].line, findings[0].value) == ("bad_value", 3, "crowd")
    assert "r1 is in the group expert" in findings[0].reason


TABLES = {
    "a": [["item_id", "system", "output"], ["i1", "A", "One."], ["i2", "A", "Two."]],
    "b": [["item_id", "system", "output"], ["i1", "A", "Other."], ["I2", "B", "Three."]],
}


def _zipped(path):
    with zipfile.ZipFile(path, "w") as archive:
        for name, rows in TABLES.items():
            archive.writestr(f"{name}.csv", "".join(",".join(row) + "\n" for row in rows))
    return "a.csv", "b.csv"


def _workbook(path):
    book = openpyxl.Workbook()
    for name, rows in TABLES.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.remove(book.worksheets[0])
    book.save(path)
    return "a", "b"


@pytest.mark.parametrize(("make", "suffix"), [(_zipped, "zip"), (_workbook, "xlsx")])
def test_what_stands_twice_is_told_with_both_files_or_sheets(tmp_path, make, suffix):
    path = tmp_path / f"outputs.{suffix}"
    first, second = make(path)

    rows, findings, _ = run(path)

    told = {found.kind: (found.place, found.line, found.reason) for found in findings}
    assert told == {
        "duplicate_key": (
            second, 2,
            f"(i1, A) stands at lines 2 of {first} and 2 of {second}, with different texts.",
        ),
        "ids_differ_in_case": (
            second, 3, f"I2 differs from line 3 of {first} in letter case only.",
        ),
    }  # fmt: skip
    assert [int(row.line) for row in rows] == [2, 3, 3]
