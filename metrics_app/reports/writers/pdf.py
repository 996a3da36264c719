"""The report as a tagged PDF that screen readers can read, set by Typst."""

import json
import re
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path

import typst

from metrics_app.reports.charts.drawing import figures
from metrics_app.reports.contract import Report
from metrics_app.reports.page.page import report_page
from metrics_app.reports.printed import printed_tables
from metrics_app.reports.writers.vector import draw

# Room for a picture on a page, width and height.
PAGE_CM = (17.0, 21.0)
# A pixel of a drawing is a point.
_CM_PER_PIXEL = 2.54 / 72
_SIZE = re.compile(r'<svg[^>]*?width="([\d.]+)"[^>]*?height="([\d.]+)"')
_TEMPLATE = Path(__file__).with_name("report.typ")


def write_pdf(report: Report, folder: Path) -> None:
    """Write ``report.pdf``."""
    with tempfile.TemporaryDirectory() as name:
        room = Path(name)
        shutil.copy(_TEMPLATE, room / "report.typ")
        drawn: list[dict[str, str | float]] = []
        for figure in figures(report):
            path, drawing = f"{figure.name}.svg", draw(figure)
            (room / path).write_text(drawing, encoding="utf-8")
            drawn.append(
                {
                    "path": path,
                    "title": figure.title,
                    "alt": figure.alt_text,
                    "width": _width_cm(drawing),
                }
            )
        (folder / "report.pdf").write_bytes(_compiled(room, _data(report, drawn)))


def _compiled(room: Path, data: dict[str, object]) -> bytes:
    """Return the PDF; it claims the standard for accessible PDF unless a letter has no font."""
    try:
        _write_data(room, data)
        return bytes(typst.compile(str(room / "report.typ"), root=str(room), pdf_standards="ua-1"))
    except typst.TypstError as error:
        if "could not be displayed" not in str(error):
            raise
    # A name in a script that this machine has no font for must not cost the report.
    _write_data(room, {**data, "has_every_font": False})
    return bytes(typst.compile(str(room / "report.typ"), root=str(room)))


def _write_data(room: Path, data: dict[str, object]) -> None:
    text = json.dumps(data, ensure_ascii=False)
    (room / "data.json").write_text(text, encoding="utf-8")


def _width_cm(drawing: str) -> float:
    """Return how wide a drawing may be so that it fits a page, and never larger than life."""
    found = _SIZE.search(drawing)
    if found is None:
        return PAGE_CM[0]
    width, height = float(found[1]), float(found[2])
    return min(PAGE_CM[0], PAGE_CM[1] * width / height, width * _CM_PER_PIXEL)


def _data(report: Report, drawn: list[dict[str, str | float]]) -> dict[str, object]:
    plain = report.as_json()
    page = report_page(plain)
    return {
        "title": report.overview["title"],
        "lede": page.words.lede,
        "certainty": page.words.certainty,
        "notes": list(page.notes),
        "has_every_font": True,
        "methods": page.methods_text,
        "provenance": (
            f"{report.generated_at[:10]} · data {report.data_hash[:12]} · "
            f"version {report.code_version} · seed {report.seed}"
        ),
        "figures": drawn,
        "tables": [asdict(table) for table in printed_tables(plain)],
    }
