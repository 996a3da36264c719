"""The remarks of the messy uploads: what exactly must be found, and where."""

import pytest

from annotation.importing import Rules, ScaleRule, check, dry_run, guess_mapping, read

ONE_TO_FIVE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))


def checked(path, kind="outputs", rules=None):
    reading = read(path, kind=kind)
    run = check(reading, guess_mapping(reading.header, kind, reading.sample()), rules)
    return reading, list(run.rows()), run.report


@pytest.fixture
def messy(study_data):
    return study_data("messy_uploads")


def lines_of(report, kind):
    return [found.line for found in report.findings if found.kind == kind]


def test_01_first_header_is_exactly_id_and_reviews_keep_their_lines(messy):
    reading, rows, report = checked(messy / "01_wide_bom_crlf_multiline.csv")

    assert reading.header[0] == "id"
    assert reading.encoding == "UTF-8 with byte order mark"
    assert (reading.newline, len(reading.header)) == ("CRLF and LF", 7)
    assert sorted(report.systems) == ["bart", "gpt3", "pegasus", "t5"]
    assert {row.item_id for row in rows} == {f"yelp00{n}" for n in range(1, 7)}
    assert len(rows[0].source[0].splitlines()) == 8


def test_02_lists_are_aligned_by_position(messy):
    reading, rows, report = checked(messy / "02_jsonl_list_per_model.jsonl")

    assert reading.shape == "system_lists"
    assert {name: figures.n_outputs for name, figures in report.systems.items()} == dict.fromkeys(
        ("bart", "t5", "pegasus", "gpt3"), 8
    )
    assert {row.item_id for row in rows} == set("12345678")


def test_03_names_the_system_with_the_short_list(messy):
    _, _, report = checked(messy / "03_jsonl_list_lengths_differ.jsonl")

    (found,) = report.findings
    assert (found.line, found.value) == (3, "pegasus")
    assert found.reason == "pegasus has 7 outputs where the others have 8."


def test_05_names_line_3(messy):
    _, _, report = checked(messy / "05_jsonl_one_broken_line.jsonl")

    assert lines_of(report, "bad_json") == [3]


def test_06_takes_quotes_literally_and_na_as_text(messy):
    _, rows, report = checked(messy / "06_tsv_bare_quotes.tsv")

    assert [row.output for row in rows][1:3] == ['"unbalanced quote at the start', 'five 5" pipes']
    assert rows[5].output == "NA"
    assert lines_of(report, "empty_output") == [6]


def test_07_stores_no_replacement_characters(messy):
    reading, rows, _ = checked(messy / "07_cp1252.csv")

    assert reading.encoding == "Windows-1252"
    assert rows[0].output == "Crème brûlée was superb – 5 €"
    assert rows[2].output == "It’s “fine”…"


def test_08_byte_order_mark_decides(messy):
    reading, rows, _ = checked(messy / "08_utf16le_bom_excel_unicode_text.txt")

    assert (reading.header, reading.delimiter) == (("id", "system", "output"), "\t")
    assert len(rows) == 4


def test_09_semicolon_and_decimal_comma(messy):
    path = messy / "09_semicolon_decimal_comma.csv"
    reading, rows, _ = checked(path)
    _, scores, _ = checked(path, kind="scores")

    assert (reading.delimiter, reading.decimal_comma, len(rows)) == (";", True, 8)
    assert [(row.metric, row.score) for row in scores][:3] == [
        ("rouge1", 0.30),
        ("rouge1", 0.30),
        ("rouge1", 0.31),
    ]


def test_10_every_text_comes_through_byte_for_byte(messy):
    path = messy / "10_scripts_emoji_injection.csv"
    _, rows, _ = checked(path)

    raw = path.read_bytes().decode()
    assert len(rows) == 12
    assert all(row.output in raw or row.output.replace('"', '""') in raw for row in rows)
    assert "=SUM(1+1)" in [row.output for row in rows]


def test_11_duplicate_blank_and_textual_ids(messy):
    _, rows, report = checked(messy / "11_duplicate_and_empty_ids.csv")

    (duplicate,) = [found for found in report.findings if found.kind == "duplicate_key"]
    assert "(a1, A) stands at lines 2 and 3" in duplicate.reason
    assert lines_of(report, "missing_id") == [17]
    assert lines_of(report, "empty_output") == [12, 13]
    assert {"007", "7", "1e3"} <= {row.item_id for row in rows}


def test_12_names_both_ragged_lines(messy):
    _, _, report = checked(messy / "12_ragged_rows.csv")

    assert [(found.line, found.reason) for found in report.findings] == [
        (3, "4 fields where 3 are due."),
        (4, "2 fields where 3 are due."),
    ]


def test_13_names_the_line_of_the_quote(messy):
    _, _, report = checked(messy / "13_unclosed_quote.csv")

    (found,) = report.findings
    assert (found.line, found.reason) == (2, "The quote opened at line 2 is never closed.")


def test_17_tells_clean_missing_and_refused_scores_apart(messy):
    _, rows, report = checked(messy / "17_ratings_dirty_scores.csv", "ratings", ONE_TO_FIVE)

    assert [(row.item_id, row.judge, row.value) for row in rows if row.value is not None] == [
        ("i1", "r1", 3.0),
        ("i1", "r2", 3.0),
        ("i6", "r1", 2.0),
    ]
    missing = [found.value for found in report.findings if found.kind == "missing_value"]
    assert missing == ["NA", "n/a", "", "-", "NaN"]
    refused = [found.value for found in report.findings if found.kind == "not_a_number"]
    assert refused == (
        ["3,0", "Good", "good ", "VERY GOOD", "3/5", "４", "2*", "1e0", "1-2", "2-Jan"]
    )
    off = [found.value for found in report.findings if found.kind == "off_scale"]
    assert off == ["6", "0", "4.5"]
    (conflict,) = [found for found in report.findings if found.kind == "conflicting_rating"]
    assert "lines 17 and 18" in conflict.reason


def test_17_words_go_by_an_explicit_rule(messy):
    scale = ScaleRule(points=(1, 2, 3, 4, 5), words={"good": 4, "very good": 5})

    _, rows, _ = checked(messy / "17_ratings_dirty_scores.csv", "ratings", Rules(scale=scale))

    assert [row.value for row in rows if row.item_id == "i2"] == [4.0, 4.0, 5.0]


def test_18_offers_a_mapping_of_systems_and_judges(messy):
    path = messy / "18_ratings_wide_per_rater.csv"
    reading = read(path, kind="ratings")
    mapping = guess_mapping(reading.header, "ratings", reading.sample())

    assert [dict(column.bound) for column in mapping.columns[1:]] == [
        {"judge": "r1", "dimension": "fluency", "system": "bart"},
        {"judge": "r2", "dimension": "fluency", "system": "bart"},
        {"judge": "r1", "dimension": "fluency", "system": "t5"},
        {"judge": "r2", "dimension": "fluency", "system": "t5"},
    ]
    run = check(reading, mapping.confirmed(), ONE_TO_FIVE)
    rows = list(run.rows())
    assert (len(rows), sum(row.value is None for row in rows)) == (24, 1)


def test_19_says_where_the_first_bad_byte_is(messy):
    reading = read(messy / "19_real_yelp_broken_utf8.csv", kind="outputs")

    bad = next(found for found in reading.findings if found.kind == "undecodable_bytes")
    line = (messy / "19_real_yelp_broken_utf8.csv").read_bytes().split(b"\n")[bad.line - 1]
    with pytest.raises(UnicodeDecodeError):
        line.decode()


def test_20_quotes_and_marks_stay_in_the_texts(messy):
    _, rows, _ = checked(messy / "20_real_wmt_tsv_odd_quotes.tsv")

    assert rows[0].output == '"Why does it do this," I hear you ask.'
    assert (rows[0].item_id, rows[0].system) == ("477", "refB")


def test_21_one_row_an_assignment_and_its_four_answers(messy):
    _, rows, report = checked(messy / "21_real_mturk_batch_export.csv", "ratings")

    assert (report.n_read, len(rows)) == (30, 120)
    assert {row.dimension for row in rows} == {"coherance", "consistency", "fluency", "relevance"}
    assert [row.value for row in rows[:4]] == [3.0, 3.0, 3.0, 3.0]
    assert (rows[0].judge, rows[0].system, rows[0].active_seconds) == ("w01", "E", "289")


def test_22_names_the_columns_that_hold_lists(messy):
    reading = read(messy / "22_real_list_in_cell.csv", kind="ratings")
    mapping = guess_mapping(reading.header, "ratings", reading.sample())

    assert [found.column for found in mapping.questions if found.kind == "list_in_cell"] == [
        "query-cws",
        "alexa-response-cws",
        "dialogpt-response-cws",
        "reddit-response-cws",
    ]


@pytest.mark.parametrize("study", ["opinsummeval", "dialsummeval"])
@pytest.mark.parametrize(("name", "kind"), [("ratings", "ratings"), ("metrics", "scores")])
def test_published_studies_are_clean(study_data, study, name, kind):
    _, rows, report = checked(study_data(study) / f"{name}.csv.gz", kind, ONE_TO_FIVE)

    n = {"opinsummeval": (11_200, 89_600), "dialsummeval": (44_800, 44_800)}[study]
    assert len(rows) == n[kind == "scores"]
    assert report.outcome == "accept"


def test_opinsummeval_outputs(study_data):
    _, rows, report = checked(study_data("opinsummeval") / "outputs.jsonl.gz")

    assert (len(rows), len(report.systems)) == (1400, 14)
    assert report.tallies == {"identical_outputs": 0, "output_equals_reference": 0}


def test_dialsummeval_outputs_that_equal_others_are_counted(study_data):
    _, rows, report = checked(study_data("dialsummeval") / "outputs.jsonl.gz")

    assert len(rows) == 1400
    assert report.tallies == {"identical_outputs": 120, "output_equals_reference": 100}


def test_a_study_without_outputs_is_told_so_once_and_all_else_that_is_wrong(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text(
        "item_id,system,judge,dimension,value\ni1,A,r1,fluency,9\ni2,A,r1,fluency,Good\n"
    )
    scale = ScaleRule(points=(1, 2, 3))
    empty = Rules(items=frozenset(), systems=frozenset(), scale=scale)

    report = dry_run(path, kind="ratings", rules=empty)

    assert report.counts == {"unknown_item": 1, "off_scale": 1, "not_a_number": 1}
    assert (report.outcome, report.n_clean) == ("reject", 0)
    (told,) = [found for found in report.findings if found.kind == "unknown_item"]
    assert "has no outputs yet" in told.reason
    assert told.mend == "Upload the outputs first, then the ratings."


def test_a_row_of_an_unknown_item_tells_of_its_value_too(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item_id,system,judge,dimension,value\ni1,A,r1,fluency,9\ni9,A,r1,fluency,9\n")
    rules = Rules(items=frozenset({"i1"}), systems=frozenset({"A"}), scale=ScaleRule(points=(1, 2)))

    report = dry_run(path, kind="ratings", rules=rules)

    assert report.counts == {"unknown_item": 1, "off_scale": 2}
