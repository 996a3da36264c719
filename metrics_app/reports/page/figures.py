"""The charts of a report on its page: their words, and the files that hold them."""

import csv
import io
from collections.abc import Collection
from dataclasses import dataclass

from metrics_app.reports.charts.words import FIGURES

# What the names of a chart's files end with, and for which width of a paper they are.
_WIDTHS = (("", "two columns"), ("-column", "one column"))
_FORMATS = ("svg", "pdf", "png", "vl.json")


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A chart: what it shows, and the paths of its files.

    ``downloads`` are label and path; ``drawings`` and ``specifications`` are for two columns and
    for one.
    """

    name: str
    title: str
    alt_text: str
    drawings: tuple[str, str]
    specifications: tuple[str, str]
    downloads: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """The rows behind a chart; each column and cell with whether it is a number."""

    columns: tuple[tuple[str, bool], ...]
    rows: tuple[tuple[tuple[str, bool], ...], ...]


def shown_figures(paths: Collection[str]) -> list[ShownFigure]:
    """Return the charts among the files of a report, in their order."""
    return [_shown(name, paths) for name in FIGURES if _path(name, "-column", "svg") in paths]


def _shown(name: str, paths: Collection[str]) -> ShownFigure:
    words = FIGURES[name]
    found = [
        (f"{suffix.removeprefix('vl.').upper()}, {width}", _path(name, ending, suffix))
        for ending, width in _WIDTHS
        for suffix in _FORMATS
    ]
    wide, narrow = (ending for ending, _ in _WIDTHS)
    return ShownFigure(
        name=name,
        title=words.title,
        alt_text=words.alt_text,
        drawings=(_path(name, wide, "svg"), _path(name, narrow, "svg")),
        specifications=(_path(name, wide, "vl.json"), _path(name, narrow, "vl.json")),
        downloads=(*(one for one in found if one[1] in paths), ("CSV", f"charts/{name}.csv")),
    )


def _path(name: str, ending: str, suffix: str) -> str:
    return f"charts/{name}{ending}.{suffix}"


def figure_table(text: str) -> FigureTable:
    """Return the CSV behind a chart for reading: numbers with at most four decimals."""
    header, *lines = csv.reader(io.StringIO(text, newline=""))
    rows = tuple(tuple(_cell(cell) for cell in line) for line in lines)
    numbers = [
        all(is_number or not cell for cell, is_number in column)
        for column in zip(*rows, strict=True)
    ]
    return FigureTable(tuple(zip(header, numbers, strict=True)), rows)


def _cell(text: str) -> tuple[str, bool]:
    try:
        return f"{round(float(text), 4):g}", True
    except ValueError:
        return text, False
