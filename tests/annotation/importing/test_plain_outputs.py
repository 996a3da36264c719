"""The fast lane of outputs says what the row-wise check says, or nothing."""

import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from annotation.importing import Rules, UnreadableFile, check, guess_mapping, read, whole_records
from annotation.importing.plain import plain_report
from annotation.importing.plain_outputs import SPACES

MESSY = Path(__file__).parents[2] / "data" / "messy"
TEXTS = (
    "A plain text", 'She said "no", twice', "Two\nlines, and\n\nmore", "Zoë’s café", "文章です。",
    "AT&T [sic] x@y", " edges ", "\u3000wide", "1 234", "a" * 60, '""', '"', "x,y;z\tw",
)  # fmt: skip
# What is put anywhere into a clean file.
FAULTS = (
    '"', '""', '","', ",", ",,,", "\n", "\n\n", "\r\n", "\r", "\ufeff", " ", "\0", "<b>", "&amp;",
    "é", "\u3000", "\ufffd", " 555 1234", "a@b.org", "nan", "item_id,system,output\n", "I0", "-0",
    "}{", "}\n{", "\\u0000", "\\ud800", "null", ": 1", '"x": 1.5, ', '"x": true, ', '"system": "a"',
    "{", "[", "]", "\u0661 1234", "\u2581x", "\x1b[0m", "\u200b", "2-Jan", "12", "# ", "\x1c",
)  # fmt: skip


def both(path, rules=None, mapping=None):
    """Return the reports of the fast lane, which may be none, and of the row-wise way."""
    rules = rules or Rules()
    reading = read(path, kind="outputs")
    mapping = mapping or guess_mapping(reading.header, "outputs", reading.sample())
    slow = check(reading, mapping, rules)
    slow._looked = True  # the fast lane has been tried, it says, and has nothing to tell
    return plain_report(reading, mapping, rules), slow.run()


def assert_alike(fast, slow):
    assert fast == slow
    assert list(fast.systems) == list(slow.systems)
    assert {**fast.tallies} == {**slow.tallies}
    assert all(
        dict(figures.lengths) == dict(slow.systems[name].lengths)
        for name, figures in fast.systems.items()
    )


@st.composite
def records(draw):
    """Rows without a fault: a grid of items and systems, in any order, with texts of their own."""
    n_items, systems = draw(st.integers(2, 6)), draw(st.sampled_from(["a", "ab", "bac"]))
    extra = draw(st.lists(st.sampled_from(["source", "reference", "domain", "note"]), unique=True))
    rows = []
    for item in draw(st.permutations(range(n_items))):
        about = {name: f"{draw(st.sampled_from(TEXTS))} of {item}" for name in extra}
        for system in draw(st.permutations(systems)):
            text = f"{draw(st.sampled_from(TEXTS))} {item}, {system}{draw(st.sampled_from(TEXTS))}"
            rows.append({"item_id": f"i{item}", "system": system, **about, "output": text})
    return draw(st.permutations(rows)) if draw(st.booleans()) else rows


def as_wide(rows):
    names = [name for name in rows[0] if name not in {"system", "output"}]
    wide = {row["item_id"]: {name: row[name] for name in names} for row in rows}
    for row in rows:
        wide[row["item_id"]][row["system"]] = row["output"]
    header = [*names, *dict.fromkeys(row["system"] for row in rows)]
    return [{name: row[name] for name in header} for row in wide.values()]


@st.composite
def tables(draw):
    rows = draw(records())
    if draw(st.booleans()):
        rows = as_wide(rows)
    text = io.StringIO()
    writer = csv.DictWriter(
        text,
        list(rows[0]),
        delimiter=draw(st.sampled_from(",;\t")),
        lineterminator=draw(st.sampled_from(["\n", "\r\n"])),
        quoting=draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
    )
    writer.writeheader()
    writer.writerows(rows)
    return draw(st.sampled_from(["", "\ufeff"])) + text.getvalue()


@st.composite
def lines(draw):
    rows = draw(records())
    is_by_item, numbered = draw(st.booleans()), draw(st.booleans())
    if is_by_item:
        shared = [name for name in rows[0] if name not in {"system", "output"}]
        items = {row["item_id"]: {name: row[name] for name in shared} for row in rows}
        for row in rows:
            items[row["item_id"]].setdefault("outputs", {})[row["system"]] = row["output"]
        rows = [*items.values()]
    for row in rows:
        if numbered:
            row["item_id"] = int(row["item_id"][1:])
    is_ascii = draw(st.booleans())
    return "".join(json.dumps(row, ensure_ascii=is_ascii) + "\n" for row in rows)


@st.composite
def faulty(draw, files):
    """A file with nothing, or up to two odd things put in or something taken out."""
    text = draw(files)
    for _ in range(draw(st.integers(0, 2))):
        at = draw(st.integers(0, len(text)))
        n_lost = draw(st.sampled_from([0, 0, 1, 5]))
        text = text[:at] + draw(st.sampled_from(FAULTS)) + text[at + n_lost :]
    return text


def hold(tmp_path_factory, name, text, block):
    path = tmp_path_factory.mktemp("lane") / name
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(whole_records, "BLOCK", block)
        hold_file(path)


def hold_file(path):
    try:
        fast, slow = both(path)
    except UnreadableFile:
        return
    if fast is not None:
        assert_alike(fast, slow)


BLOCKS = st.sampled_from([300, 2_000, 1 << 20])


@settings(max_examples=300, deadline=None)
@given(faulty(tables()), BLOCKS)
@example('item_id,system,output\ni1,a,"One long text"er.\ni2,a,Two long texts.\n', 1 << 20)
@example("item_id,system,output\ni1,a,One long text.\nI1,a,Two long texts.\n", 1 << 20)
@example("note,item_id,system,output\nn,i1,a,One long text.\n\ufeff,i2,a,Two texts.\n", 1 << 20)
def test_of_tables_the_two_never_disagree(tmp_path_factory, text, block):
    hold(tmp_path_factory, "outputs.csv", text, block)


@settings(max_examples=300, deadline=None)
@given(faulty(lines()), BLOCKS)
@example('{"item_id": -0, "system": "a", "output": "x y z"}\n', 1 << 20)
@example("{}\n{}\n" + '{"item_id": 5, "system": "a", "output": "x y z"}\n' * 2, 100)
@example('{"item_id": 5, "system": "a", "output": "x y z"}\n', 1 << 20)
@example('{"item_id": "1", "system": "a",\n"output": "x"}{"item_id": 2, "system": "a"}\n', 1 << 20)
def test_of_json_lines_the_two_never_disagree(tmp_path_factory, text, block):
    hold(tmp_path_factory, "outputs.jsonl", text, block)


@pytest.mark.parametrize("name", sorted(file.name for file in MESSY.iterdir()))
def test_of_messy_files_the_two_never_disagree(name):
    hold_file(MESSY / name)


def test_of_messy_uploads_they_neither(study_data):
    for path in sorted(study_data("messy_uploads").iterdir()):
        hold_file(path)


@settings(max_examples=50, deadline=None)
@given(tables(), lines())
def test_clean_files_take_it(tmp_path_factory, table, as_lines):
    folder = tmp_path_factory.mktemp("lane")
    for name, text in (("outputs.csv", table), ("outputs.jsonl", as_lines)):
        path = folder / name
        path.write_text(text, encoding="utf-8", newline="")
        fast, slow = both(path)
        assert fast is not None
        assert_alike(fast, slow)


def test_outputs_of_one_system_that_no_column_names_take_it_too(tmp_path):
    path = tmp_path / "outputs.csv"
    path.write_text("item_id,output\ni1,One.\ni2,Two.\n", encoding="utf-8")
    header = ["item_id", "output"]
    mapping = guess_mapping(header, "outputs").with_constants(system="bart").confirmed()

    fast, slow = both(path, mapping=mapping)

    assert_alike(fast, slow)
    assert [*fast.systems] == ["bart"]


def test_columns_of_json_lines_that_are_not_used_may_hold_anything_flat(tmp_path):
    path = tmp_path / "outputs.jsonl"
    rest = {"score": 0.5, "seen": "2024-01-02", "ok": True, "left": None}
    rows = [{"item_id": n, "system": "a", "output": f"Text {n}.", **rest} for n in range(3)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    assert_alike(*both(path))


def test_our_own_csv_for_excel_is_read_by_rows(tmp_path):
    path = tmp_path / "outputs.csv"
    names = "item_id,batch,language,domain,document,source,reference,prior_reference,system,output"
    row = "'=1,1,en,news,d1,A source.,A reference.,,a,'=The text.\n"
    path.write_text(f"\ufeff{names}\n{row}", encoding="utf-8")

    fast, slow = both(path)

    assert (fast, slow.outcome) == (None, "accept")


def test_the_edges_of_texts_are_all_that_strip_takes_away():
    assert [sign for sign in map(chr, range(0x110000)) if sign.isspace()] == list(SPACES)
