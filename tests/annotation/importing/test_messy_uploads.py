import json

import pytest

from annotation.importing import Rules, ScaleRule, dry_run

ONE_TO_FIVE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))
RATINGS = {"17_ratings_dirty_scores.csv", "18_ratings_wide_per_rater.csv"}
FILES = [
    "01_wide_bom_crlf_multiline.csv",
    "02_jsonl_list_per_model.jsonl",
    "03_jsonl_list_lengths_differ.jsonl",
    "04_jsonl_per_item_blank_lines_no_final_newline.jsonl",
    "05_jsonl_one_broken_line.jsonl",
    "06_tsv_bare_quotes.tsv",
    "07_cp1252.csv",
    "08_utf16le_bom_excel_unicode_text.txt",
    "09_semicolon_decimal_comma.csv",
    "10_scripts_emoji_injection.csv",
    "11_duplicate_and_empty_ids.csv",
    "12_ragged_rows.csv",
    "13_unclosed_quote.csv",
    "14_header_only.csv",
    "15_empty_file.csv",
    "16_duplicate_headers_extra_columns.csv",
    "17_ratings_dirty_scores.csv",
    "18_ratings_wide_per_rater.csv",
    "19_real_yelp_broken_utf8.csv",
    "20_real_wmt_tsv_odd_quotes.tsv",
    "21_real_mturk_batch_export.csv",
    "22_real_list_in_cell.csv",
    "23_real_annotation_workbook.xlsx",
]


@pytest.mark.parametrize("name", FILES)
def test_file_comes_to_its_outcome_and_findings(study_data, name):
    folder = study_data("messy_uploads")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[name]

    is_rating = name in RATINGS
    report = dry_run(
        folder / name,
        kind="ratings" if is_rating else "outputs",
        rules=ONE_TO_FIVE if is_rating else Rules(),
    )

    assert report.outcome == expected["outcome"]
    assert set(expected["findings"]) <= set(report.counts)
