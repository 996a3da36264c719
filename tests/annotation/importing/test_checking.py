import json

import numpy as np
import pytest

from annotation.importing import (
    RawRow,
    ReadOptions,
    Rules,
    ScaleRule,
    check,
    dry_run,
    guess_mapping,
    mapping_from_json,
    read,
)
from annotation.importing.findings import Line
from annotation.importing.keys import KeyLog

RATINGS = "item_id,system,judge,dimension,value\n"
SCORES = "item_id,system,metric,score\n"
OUTPUTS = "id,system,output\n"
ONE_TO_FIVE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))


def report_of(tmp_path, content, kind, rules=None, **options):
    path = tmp_path / "upload"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return dry_run(path, kind=kind, rules=rules, options=ReadOptions(**options))


@pytest.mark.parametrize(
    ("kind", "content", "outcome", "kinds"),
    [
        ("outputs", OUTPUTS + "1,a,x,\n2,a,y,\n", "accept_with_warnings", {"extra_cells_empty"}),
        ("outputs", "id,system,output,\n1,a,x,\n", "accept", set()),
        ("outputs", OUTPUTS + "1,a,x\n" + OUTPUTS, "accept_with_warnings", {"repeated_header"}),
        ("outputs", OUTPUTS + '1,a,"x" tail\n', "reject", {"unclosed_quote"}),
        ("outputs", OUTPUTS + "1,a,x\x00y\n", "reject", {"bad_character"}),
        ("outputs", '{"id":1,"system":"a","output":"\\ud800"}\n', "reject", {"bad_character"}),
        ("outputs", '{"id":1,"system":"a","system":"b"}\n', "reject", {"duplicate_json_key"}),
        ("outputs", OUTPUTS + "1,a," + "x" * 300_000 + "\n", "accept", set()),
        ("outputs", "1,a,hello\n2,a,you\n", "ask", {"header_missing", "columns_unclear"}),
        ("outputs", ",,,\n,,,\n", "reject", {"no_rows"}),
        ("outputs", "id,system,output,output\n1,a,x,y\n", "ask", {"ambiguous_header"}),
        ("outputs", OUTPUTS + "1,a,x\n1,b,x\n", "accept_with_warnings", {"identical_outputs"}),
        ("outputs", OUTPUTS + "1,a,x\n1,a,x\n", "reject", {"duplicate_key"}),
        ("outputs", OUTPUTS + "1,a,j.doe@example.org\n", "accept_with_warnings", {"personal_data"}),
        ("outputs", "id,source,system,output\n1,s,a,s\n", "accept_with_warnings",
         {"output_equals_source"}),
        ("outputs", "id,source,system,output\n1,s,a,x\n1,t,b,y\n", "reject", {"conflicting_item"}),
        ("outputs", "id,output\n1,x\n", "ask", {"system_unnamed"}),
        ("ratings", RATINGS + "i1,a,r,f,3\nTotal,,,,3\n", "accept_with_warnings", {"totals_row"}),
        ("ratings", RATINGS + "i1,a,r,f,2026-01-02\n", "reject", {"not_a_number"}),
        ("ratings", RATINGS + "i1,a,,f,2\n", "reject", {"missing_judge"}),
        ("ratings", RATINGS + "i1,a,r,f,2\ni1,a,r,f,2\n", "reject", {"duplicate_rating"}),
        ("ratings", "item_id,system,rater,spark\ni1,a,r1,3\n", "ask", {"wide_ratings_mapping"}),
        ("ratings", "item_id,system,rater,fluency\ni1,a,r1,3\n", "accept", set()),
        ("scores", SCORES + '1,a,ppl,"1,234.5"\n', "reject", {"not_a_number"}),
        ("scores", SCORES + "1,a,acc,85%\n", "reject", {"not_a_number"}),
        ("scores", SCORES + "1,a,m,inf\n", "reject", {"not_a_number"}),
        ("scores", SCORES + "1,a,m,1\n1,a,m,2\n", "reject", {"duplicate_score"}),
        ("scores", "item_id,system,rouge1,rouge2,notes\ni1,a,0.3,0.1,hm\n", "accept", set()),
    ],
)  # fmt: skip
def test_faults_and_their_outcomes(tmp_path, kind, content, outcome, kinds):
    rules = ONE_TO_FIVE if kind == "ratings" else None

    report = report_of(tmp_path, content, kind, rules)

    assert (report.outcome, set(report.counts)) == (outcome, kinds)


def test_good_rows_only_lets_the_file_pass_and_lists_the_rejects(tmp_path):
    rules = Rules(scale=ONE_TO_FIVE.scale, good_rows_only=True)

    report = report_of(tmp_path, RATINGS + "i1,a,r,f,3\ni2,a,r,f,9\n", "ratings", rules)

    assert (report.outcome, report.can_load, report.n_clean) == ("accept_with_warnings", True, 1)
    header, row = report.rejects()
    assert dict(zip(header, row, strict=True)) == {
        "place": "",
        "line": "3",
        "column": "value",
        "kind": "off_scale",
        "severity": "error",
        "value": "9",
        "reason": "9 is not on the scale of f (1, 2, 3, 4, 5).",
        "mend": "Correct the value, or change the scale of the dimension.",
    }


def test_findings_beyond_a_thousand_are_counted_not_kept(tmp_path):
    report = report_of(tmp_path, OUTPUTS + ",a,x\n" * 1500, "outputs")

    assert (report.counts["missing_id"], len(report.findings)) == (1500, 1000)


def test_empty_outputs_are_kept_or_left_out_as_chosen(tmp_path):
    kept, skipped = (
        report_of(tmp_path, OUTPUTS + "1,a,x\n2,a, \n", "outputs", Rules(empty_output=choice))
        for choice in ("keep", "skip")
    )

    assert (kept.n_clean, skipped.n_clean) == (2, 1)


def test_the_wrong_file_shows_by_its_lengths(tmp_path):
    rows = [f"{item},{system},{'w' * length}{item}{system}" for item in range(5)
            for system, length in (("a", 40), ("b", 50), ("c", 400))]  # fmt: skip

    report = report_of(tmp_path, OUTPUTS + "\n".join(rows), "outputs")

    assert [(found.kind, found.value) for found in report.findings] == [("length_outlier", "c")]


def test_checksum_of_a_system_does_not_depend_on_order(tmp_path):
    one, two, other = (
        report_of(tmp_path, OUTPUTS + rows, "outputs").systems["a"].checksum_hex
        for rows in ("1,a,x\n2,a,y\n", "2,a,y\n1,a,x\n", "1,a,y\n2,a,x\n")
    )

    assert one == two != other


def test_range_scales_have_steps():
    scale = ScaleRule(minimum=0, maximum=1, step=0.1)

    assert scale.allows(0.3)
    assert not scale.allows(0.35)
    assert not scale.allows(1.1)


def test_semicolon_files_have_decimal_commas(tmp_path):
    path = tmp_path / "ratings.csv"
    path.write_text("item;system;rater;dimension;score\ni1;a;r1;f;3,5\ni1;a;r2;f;4.25\n")
    reading = read(path, kind="ratings")

    rows = list(check(reading, guess_mapping(reading.header, "ratings")).rows())

    assert [row.value for row in rows] == [3.5, 4.25]


def test_label_studio_cells_are_unwrapped(tmp_path):
    path = tmp_path / "export.csv"
    path.write_text(
        'annotation_id,annotator,id,model,fluency,tone\n'
        '1,7,i1,a,"[{""rating"": 4}]","{""choices"": [""3""]}"\n'
        '2,8,i1,a,"[{""rating"": 2}]","{""choices"": [""1""]}"\n'
    )  # fmt: skip
    reading = read(path, kind="ratings")
    mapping = guess_mapping(reading.header, "ratings", reading.sample())

    rows = list(check(reading, mapping.confirmed()).rows())

    assert [(row.judge, row.dimension, row.value) for row in rows] == [
        ("7", "fluency", 4.0),
        ("7", "tone", 3.0),
        ("8", "fluency", 2.0),
        ("8", "tone", 1.0),
    ]


def test_a_mapping_is_kept_as_json_and_found_again_by_names():
    mapping = guess_mapping(["id", "a", "b", "notes"], "outputs").with_constants(language="en")
    template = json.loads(json.dumps(mapping.as_json()))

    again = mapping_from_json(template, ["notes", "id", "b", "a"])

    fed = {column.name: (column.field, dict(column.bound)) for column in again.columns}
    assert fed == {
        "notes": ("", {}),
        "id": ("item_id", {}),
        "b": ("output", {"system": "b"}),
        "a": ("output", {"system": "a"}),
    }
    assert again.constants == (("language", "en"),)
    with pytest.raises(ValueError, match="no column 'b'"):
        mapping_from_json(template, ["id", "a"])


def test_a_mapping_given_takes_the_place_of_the_guess(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("k,t\n1,x\n")
    mapping = guess_mapping(["k", "t"], "outputs", [RawRow(2, ["1", "x"])])
    mapping = mapping.with_fields({"k": "item_id", "t": "output"}).with_constants(system="a")

    report = dry_run(path, kind="outputs", mapping=mapping.confirmed())

    assert (report.outcome, report.n_clean) == ("accept", 1)


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_key_log_agrees_with_a_dictionary(size):
    rng = np.random.default_rng(1)
    keys = rng.integers(-50, 50, size=300).tolist()
    log, first, found, expected = KeyLog(), {}, [], []

    for start in range(0, len(keys), size):
        batch = keys[start : start + size]
        lines = list(range(start, start + len(batch)))
        found += [(start + at, line, value) for at, line, value in log.add(batch, lines, batch)]
    for line, key in enumerate(keys):
        if key in first:
            expected.append((line, first[key], key))
        first.setdefault(key, line)

    assert found == expected


def test_key_log_keeps_the_files_of_lines():
    log = KeyLog()
    log.add([1, 2], [7, Line(7, "a.csv")])

    found = log.add([1, 2, 3, 2], [Line(1, "b.csv"), 1, Line(2, "b.csv"), Line(9, "c.csv")])

    assert [(at, f"{line}") for at, line, _ in found] == [
        (0, "7"), (1, "7 of a.csv"), (3, "7 of a.csv"),
    ]  # fmt: skip
