"""Any bytes come to a report: no traceback, no hang."""

import gzip
import io
import json
import zipfile
from functools import cache

import openpyxl
import pyarrow as pa
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from annotation.importing import Report, Rules, ScaleRule, dry_run

KINDS = st.sampled_from(["outputs", "ratings", "scores", "comparisons"])
RULES = Rules(scale=ScaleRule(points=(1, 2, 3, 4, 5)))
# A minute is a hang, whatever else the machine does.
CALM = settings(
    max_examples=60, deadline=60_000, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
SIGNS = st.text(alphabet='",;\t|\n\r\x00 ab1=-é\u00a0\ufeff[]{}:', max_size=200)
HEADS = st.sampled_from(
    [
        "",
        "id,system,output\n",
        "item_id\tsystem\trater\tdimension\tscore\n",
        "sep=;\n",
        "system;item;bleu;rouge\n",
        '{"id": 1, "outputs": {"a": "x"}}\n',
        "[",
        '{"',
        "item,judge,dimension,system,rank\n",
        "item,judge,dimension,ranking\ni1,r1,d,",
    ]
)


@pytest.fixture(scope="module")
def upload(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz") / "upload"


def comes_to_a_report(path, content, kind):
    path.write_bytes(content)
    report = dry_run(path, kind=kind, rules=RULES)
    assert isinstance(report, Report)
    assert report.outcome in {"accept", "accept_with_warnings", "ask", "reject"}
    assert report.counts or report.n_clean


@CALM
@given(st.binary(max_size=400), KINDS)
@example(b"\xff\xfe\x00", "outputs")
@example(b"\x00\x00\xfe\xff\x11", "ratings")
@example(b"\xc2\x80\xe0\xa1", "outputs")
@example(b"\x1f\x8b", "scores")
@example(b"\x1f\x8b\x08\x00", "scores")
def test_any_bytes(upload, content, kind):
    comes_to_a_report(upload, content, kind)


@CALM
@given(HEADS, SIGNS, KINDS, st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_tables_gone_wrong(upload, head, body, kind, encoding):
    comes_to_a_report(upload, (head + body).encode(encoding, "replace"), kind)


NAMES = st.sampled_from(
    [
        "id",
        "outputs",
        "system",
        "data",
        "annotations",
        "label_annotations",
        "judge",
        "dimension",
        "rankings",
        "ranking",
        "rank",
        "members",
        "choice",
    ]
)
JSON = st.deferred(
    lambda: (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=8)
        | st.lists(JSON, max_size=3)
        | st.dictionaries(NAMES | st.text(max_size=4), JSON, max_size=3)
    )
)


@CALM
@given(st.lists(JSON, max_size=4), st.sampled_from(["\n", "", ","]), KINDS)
def test_json_of_any_shape(upload, values, joint, kind):
    text = joint.join(json.dumps(value) for value in values)
    comes_to_a_report(upload, text.encode("utf-8", "surrogatepass"), kind)


def test_json_nested_too_deeply(upload):
    comes_to_a_report(upload, b"[" * 200_000, "outputs")
    comes_to_a_report(upload, b'{"a":' * 200_000, "outputs")
    comes_to_a_report(upload, b'{"id": 1}\n' + b"[" * 200_000, "outputs")


@cache
def workbook():
    book = openpyxl.Workbook()
    for row in [["id", "system", "output"], ["1", "a", "x"], ["2", "a", "y"]]:
        book.active.append(row)
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@cache
def archive():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.txt", "one\ntwo\n" * 50)
        packed.writestr("b.txt", "three\nfour\n" * 50)
    return stream.getvalue()


@cache
def parquet():
    stream = io.BytesIO()
    pyarrow.parquet.write_table(pa.table({"id": ["1"], "system": ["a"], "output": ["x"]}), stream)
    return stream.getvalue()


@cache
def packed_table():
    return gzip.compress(b"id,system,output\n" + b"1,a,x\n" * 50)


@pytest.mark.parametrize("make", [workbook, archive, parquet, packed_table])
@CALM
@given(st.data())
def test_damaged_binary_files(upload, make, data):
    content = bytearray(make())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)) | st.just(len(content)))
    comes_to_a_report(upload, bytes(content[:cut]), "outputs")


def test_bytes_inside_a_workbook_may_be_anything(upload):
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook())) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, b"<worksheet><row" if "sheet1" in name else content)
    comes_to_a_report(upload, stream.getvalue(), "outputs")
