"""A report of names in any script and full of commands: every format is written and opens."""

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET

import openpyxl
import pytest

from metrics_app.reports.datasheet.sheet import Datasheet, Entry, SheetPart
from metrics_app.reports.datasheet.writers import datasheet_latex
from metrics_app.reports.printed import printed_tables
from metrics_app.reports.writers.folder import write_folder
from tests.metrics_app.reports.hostile import DIMENSIONS, SYSTEMS, hostile_report


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile") / "report"
    write_folder(hostile_report(), [], folder)
    return folder


def test_numbers_and_names_survive(folder):
    report = json.loads((folder / "report.json").read_text())
    sheet = openpyxl.load_workbook(folder / "report.xlsx", read_only=True)["means"]

    assert {row["system"] for row in report["means"]} == set(SYSTEMS)
    assert len(list(sheet.iter_rows())) == len(report["means"]) + 1


def test_no_table_takes_the_place_of_another(folder):
    tables = printed_tables(json.loads((folder / "report.json").read_text()))

    assert len(list((folder / "latex").glob("*.tex"))) == len(tables) + 1
    assert sum(table.name.startswith("ranking-") for table in tables) == len(DIMENSIONS)


def test_charts_are_drawings_without_the_control_character(folder):
    for path in (folder / "charts").glob("*.svg"):
        assert ET.parse(path).getroot().tag.endswith("svg")  # noqa: S314 -- our own file


def test_the_pdf_is_written_whatever_fonts_there_are(folder):
    content = (folder / "report.pdf").read_bytes()
    assert content.startswith(b"%PDF")
    assert b"/StructTreeRoot" in content


@pytest.mark.services
def test_pdflatex_sets_the_report_and_the_datasheet(folder):
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no pdflatex")
    room = folder / "latex"
    entries = tuple(Entry("4.1", name, "", "typed", f"{name}\n\n{name}") for name in SYSTEMS)
    sheet = Datasheet("s", "^\\_研", "", "", (SheetPart("4", "a & b\\", entries),))
    (room / "heds.tex").write_text(datasheet_latex(sheet), encoding="utf-8")

    for name in ("report", "heds"):
        command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "-no-shell-escape"]
        found = subprocess.run(
            [*command, f"{name}.tex"], check=False, cwd=room, capture_output=True
        )
        assert found.returncode == 0, found.stdout[-2000:].decode("latin-1")
        assert b"Missing character" not in found.stdout
        assert (room / f"{name}.pdf").stat().st_size > 10_000
