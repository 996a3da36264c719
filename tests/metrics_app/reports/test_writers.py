"""Writers: the same numbers in every format, and files that other programs can open."""

import datetime as dt
import json
import re
from collections import Counter

import numpy as np
import openpyxl
import pytest

from metrics_app.loaders.columns import Rated, Scored, judgements_of, scores_of
from metrics_app.loaders.evaluation import Evaluation, Sides
from metrics_app.reports.building import ReportOptions, build_report
from metrics_app.reports.charts.drawing import figures
from metrics_app.reports.printed import printed_tables
from metrics_app.reports.tables import tables
from metrics_app.reports.writers.html import write_html
from metrics_app.reports.writers.latex import escape, latex_table, write_latex
from metrics_app.reports.writers.pdf import write_pdf
from metrics_app.reports.writers.workbook import write_workbook
from metrics_app.stats.scales import Scale

NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)


def _evaluation():
    """Three systems with awkward names, two experts and two of the crowd, ten items."""
    rng = np.random.default_rng(5)
    quality = {"A&B_1": 4, "=sum(x)": 3, "[50%]": 2}
    rows = [
        Rated(
            "over_all", group, f"{group}{judge}", f"i{item}", system, "", "",
            float(np.clip(level + rng.integers(-1, 2), 1, 5)),
        )
        for system, level in quality.items()
        for item in range(10)
        for group in ("expert", "crowd")
        for judge in range(2)
    ]  # fmt: skip
    judgements = judgements_of(rows)
    scored = [
        Scored("m_1", f"i{item}", system, level + item / 10)
        for system, level in quality.items()
        for item in range(10)
    ]
    return Evaluation(
        "study",
        judgements,
        {"over_all": Scale.points(range(1, 6))},
        scores=scores_of(scored, judgements)[0],
        sides=Sides("expert", "crowd"),
    )


@pytest.fixture(scope="module")
def report():
    return build_report(_evaluation(), ReportOptions(seed=1, n_resamples=30), generated_at=NOON)


def test_workbook_holds_every_number_of_every_list(report, tmp_path):
    write_workbook(report, tmp_path)

    book = openpyxl.load_workbook(tmp_path / "report.xlsx", read_only=True)
    for table in tables(report):
        header, *rows = book[table.name[:31]].iter_rows(values_only=True)
        assert list(header) == list(table.header)
        assert len(rows) == len(table.rows)
        for found, wanted in zip(rows, table.rows, strict=True):
            # The format holds 16 digits, one less than some doubles need.
            assert [_near(cell) for cell in found if cell not in (None, "")] == [
                cell for cell in wanted if cell not in (None, "")
            ]


def _near(cell):
    return pytest.approx(cell, rel=1e-15) if isinstance(cell, float) else cell


def test_workbook_takes_no_text_for_a_formula(report, tmp_path):
    write_workbook(report, tmp_path)

    sheet = openpyxl.load_workbook(tmp_path / "report.xlsx")["means"]
    cell = next(c for row in sheet.iter_rows() for c in row if c.value == "=sum(x)")
    assert cell.data_type == "s"


def test_latex_is_balanced_and_every_row_has_its_columns(report, tmp_path):
    write_latex(report, tmp_path)

    names = {path.stem for path in (tmp_path / "latex").glob("*.tex")} - {"report"}
    whole = (tmp_path / "latex" / "report.tex").read_text()
    assert set(re.findall(r"\\input\{([^}]*)\}", whole)) == names
    for name in names:
        text = (tmp_path / "latex" / f"{name}.tex").read_text()
        bare = re.sub(r"\\[{}&%$#_]", "", text)
        assert bare.count("{") == bare.count("}")
        columns = re.search(r"\\begin\{longtable\}\{([lr]+)\}", text)[1]
        body = text.split(r"\endfoot")[1].split(r"\end{longtable}")[0]
        for line in body.splitlines():
            if line.endswith(r"\\") and not line.startswith(r"\multicolumn"):
                assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1, line


def test_latex_holds_every_printed_number(report):
    for table in printed_tables(report.as_json()):
        text = latex_table(table)
        for row in table.rows:
            assert all(escape(cell) in text for cell in row)


def test_latex_sees_no_command_and_no_option_in_a_name(report):
    ranking = next(t for t in printed_tables(report.as_json()) if t.name.startswith("means"))

    text = latex_table(ranking)

    assert r"A\&B\_1 &" in text
    assert r"{}[50\%] &" in text


def test_html_needs_nothing_beside_it_and_holds_every_ranking(report, tmp_path):
    write_html(report, tmp_path)

    text = (tmp_path / "report.html").read_text()
    assert not re.search(r'(src|href)="(?!#)', text)
    assert "<script" not in text
    for label in ("Over all, Expert", "Over all, Crowd", "Over all, All judges"):
        assert f"<h3>{label}</h3>" in text
    assert "A&amp;B_1" in text


def test_pdf_is_tagged_and_claims_to_be_accessible(report, tmp_path):
    write_pdf(report, tmp_path)

    content = (tmp_path / "report.pdf").read_bytes()
    assert content.startswith(b"%PDF-1.7")
    titled = b'<dc:title><rdf:Alt><rdf:li xml:lang="x-default">study<'
    for said in (b"/StructTreeRoot", b"/Marked true", b"/Lang(en)", b"/DisplayDocTitle true",
                 b"pdfuaid:part>1<", titled):  # fmt: skip
        assert said in content, said
    tags = Counter(re.findall(rb"/S/([A-Za-z0-9]+)", content))
    n_tables, n_figures = len(printed_tables(report.as_json())), len(figures(report))
    assert tags[b"Table"] == tags[b"THead"] == n_tables > 5
    assert tags[b"Caption"] == n_tables + n_figures
    assert tags[b"Figure"] == len(re.findall(rb"/Alt ?[(<]", content)) == n_figures == 5
    assert tags[b"H1"] >= 3
    assert b"/Subtype/Image" not in content  # the charts stay vector


def test_report_without_any_rating_is_written_in_every_format(tmp_path):
    empty = Evaluation("nothing", judgements_of([]), {})
    report = build_report(empty, ReportOptions(seed=1), generated_at=NOON)

    for write in (write_workbook, write_latex, write_html, write_pdf):
        write(report, tmp_path)

    assert json.dumps(report.as_json(), allow_nan=False)
    assert "There is no valid rating yet" in (tmp_path / "report.html").read_text()
