import csv
import io
import json

import openpyxl

from annotation.exporting import (
    RANK_FIELDS,
    WIDE_FIELDS,
    Comparison,
    Member,
    comparisons_csv,
    comparisons_jsonl,
    ranks_csv,
    write_workbook,
)


def comparison(*ranks, **more):
    members = tuple(Member(f"s{n}", 1, rank) for n, rank in enumerate(ranks, start=1))
    about = {"study": "demo", "phase": "main", "dimension": "better", "item_id": "007"}
    return Comparison(**about, batch="", judge="J001", judge_group="crowd", members=members, **more)


ROWS = [
    comparison(2, 1, choice="B>A", best="s2", worst="s1", position=4),
    comparison(1, 1, choice="A=B", is_tie=True),
    comparison(None, None, missing_reason='broken "text"\nhere'),
    comparison(3, 2, 1, 2, choice="C>A", best="s3", worst="s1", valid=False),
]


def table(lines):
    return list(csv.DictReader(io.StringIO("".join(lines), newline="")))


def test_one_row_a_choice_with_the_systems_as_shown():
    rows = table(comparisons_csv(ROWS))

    assert tuple(rows[0]) == WIDE_FIELDS
    assert [(r["system_a"], r["system_b"], r["system_d"], r["system_e"]) for r in rows] == [
        ("s1", "s2", "", "")
    ] * 3 + [("s1", "s2", "s4", "")]
    assert [(r["choice"], r["best"], r["worst"], r["is_tie"]) for r in rows] == [
        ("B>A", "s2", "s1", "false"),
        ("A=B", "", "", "true"),
        ("", "", "", "false"),
        ("C>A", "s3", "s1", "false"),
    ]
    assert rows[2]["missing_reason"] == 'broken "text"\nhere'
    assert [r["valid"] for r in rows] == ["true"] * 3 + ["false"]


def test_the_workbook_has_the_same_rows_on_a_sheet_of_their_own(tmp_path):
    path = tmp_path / "study.xlsx"
    hostile = comparison(2, 1, choice="B>A", best="s2", worst="s1", text="=1+1")
    write_workbook(path, ratings=[], comparisons=[*ROWS, hostile])

    book = openpyxl.load_workbook(path)

    header, *rows = book["comparisons"].values
    assert header == WIDE_FIELDS
    choices = [row[WIDE_FIELDS.index("choice")] or "" for row in rows]
    assert choices == ["B>A", "A=B", "", "C>A", "B>A"]
    assert rows[-1][WIDE_FIELDS.index("text")] == "'=1+1"


def test_one_row_an_output_with_its_rank():
    rows = table(ranks_csv(ROWS))

    assert tuple(rows[0]) == RANK_FIELDS
    assert [(r["system"], r["letter"], r["rank"]) for r in rows] == [
        ("s1", "A", "2"), ("s2", "B", "1"),
        ("s1", "A", "1"), ("s2", "B", "1"),
        ("s1", "A", ""), ("s2", "B", ""),
        ("s1", "A", "3"), ("s2", "B", "2"), ("s3", "C", "1"), ("s4", "D", "2"),
    ]  # fmt: skip


def test_one_line_a_choice_with_its_members():
    records = [json.loads(line) for line in comparisons_jsonl(ROWS)]

    assert [record["choice"] for record in records] == ["B>A", "A=B", "", "C>A"]
    assert records[0]["members"] == [
        {"system": "s1", "output_version": 1, "rank": 2},
        {"system": "s2", "output_version": 1, "rank": 1},
    ]


def test_no_comparison_gives_a_header_and_no_line():
    assert len(list(comparisons_csv([]))) == len(list(ranks_csv([]))) == 1
    assert list(comparisons_jsonl([])) == []
