"""The command ``report``: no database, and bad input said plainly."""

import csv
import json

import pytest
from django.core.management import CommandError, call_command

HEADER = "item_id,system,rater_id,rater_group,dimension,score\n"
GOOD = HEADER + "".join(
    f"i{item},{system},{judge},{group},fluency,{score}\n"
    for item, system, judge, group, score in [
        (1, "a", "e1", "expert", 4), (1, "a", "w1", "crowd", 3), (1, "b", "e1", "expert", 2),
        (1, "b", "w1", "crowd", 2), (2, "a", "e1", "expert", 5), (2, "a", "w1", "crowd", 5),
        (2, "b", "e1", "expert", 1), (2, "b", "w1", "crowd", 3),
    ]
)  # fmt: skip


@pytest.fixture
def run(tmp_path):
    """Return a function that runs the command on a text of ratings, and the folder written."""

    def run(ratings, *options, scores=None):
        path = tmp_path / "ratings.csv"
        path.write_bytes(ratings if isinstance(ratings, bytes) else ratings.encode())
        arguments = [f"--ratings={path}", f"--out={tmp_path / 'out'}", "--resamples=20", *options]
        if scores is not None:
            (tmp_path / "scores.csv").write_text(scores)
            arguments.append(f"--scores={tmp_path / 'scores.csv'}")
        call_command("report", *arguments)
        return tmp_path / "out"

    return run


def _refused(run, tmp_path, *arguments, **more):
    with pytest.raises(CommandError) as caught:
        run(*arguments, **more)
    assert caught.value.returncode == 2
    assert not (tmp_path / "out").exists()
    return str(caught.value)


def test_report_writes_json_tables_charts_and_tidy_ratings(run):
    out = run(GOOD, "--scale=1-5")

    report = json.loads((out / "report.json").read_text())
    with (out / "ratings.csv").open() as file:
        tidy = list(csv.DictReader(file))
    assert {row["system"]: row["mean"] for row in report["means"] if row["group"] == "all"} == {
        "a": 4.25,
        "b": 2.0,
    }
    assert [row["value"] for row in tidy] == ["4", "3", "2", "2", "5", "5", "1", "3"]
    assert sorted(path.name for path in (out / "tables").iterdir()) == [
        "agreement.csv", "bias.csv", "comparison.csv", "confusion.csv", "contrasts.csv",
        "disputes.csv", "group_correlation.csv", "judge_pairs.csv", "judges.csv",
        "judges_left_out.csv", "means.csv", "models.csv", "ranking.csv",
    ]  # fmt: skip
    for name in ("distributions", "means", "agreement"):
        assert (out / "charts" / f"{name}.svg").read_text().startswith("<svg")
        assert (out / "charts" / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_every_list_of_the_report_is_there_even_if_empty(run):
    report = json.loads((run(GOOD, "--scale=1-5") / "report.json").read_text())

    assert list(report) == [
        "schema_version", "study", "generated_at", "code_version", "data_hash", "seed", "overview",
        "findings", "means", "agreement", "comparison", "bias", "ranking", "contrasts",
        "correlation", "dimension_correlation", "group_correlation", "judges", "judge_pairs",
        "judges_left_out", "confusion", "facts", "fact_comparison", "models", "disputes",
        "prediction", "calibration", "agreement_over_time", "self_agreement", "strengths", "wins",
        "choice_agreement", "metric_pairs", "exclusions",
    ]  # fmt: skip
    assert report["schema_version"] == 1


def test_order_of_rows_changes_neither_hash_nor_numbers(run):
    lines = GOOD.splitlines(keepends=True)
    first = json.loads((run(GOOD, "--scale=1-5") / "report.json").read_text())
    turned = lines[0] + "".join(reversed(lines[1:]))
    second = json.loads((run(turned, "--scale=1-5") / "report.json").read_text())

    assert first["data_hash"] == second["data_hash"]
    by_place = {(row["group"], row["system"]): row for row in first["means"]}
    assert by_place == {(row["group"], row["system"]): row for row in second["means"]}


def test_tidy_ratings_read_back_give_the_same_report(run):
    out = run(GOOD, "--scale=1-5")
    first = json.loads((out / "report.json").read_text())
    again = run((out / "ratings.csv").read_text(), "--scale=1-5")
    second = json.loads((again / "report.json").read_text())

    assert {**second, "generated_at": first["generated_at"]} == first


@pytest.mark.parametrize(
    ("ratings", "parts"),
    [
        (GOOD.replace("fluency,5\n", "fluency,7\n", 1), ["line 6", "score", "'7'"]),
        (GOOD.replace("fluency,5\n", "fluency,good\n", 1), ["line 6", "score", "'good'"]),
        (GOOD + "i1,a,e1,expert,fluency,3\n", ["line 10"]),
        (GOOD.replace("rater_id", "who_knows"), ["judge"]),
        (HEADER, ["no rows"]),
        ("", ["empty"]),
        (GOOD.encode("utf-16"), None),
        (GOOD.replace("i1,a", "caf\xe9,a", 1).encode("latin-1"), None),
    ],
)
def test_bad_ratings_name_line_column_and_value(run, tmp_path, ratings, parts):
    if parts is None:  # another encoding is recognised and said, never guessed in silence
        run(ratings, "--scale=1-5")
        return
    message = _refused(run, tmp_path, ratings, "--scale=1-5")

    assert all(part in message for part in parts), message


def test_unknown_system_in_the_scores_is_refused(run, tmp_path):
    scores = "item_id,system,metric,score\ni1,a,bleu,0.5\ni1,c,bleu,0.4\n"

    message = _refused(run, tmp_path, GOOD, "--scale=1-5", scores=scores)

    assert "scores.csv: line 3, column system" in message
    assert "'c'" in message


def test_unreadable_line_of_json_is_refused(run, tmp_path):
    record = '{"item_id": "i1", "system": "a", "judge": "j", "dimension": "fluency", "value": 3}\n'

    message = _refused(run, tmp_path, record + "{broken\n", "--scale=1-5")

    assert "line 2" in message


def test_a_scale_is_asked_for_and_never_guessed(run, tmp_path):
    message = _refused(run, tmp_path, GOOD)

    assert "The scale of fluency is not declared" in message
    assert "--scale" in message


def test_groups_that_tell_nothing_are_asked_about(run, capsys):
    unnamed = GOOD.replace("expert", "north").replace("crowd", "south")

    report = json.loads((run(unnamed, "--scale=1-5") / "report.json").read_text())

    assert [row for row in report["comparison"] if row["factor"] == "group"] == []
    assert [row["kind"] for row in report["findings"]] == ["groups_not_named"]
    assert "say --expert GROUP --crowd GROUP" in capsys.readouterr().err


def test_groups_named_by_the_caller_are_compared(run):
    unnamed = GOOD.replace("expert", "north").replace("crowd", "south")

    out = run(unnamed, "--scale=1-5", "--expert=south", "--crowd=north")

    report = json.loads((out / "report.json").read_text())
    tests = [row for row in report["comparison"] if row["factor"] == "group"]
    assert {tuple(row["groups"]) for row in tests} == {("south", "north")}


def test_a_group_that_is_not_there_is_refused(run, tmp_path):
    message = _refused(run, tmp_path, GOOD, "--scale=1-5", "--expert=nobody")

    assert message == "There is no group 'nobody'; the groups are expert, crowd."


SCORES = "item_id,system,metric,score\ni1,a,bleu,0.5\ni1,b,bleu,0.4\n"


def test_metrics_and_human_systems_are_taken_as_named(run):
    out = run(GOOD, "--scale=1-5", "--predict=bleu", "--human-system=b", scores=SCORES)

    report = json.loads((out / "report.json").read_text())
    assert report["overview"]["human_systems"] == ["b"]
    assert {tuple(row["metrics"]) for row in report["prediction"]} == {("bleu",)}


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--predict=blue", "There is no metric 'blue' to predict from; the metrics are bleu."),
        ("--human-system=z", "There is no system 'z'; the systems are a, b."),
    ],
)
def test_metrics_and_human_systems_that_are_not_there_are_refused(run, tmp_path, option, message):
    assert _refused(run, tmp_path, GOOD, "--scale=1-5", option, scores=SCORES) == message
