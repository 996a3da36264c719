"""Charts as SVG and PDF, with their specification and their data beside them."""

from pathlib import Path

import vl_convert

from metrics_app.reports.charts.drawing import figures
from metrics_app.reports.charts.figure import Figure
from metrics_app.reports.contract import Report
from metrics_app.reports.writers.plain import write_csv


def write_charts(report: Report, folder: Path) -> None:
    """Write ``charts/NAME.svg``, ``.pdf``, ``.vl.json`` and ``.csv`` for each chart."""
    target = folder / "charts"
    target.mkdir()
    for figure in figures(report):
        write_figure(figure, target)


def write_figure(figure: Figure, folder: Path) -> None:
    """Write one chart in every format."""
    specification = figure.chart.to_json()
    for suffix in ("svg", "pdf"):
        (folder / f"{figure.name}.{suffix}").write_bytes(draw(specification, suffix))
    (folder / f"{figure.name}.vl.json").write_text(specification + "\n", encoding="utf-8")
    header = list(dict.fromkeys(key for row in figure.rows for key in row))
    rows = [[row.get(key) for key in header] for row in figure.rows]
    write_csv(folder / f"{figure.name}.csv", header, rows)


def draw(specification: str, suffix: str) -> bytes:
    """Return a Vega-Lite specification drawn as ``svg``, ``pdf`` or ``png``."""
    if suffix == "svg":
        return str(vl_convert.vegalite_to_svg(specification)).encode()
    if suffix == "png":
        return bytes(vl_convert.vegalite_to_png(specification, scale=2))
    return bytes(vl_convert.vegalite_to_pdf(specification))
