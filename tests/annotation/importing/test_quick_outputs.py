"""The quick way of outputs builds what the close look builds, or leaves the row to it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.importing import Rules, check, guess_mapping, read
from annotation.importing.check_outputs import OutputCheck
from annotation.importing.quick_outputs import QuickOutputs

HEADER = "item_id,system,output,source,reference,domain\n"
NAMES = st.sampled_from(["i1", "i2", " i1", "", "é", "I1", "i\x00"])
TEXTS = st.sampled_from(
    ["fine", "", " ", "The source.", "A gold text", "nan", "<b>x</b>", "a@b.org", "x [UNK]",
     "call 555 123-4567", "1 2345", "naïve", "n\x00l", '"[""a"", ""b""]"', "AT&amp;T",
     "long " * 30],
)  # fmt: skip
ROWS = st.lists(
    st.tuples(NAMES, NAMES, TEXTS, TEXTS, TEXTS, st.sampled_from(["", "news"])),
    min_size=1,
    max_size=8,
)


def outcome(path, rules):
    reading = read(path, kind="outputs")
    checked = check(reading, guess_mapping(reading.header, "outputs", reading.sample()), rules)
    return list(checked), checked.report


@settings(max_examples=200, deadline=None)
@given(ROWS, st.integers(2, 6))
def test_with_and_without_it_rows_and_findings_are_the_same(tmp_path_factory, rows, width):
    path = tmp_path_factory.mktemp("lane") / "outputs.csv"
    names = HEADER.strip().split(",")[: max(width, 3)]
    lines = [",".join(cells[: len(names)]) for cells in rows]
    path.write_text("\n".join([",".join(names), *lines]) + "\n", encoding="utf-8")
    rules = Rules(longest_text=100)

    with_it = outcome(path, rules)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(QuickOutputs, "row", lambda *_: None)
        without = outcome(path, rules)

    assert with_it == without


def test_clean_rows_after_the_first_of_an_item_take_it(tmp_path, monkeypatch):
    path = tmp_path / "outputs.csv"
    rows = [
        f"i{n},{system},Text {n} of {system}.,Source {n}." for n in range(3) for system in "abc"
    ]
    path.write_text("item_id,system,output,source\n" + "\n".join(rows), encoding="utf-8")
    looked_at = []
    build = OutputCheck.build
    monkeypatch.setattr(
        OutputCheck, "build", lambda self, raw: looked_at.append(raw.line) or build(self, raw)
    )

    rows, report = outcome(path, Rules())

    assert looked_at == [2, 5, 8]
    assert (len(rows), report.outcome) == (9, "accept")
    assert {row.source for row in rows} == {("Source 0.",), ("Source 1.",), ("Source 2.",)}
