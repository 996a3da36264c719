import json

import pytest

from annotation.importing import Rules, check, guess_mapping, read
from annotation.importing.rankings import are_ranks, choices_of, read_ranking

PAIRS = Rules(compared={"overall": 2}, dimensions=frozenset({"overall"}), ties=("overall",))
SETS = Rules(compared={"overall": 3}, dimensions=frozenset({"overall"}))
ONE_RANKING = [(("t5", "bart"), "A>B"), (("t5", "lead"), "A>B"), (("bart", "lead"), "A>B")]


def checked(path, text, rules=PAIRS):
    path.write_text(text, encoding="utf-8", newline="")
    reading = read(path, kind="comparisons")
    found = check(reading, guess_mapping(reading.header, "comparisons", reading.sample()), rules)
    rows = [(row.rating.judge, row.systems, row.rating.text) for row in found.rows()]
    return rows, found.report


def lines(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


LONG = (
    "item_id,judge,dimension,system,rank\n"
    "i1,r1,overall,t5,1\ni1,r1,overall,bart,2\ni1,r1,overall,lead,3\n"
)
CHAIN = (
    "item_id,judge,dimension,system_a,system_b,system_c,choice\ni1,r1,overall,t5,bart,lead,A>B>C\n"
)
ABOUT = {"item_id": "i1", "judge": "r1", "dimension": "overall"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", lines({**ABOUT, "ranking": ["t5", "bart", "lead"]})),
        ("a.jsonl", lines({**ABOUT, "ranks": {"t5": 1, "bart": 2, "lead": 3}})),
        ("a.jsonl", lines({**ABOUT, "systems": ["t5", "bart", "lead"], "ranks": [1, 2, 3]})),
        ("a.jsonl", lines({
            "item_id": "i1", "dimension": "overall",
            "rankings": [{"judge": "r1", "ranking": ["t5", "bart", "lead"]}],
        })),
        ("a.jsonl", lines({
            "item_id": "i1", "dimension": "overall", "rankings": {"r1": ["t5", "bart", "lead"]},
        })),
        ("a.jsonl", lines({
            "item_id": "i1", "judge": "r1",
            "rankings": {"overall": {"t5": 1, "bart": 2, "lead": 3}},
        })),
        ("a.jsonl", lines({
            "item_id": "i1", "outputs": {"t5": "One.", "bart": "Two."},
            "judgments": [{
                "judge": "r1", "dimension": "overall",
                "ranking": [{"system": "t5", "rank": 1}, {"system": "bart", "rank": 2},
                            {"system": "lead", "rank": 3}],
            }],
        })),
        ("a.json", json.dumps([{**ABOUT, "ranking": ["t5", "bart", "lead"]}])),
        ("a.csv", "item_id,judge,dimension,ranking\ni1,r1,overall,t5 > bart > lead\n"),
        ("a.csv", "item_id,judge,dimension,ranking\ni1,r1,overall,\"['t5', 'bart', 'lead']\"\n"),
        ("a.csv", 'item_id,judge,dimension,ranking\ni1,r1,overall,"t5, bart, lead"\n'),
        ("a.csv", LONG),
        ("a.csv", "item_id;judge;dimension;t5;bart;lead\ni1;r1;overall;1,0;2,0;3,0\n"),
        ("a.csv", "item_id,judge,dimension,t5,bart,lead\ni1,r1,overall,1,2,3\n"),
        ("a.csv", "item_id,judge,dimension,rank_t5,Rank (bart),lead rank\ni1,r1,overall,1,2,3\n"),
        ("a.csv", "item_id,judge,overall_t5,overall_bart,overall_lead\ni1,r1,1,2,3\n"),
        ("a.csv", CHAIN),
    ],
)  # fmt: skip
def test_a_ranking_answers_every_pair_however_it_is_written(tmp_path, name, text):
    rows, report = checked(tmp_path / name, text)

    assert rows == [("r1", systems, code) for systems, code in ONE_RANKING]
    assert (report.outcome, report.n_clean) == ("accept", 3)


def test_of_a_set_the_best_and_the_worst_are_taken(tmp_path):
    text = "item_id,judge,dimension,t5,bart,lead\ni1,r1,overall,2,3,1\n"

    rows, report = checked(tmp_path / "a.csv", text, SETS)

    assert (rows, report.outcome) == ([("r1", ("t5", "bart", "lead"), "C>B")], "accept")


def test_ties_and_systems_without_a_rank(tmp_path):
    text = lines(
        {**ABOUT, "ranking": [["t5", "bart"], "lead"]},
        {**ABOUT, "judge": "r2", "ranking": {"t5": 1, "bart": None, "lead": 2}},
    )

    rows, _ = checked(tmp_path / "a.jsonl", text)

    assert rows == [
        ("r1", ("t5", "bart"), "A=B"),
        ("r1", ("t5", "lead"), "A>B"),
        ("r1", ("bart", "lead"), "A>B"),
        ("r2", ("t5", "lead"), "A>B"),
    ]


@pytest.mark.parametrize(
    ("row", "kind", "said"),
    [
        ("i1,r1,overall,1,3,5", "bad_ranking", "count from 1"),
        ("i1,r1,overall,5,4,4", "bad_ranking", "count from 1"),
        ("i1,r1,overall,first,2,3", "bad_ranking", "'first', which is no number"),
        ("i1,r1,overall,1,,", "bad_ranking", "two systems at least"),
        ("i1,r1,overall,,,", "missing_value", "no ranking"),
        (",r1,overall,1,2,3", "missing_id", "no item"),
        ("i1,r1,wit,1,2,3", "unknown_dimension", "no dimension 'wit'"),
        ("i1,r1,overall,3,2,1", "conflicting_rating", "with different answers"),
        ("i1,r1,overall,1,2,3", "duplicate_rating", "lines 2 and 5"),
    ],
)
def test_a_bad_rank_is_told_with_its_line(tmp_path, row, kind, said):
    good = "i1,r1,overall,1,2,3\ni2,r1,overall,2,1,3\ni3,r1,overall,1,2,2\n"

    _, report = checked(tmp_path / "a.csv", f"item_id,judge,dimension,t5,bart,lead\n{good}{row}\n")

    found = [one for one in report.findings if one.kind == kind]
    assert found[0].line == 5
    assert said in found[0].reason


@pytest.mark.parametrize(
    ("ranking", "said"),
    [
        (["t5", "bart", "t5"], "t5 stands twice"),
        ([["t5", "bart"], "lead"], "t5 and bart share the first rank"),
        (["t5", ["bart", "lead"]], "bart and lead share the last rank"),
        (["a", "b", "c", "d", "e", "f"], "a set has at most 5"),
        (["t5", {"bart": "good"}], "names its systems by text"),
    ],
)
def test_a_ranking_that_answers_no_set_is_told(tmp_path, ranking, said):
    rows, report = checked(tmp_path / "a.jsonl", lines({**ABOUT, "ranking": ranking}), SETS)

    assert rows == []
    assert [(one.kind, one.line) for one in report.findings] == [("bad_ranking", 1)]
    assert said in report.findings[0].reason


def test_an_unknown_system_is_told_once(tmp_path):
    rules = Rules(compared={"overall": 2}, systems=frozenset({"t5", "bart"}))

    rows, report = checked(
        tmp_path / "a.jsonl", lines({**ABOUT, "ranking": ["t5", "bart", "lead"]}), rules
    )

    assert rows == []
    assert [one.kind for one in report.findings] == ["unknown_system"]


def test_two_ranks_of_one_system_are_told(tmp_path):
    text = (
        "item,judge,dimension,system,rank\n"
        "i1,r1,overall,t5,1\ni1,r1,overall,bart,2\ni1,r1,overall,t5,2\n"
    )

    _, report = checked(tmp_path / "a.csv", text)

    assert [(one.kind, one.line) for one in report.findings] == [("bad_ranking", 4)]


def test_numbers_that_are_no_ranks_are_asked_about(tmp_path):
    """Scores by system, the higher the better, would turn every choice round."""
    text = "item_id,judge,dimension,t5,bart\ni1,r1,overall,4,5\ni2,r1,overall,80,3\n"

    rows, report = checked(tmp_path / "a.csv", text)

    assert (rows, report.outcome) == ([], "ask")


def test_rankings_without_a_judge_or_a_dimension_are_asked_about(tmp_path):
    text = lines({"item_id": "i1", "rankings": [["t5", "bart"], ["bart", "t5"]]})

    _, report = checked(tmp_path / "a.jsonl", text)

    assert report.outcome == "ask"
    assert set(report.counts) == {"judge_unnamed", "dimension_unnamed"}


def test_battles_name_the_winner_by_the_place_of_its_column(tmp_path):
    text = lines(
        {**ABOUT, "model_a": "t5", "model_b": "bart", "winner": "model_b"},
        {**ABOUT, "judge": "r2", "model_a": "t5", "model_b": "bart", "winner": "tie (bothbad)"},
    )

    rows, _ = checked(tmp_path / "a.jsonl", text)

    assert rows == [("r1", ("t5", "bart"), "B>A"), ("r2", ("t5", "bart"), "A=B")]


@pytest.mark.parametrize(
    ("values", "is_ranked"),
    [
        ([1, 2, 2, 3], True), ([1, 2, 2, 4], True), ([1, 3, 3, 4], True), ([1, 2.5, 2.5, 4], True),
        ([1, 1], True), ([1.5, 1.5], True), ([2, 2], True), ([0, 1], False), ([2, 3], False),
        ([1, 2, 4], False),
    ],
)  # fmt: skip
def test_what_counts_as_ranks(values, is_ranked):
    assert are_ranks(values) is is_ranked


def test_no_single_best_is_no_answer_about_a_set():
    with pytest.raises(ValueError, match="a and b share the first rank"):
        list(choices_of(read_ranking("a = b"), n_compared=3))
