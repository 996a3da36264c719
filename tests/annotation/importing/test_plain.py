"""The fast lane says what the row-wise check says, or nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.importing import Rules, ScaleRule, check, guess_mapping, read
from annotation.importing.plain import plain_report

HEADER = "item_id,system,judge,dimension,score,phase\n"
SCALE = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))
CLEAN = "i1,a,r1,fluency,3,\ni1,a,r2,fluency,3.0,\ni1,b,r1,fluency,5,\n"


def both(path, text, kind="ratings", rules=SCALE):
    path.write_text(text, encoding="utf-8", newline="")
    reading = read(path, kind=kind)
    mapping = guess_mapping(reading.header, kind, reading.sample())
    slow = check(reading, mapping, rules)
    slow._looked = True  # the fast lane has been tried, it says, and has nothing to tell
    return plain_report(reading, mapping, rules), slow.run()


def test_a_clean_file_takes_the_fast_lane(tmp_path):
    fast, slow = both(tmp_path / "ratings.csv", HEADER + CLEAN)

    assert fast == slow
    assert (fast.outcome, fast.n_clean) == ("accept", 3)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("ratings", (HEADER + CLEAN).replace("\n", "\r\n")),
        ("ratings", HEADER.replace(",", "\t") + CLEAN.replace(",", "\t")),
        ("scores", "item_id,system,metric,score\ni1,a,bleu,1e-05\ni1,a,rouge,-0.5\n"),
    ],
)
def test_other_clean_files_do_too(tmp_path, kind, text):
    fast, slow = both(tmp_path / "clean", text, kind)

    assert fast == slow
    assert fast.outcome == "accept"


@pytest.mark.parametrize(
    "row",
    [
        "i1,a,r1,fluency,4,",  # another answer to the same question
        "i1,a,r3,fluency,6,",  # off the scale
        "i1,a,r3,fluency,NA,",
        "i1,a,r3,fluency,four,",
        "i1,a,r3,fluency,1e0,",
        ",a,r3,fluency,4,",
        "i1 ,a,r3,fluency,4,",
        "i1,a,r3,fluency,4",
        "i1,a,r3,fluency,4,,",
        'i1,a,r3,fluency,"4",',
        "i1,a,r3,fluency,4,pilot",  # two phases: the key has a field more
        "mean,,,fluency,4,",
    ],
)
def test_whatever_is_odd_is_left_to_the_rows(tmp_path, row):
    fast, _ = both(tmp_path / "odd.csv", HEADER + CLEAN + row + "\n")

    assert fast is None


def test_declared_words_are_read_by_rows(tmp_path):
    rules = Rules(scale=ScaleRule(points=(1, 2, 3), words={"good": 3}))

    fast, slow = both(tmp_path / "words.csv", HEADER + "i1,a,r1,fluency,Good,\n", rules=rules)

    assert fast is None
    assert (slow.outcome, slow.n_clean) == ("accept", 1)


def test_answers_in_words_are_read_by_rows(tmp_path):
    rules = Rules(texts={"comment"})

    clean, _ = both(tmp_path / "clean.csv", HEADER + CLEAN, rules=rules)
    worded, slow = both(tmp_path / "words.csv", HEADER + "i1,a,r1,comment,3,\n", rules=rules)

    assert clean.n_clean == 3
    assert worded is None
    assert slow.outcome == "accept"


CELLS = st.sampled_from(["i1", "i2", "a", "1", "2", "3.0", "6", "", " ", "NA", "x y", "é", "1e0"])


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=5, max_size=7), min_size=1, max_size=4))
def test_the_two_never_disagree(tmp_path_factory, rows):
    text = HEADER + CLEAN + "".join(",".join(row) + "\n" for row in rows)

    fast, slow = both(tmp_path_factory.mktemp("lane") / "ratings.csv", text)

    assert fast is None or fast == slow


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("ratings", HEADER.replace("phase", "batch") + CLEAN.replace(",\n", ",7\n")),
        ("scores", "item_id,system,metric,score\ni1,a,bleu,1e-05\ni1,a,rouge,-0.5\n"),
    ],
)
def test_both_lanes_build_the_same_rows(tmp_path, kind, text):
    path = tmp_path / "table.csv"
    path.write_text(text, encoding="utf-8", newline="")
    reading = read(path, kind=kind)
    fast, slow = (check(reading, guess_mapping(reading.header, kind), SCALE) for _ in range(2))
    slow._looked = True

    assert list(fast) == list(slow)
    assert fast.report == slow.report
    assert plain_report(reading, guess_mapping(reading.header, kind), SCALE)
