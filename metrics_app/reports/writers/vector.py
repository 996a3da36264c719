"""Charts as SVG, PDF and PNG, with their specification and their data beside them."""

import re
from functools import lru_cache
from html import escape
from pathlib import Path

import vl_convert

from metrics_app.reports.charts.drawing import figures
from metrics_app.reports.charts.figure import Figure
from metrics_app.reports.charts.style import WIDTHS
from metrics_app.reports.contract import Report
from metrics_app.reports.writers.plain import write_csv

# Pixels of a PNG for each point in print: 144 an inch.
_PIXELS_PER_POINT = 2
_BEYOND_BASIC = re.compile(r"[\U00010000-\U0010FFFF]")


def write_charts(report: Report, folder: Path) -> None:
    """Write each chart into ``charts/``: drawn for two columns and for one, and its rows."""
    target = folder / "charts"
    target.mkdir()
    for width in WIDTHS:
        for figure in figures(report, width):
            write_drawings(figure, target / f"{figure.name}{width.suffix}")
    for figure in figures(report):
        header = list(dict.fromkeys(key for row in figure.rows for key in row))
        rows = [[row.get(key) for key in header] for row in figure.rows]
        write_csv(target / f"{figure.name}.csv", header, rows)


def write_drawings(figure: Figure, stem: Path) -> None:
    """Write one chart as ``STEM.svg``, ``.pdf``, ``.png`` and ``.vl.json``."""
    drawing = draw(figure)
    stem.with_suffix(".svg").write_text(drawing, encoding="utf-8")
    stem.with_suffix(".pdf").write_bytes(bytes(vl_convert.svg_to_pdf(drawing)))
    png = vl_convert.svg_to_png(drawing, scale=_PIXELS_PER_POINT)
    stem.with_suffix(".png").write_bytes(bytes(png))
    stem.with_suffix(".vl.json").write_text(figure.specification() + "\n", encoding="utf-8")


def draw(figure: Figure) -> str:
    """Return the chart as SVG that says what it shows to who cannot see it."""
    drawing = _svg(figure.specification())
    head, rest = drawing.split(">", 1)
    return f'{head} role="img"><title>{escape(figure.alt_text)}</title>{rest}'


# The charts of one report: its PDF takes the same drawings as its folder.
@lru_cache(maxsize=10)
def _svg(specification: str) -> str:
    try:
        return str(vl_convert.vegalite_to_svg(specification))
    except ValueError:
        # Where a long label is cut inside a letter beyond the basic plane (an emoji) nothing is
        # drawn at all; whether it is cut there depends on the fonts of the machine.
        plain = _BEYOND_BASIC.sub("\N{REPLACEMENT CHARACTER}", specification)
        if plain == specification:
            raise
        return str(vl_convert.vegalite_to_svg(plain))
