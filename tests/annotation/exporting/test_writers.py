import csv
import io
import json

import openpyxl
import pyarrow.parquet
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotation.exporting import (
    TIDY_FIELDS,
    WIDE_FIELDS,
    ItemBundle,
    ItemRecord,
    MetricScores,
    TreePlan,
    items_jsonl,
    label_studio_json,
    mturk_csv,
    neutralised,
    tidy_csv,
    tidy_jsonl,
    wide_csv,
    write_data_set,
    write_parquet,
    write_tree,
    write_workbook,
)
from annotation.exporting.workbook import ITEM_FIELDS
from annotation.importing import Rules, check, dry_run, guess_mapping, read
from annotation.importing.own_exports import is_own_export
from tests.annotation.exporting.rows import CODEBOOK, ITEMS, JUDGES, RATINGS, rating

WORDS = Rules(texts={"comment"})


def table(lines):
    return list(csv.reader(io.StringIO("".join(lines), newline="")))


def read_back(path, kind="ratings", rules=WORDS):
    reading = read(path, kind=kind)
    mapping = guess_mapping(reading.header, kind, reading.sample()).confirmed()
    checked = check(reading, mapping, rules)
    rows = list(checked.rows())
    assert not checked.report.n_errors, checked.report.findings
    return rows


def answers(rows):
    return sorted((row.item_id, row.system, row.judge, row.dimension, row.value) for row in rows)


VALUES = answers(row for row in RATINGS if row.value is not None)


def test_tidy_csv_has_the_fields_of_the_contract_in_their_order():
    header, first, *_ = table(tidy_csv(RATINGS))

    assert ",".join(header) == (
        "study,phase,dimension,item_id,batch,system,output_version,fact_id,judge,judge_group,"
        "value,label,text,missing_reason,position,is_check,repeat_of,valid,excluded_by,late,"
        "origin,opened_at,submitted_at,active_seconds,revision"
    )
    assert ",".join(first) == (
        "demo,main,fluency,007,1,a,1,,J001,expert,3,,,,2,false,,true,,false,collected,"
        "2026-01-01T12:00:00+00:00,,4.25,"
    )


def test_plain_csv_is_exact_where_csv_for_excel_is_safe():
    plain, safe = (table(tidy_csv(RATINGS, for_excel=excel)) for excel in (False, True))
    text, value = TIDY_FIELDS.index("text"), TIDY_FIELDS.index("value")

    assert plain[2][text] == '=SUM(1+1), "x"\nand more'
    assert safe[2][text] == '\'=SUM(1+1), "x"\nand more'
    assert safe[0][0] == "\ufeffstudy"
    assert safe[5][value] == "-3"  # a number stays one


@pytest.mark.parametrize("sign", list("=+-@\t\r\n＝"))
def test_cells_that_a_spreadsheet_would_run_get_an_apostrophe(sign):
    assert neutralised(f"{sign}1") == f"'{sign}1"


def test_harmless_cells_stay_as_they_are():
    assert neutralised("a=1") == "a=1"


STORABLE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1)


@settings(max_examples=60, deadline=None)
@given(STORABLE.filter(str.strip), st.floats(allow_nan=False, allow_infinity=False))
def test_what_tidy_csv_writes_is_read_again_to_the_last_bit(tmp_path_factory, text, value):
    path = tmp_path_factory.mktemp("round") / "ratings.csv"
    rows = [
        rating("1", "a", "J001", "comment", None, text=text),
        rating("1", "a", "J001", "fluency", value),
    ]
    path.write_text("".join(tidy_csv(rows)), encoding="utf-8", newline="")

    comment, fluency = read_back(path)

    assert comment.text == text
    assert fluency.value.hex() == (value + 0.0).hex() or fluency.value == value == 0


OFTEN_RUN = st.one_of(
    STORABLE,
    st.tuples(st.sampled_from(["'", "''", "=", "'=", "''-", "_x000D_"]), STORABLE).map("".join),
).filter(str.strip)


@settings(max_examples=40, deadline=None)
@given(OFTEN_RUN, st.floats(allow_nan=False, allow_infinity=False))
@example("'=1+1", 0.1 + 0.2)
@example("=1+1", 1.7976931348623157e308)
def test_files_for_spreadsheets_give_every_text_and_number_back(tmp_path_factory, text, value):
    folder = tmp_path_factory.mktemp("round")
    rows = [
        rating("=1", "'=a", "J001", "comment", None, text=text),
        rating("=1", "'=a", "J001", "fluency", value),
    ]
    lines = "".join(tidy_csv(rows, for_excel=True))
    (folder / "excel.csv").write_text(lines, encoding="utf-8", newline="")
    items = [ItemBundle(ItemRecord("=1"), {"'=a": text})]
    write_workbook(folder / "book.xlsx", ratings=rows, items=items)

    for name in ("excel.csv", "book.xlsx"):
        comment, fluency = read_back(folder / name)
        assert (comment.item_id, comment.system, comment.text) == ("=1", "'=a", text)
        assert fluency.value == value
    [output] = read_back(folder / "book.xlsx", kind="outputs")
    assert (output.item_id, output.system, output.output) == ("=1", "'=a", text)


def test_apostrophes_of_other_files_stay(tmp_path):
    rows = [rating("'=1", "a", "J001", "fluency", 3.0)]
    plain, others, sheet = (tmp_path / name for name in ("ours.csv", "others.csv", "others.xlsx"))
    plain.write_text("".join(tidy_csv(rows)), encoding="utf-8", newline="")
    table = [
        ["item_id", "system", "judge", "dimension", "value"],
        ["'=1", "a", "J1", "fluency", "3"],
    ]
    others.write_text("\n".join(map(",".join, table)) + "\n", encoding="utf-8-sig")
    book = openpyxl.Workbook()
    for row in table:
        book.active.append(row)
    book.save(sheet)

    assert [row.item_id for file in (plain, others, sheet) for row in read_back(file)] == [
        "'=1"
    ] * 3


def test_our_tables_for_spreadsheets_are_known_by_their_columns():
    assert all(map(is_own_export, (TIDY_FIELDS, WIDE_FIELDS, ITEM_FIELDS)))


def test_every_field_of_the_tidy_table_comes_back(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("".join(tidy_csv(RATINGS)), encoding="utf-8", newline="")

    rows = read_back(path)

    for row, written in zip(rows, RATINGS, strict=True):
        assert (row.missing_reason, row.text) == (written.missing_reason, written.text)
        assert row.valid == ("true" if written.valid else "false")
        assert (row.phase, row.batch, row.judge_group) == ("main", "1", "expert")
    assert rows[0].opened_at == "2026-01-01T12:00:00+00:00"
    assert rows[0].active_seconds == "4.25"
    assert rows[3].excluded_by == "too fast"


def test_wide_csv_has_one_row_for_each_judge_and_output():
    header, *rows = table(wide_csv(RATINGS, ["fluency", "comment"]))

    assert header[-2:] == ["fluency", "comment"]
    assert [row[-2:] for row in rows] == [
        ["3", '=SUM(1+1), "x"\nand more'],
        ["", ""],
        ["0.1", ""],
        ["-3", ""],
    ]


def test_wide_csv_is_read_again(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("".join(wide_csv(RATINGS, ["fluency"])), encoding="utf-8", newline="")

    assert answers(row for row in read_back(path) if row.value is not None) == VALUES


def test_mturk_csv_is_read_again(tmp_path):
    path = tmp_path / "batch.csv"
    text = "".join(mturk_csv(RATINGS, ["fluency"], {("007", "a"): "out"}))
    path.write_text(text, encoding="utf-8", newline="")

    assert answers(row for row in read_back(path) if row.value is not None) == VALUES
    assert table([text])[1][9:] == ["007", "a", "out", "3"]


def test_tidy_jsonl_is_read_again(tmp_path):
    path = tmp_path / "ratings.jsonl"
    path.write_text("".join(tidy_jsonl(RATINGS)), encoding="utf-8")

    assert answers(row for row in read_back(path) if row.value is not None) == VALUES


def test_items_jsonl_nests_ratings_and_is_read_again_as_outputs(tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text("".join(items_jsonl(ITEMS)), encoding="utf-8")

    first = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert [entry["value"] for entry in first["ratings"]] == [3, None, None, 0.1]
    rows = read_back(path, kind="outputs")
    assert [(row.item_id, row.system, row.output) for row in rows] == [
        ("007", "a", "@first"),
        ("007", "b", "second"),
        ("1e3", "a", "third"),
        ("1e3", "b", "fourth"),
    ]
    assert (rows[0].source, rows[0].references) == (("a\nsource",), ("gold",))


def test_label_studio_json_is_read_again(tmp_path):
    path = tmp_path / "tasks.json"
    path.write_text("".join(label_studio_json(ITEMS)), encoding="utf-8")

    rows = read_back(path)

    assert answers(row for row in rows if row.value is not None) == VALUES
    assert [row.text for row in rows if row.text] == ['=SUM(1+1), "x"\nand more']


def test_workbook_has_its_four_sheets_and_no_formula(tmp_path):
    path = tmp_path / "study.xlsx"
    write_workbook(path, ratings=RATINGS, items=ITEMS, judges=JUDGES, codebook=CODEBOOK)

    book = openpyxl.load_workbook(path)

    assert book.sheetnames == ["ratings", "items", "judges", "codebook"]
    ratings = list(book["ratings"].values)
    assert ratings[0] == TIDY_FIELDS
    assert ratings[2][TIDY_FIELDS.index("text")] == '\'=SUM(1+1), "x"\nand more'
    assert [row[TIDY_FIELDS.index("value")] for row in ratings[1:]] == [3, None, None, 0.1, -3]
    assert [row[-1] for row in book["items"].values][1:] == ["'@first", "second", "third", "fourth"]
    assert list(book["judges"].values)[1][:4] == ("J001", "expert", "person", 4)
    assert [row[-2:] for row in book["codebook"].values][1:] == [(1, "Poor"), (2, "Fair")]
    kinds = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}
    assert "f" not in kinds
    assert answers(row for row in read_back(path) if row.value is not None) == VALUES


@pytest.mark.parametrize(
    "text",
    ["=1+1", "-3 degrees", "'quoted' words", "a\x0bb", "bell \x07", "cr\r\nlf", "_x0041_", "\tb c"],
)
def test_a_workbook_gives_every_text_back_as_it_was(tmp_path, text):
    path = tmp_path / "study.xlsx"
    item = ItemBundle(ItemRecord("=id", source=(text,)), {"-a": text}, [])
    write_workbook(path, ratings=[], items=[item])

    reading = read(path, kind="outputs")
    mapping = guess_mapping(reading.header, "outputs", reading.sample())
    (row,) = check(reading, mapping).rows()

    assert (row.item_id, row.system, row.output, row.source) == ("=id", "-a", text, (text,))


def test_a_text_too_long_for_a_cell_is_cut_and_says_so(tmp_path):
    path = tmp_path / "long.xlsx"
    write_workbook(path, ratings=[rating("1", "a", "J001", "comment", None, text="x" * 40_000)])

    (_, row) = openpyxl.load_workbook(path)["ratings"].values

    text = row[TIDY_FIELDS.index("text")]
    assert len(text) == 32_767
    assert text.endswith("[cut: the CSV has all 40,000 characters]")


def test_parquet_keeps_types(tmp_path):
    path = tmp_path / "ratings.parquet"
    write_parquet(path, RATINGS)

    stored = pyarrow.parquet.read_table(path)

    assert tuple(stored.column_names) == TIDY_FIELDS
    assert stored["value"].to_pylist() == [3.0, None, None, 0.1, -3.0]
    assert stored["valid"].to_pylist() == [True, True, True, False, True]
    assert answers(row for row in read_back(path) if row.value is not None) == VALUES


def test_hugging_face_folder_has_two_tables_and_a_card(tmp_path):
    write_data_set(tmp_path, name="Demo: a study", bundles=ITEMS, codebook=CODEBOOK)

    card = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "they are exported as comparisons.csv" in card
    assert card.startswith("---\n")
    assert "2 items, 2 systems, 5 ratings" in card
    assert "- **fluency**: How fluent? 1 = Poor, 2 = Fair" in card
    rows = read_back(tmp_path / "data" / "outputs.jsonl", kind="outputs")
    assert [row.system_kind for row in rows] == ["machine"] * 4


def test_mt_metrics_eval_tree(tmp_path):
    plan = TreePlan("en-en", ["a", "b"], ["fluency"])
    cells = [("007", "a"), ("007", "b"), ("1e3", "a"), ("1e3", "b")]
    scores = [
        MetricScores("rouge-1", dict.fromkeys(cells, 0.5)),
        MetricScores("gappy", {("007", "a"): 1.0}),
    ]
    write_tree(tmp_path, plan, ITEMS, scores)

    def lines(name):
        return (tmp_path / name).read_text(encoding="utf-8").splitlines()

    assert lines("sources/en-en.txt") == ["a source", "s2"]
    assert lines("references/en-en.refA.txt") == ["gold", ""]
    assert lines("documents/en-en.docs") == ["news\t007", "all\t1e3"]
    assert lines("system-outputs/en-en/a.txt") == ["@first", "third"]
    # The rating of J001 on (007, b) is not valid, so that segment has none.
    seg = ["a\t3.0", "a\tNone", "b\tNone", "b\t-3.0"]
    assert lines("human-scores/en-en.fluency.seg.score") == seg
    assert lines("human-scores/en-en.fluency.sys.score") == ["a\t3.0", "b\t-3.0"]
    assert lines("metric-scores/en-en/rouge_1-refA.sys.score") == ["a\t0.5", "b\t0.5"]
    assert not (tmp_path / "metric-scores" / "en-en" / "gappy-refA.seg.score").exists()
    outputs = read_back(tmp_path, kind="outputs")
    assert [(row.item_id, row.system, row.output) for row in outputs][:2] == [
        ("007", "a", "@first"),
        ("007", "b", "second"),
    ]
    report = dry_run(tmp_path, kind="ratings")
    assert (report.n_clean, report.counts["missing_value"]) == (4, 2)
