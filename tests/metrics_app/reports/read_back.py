"""Reports read back out of a spreadsheet and out of LaTeX."""

import re

import openpyxl

from metrics_app.reports.page.reading import Reading
from metrics_app.reports.printed import coefficient_name

LISTS = ("means", "agreement", "comparison", "correlation", "dimension_correlation",
         "group_correlation")  # fmt: skip
# What stands in one cell, its parts divided.
SEVERAL = ("groups", "dimensions", "group_means", "df")
STATISTICS = {
    "pearson": "Pearson’s r", "spearman": "Spearman’s rho", "kendall_tau_b": "Kendall’s tau-b",
}  # fmt: skip
TEX = {r"\&": "&", r"\_": "_", r"\%": "%", "$-$": "-", r"$\kappa$": "κ", r"\#": "#"}


def workbook_rows(path):
    """Return the lists of a workbook as ``report.json`` holds them."""
    book = openpyxl.load_workbook(path, read_only=True)
    return {name: list(_rows(book[name])) if name in book.sheetnames else [] for name in LISTS}


def _rows(sheet):
    header, *lines = sheet.iter_rows(values_only=True)
    for line in lines:
        row = {"options": {}, "effects": {}}
        for name, cell in zip(header, line, strict=True):
            outer, _, inner = name.partition(".")
            if inner and cell is not None:
                row.setdefault(outer, {})[inner] = cell
            elif not inner:
                row[name] = _parts(cell) if name in SEVERAL else "" if cell is None else cell
        yield row


def _parts(cell):
    parts = str(cell).split("; ") if cell is not None else []
    return [float(part) if re.fullmatch(r"-?[\d.]+(e-?\d+)?", part) else part for part in parts]


class LatexTables:
    """The cells of the tables of a report in LaTeX, by table, line and column."""

    def __init__(self, folder, report):
        self._cells = {}
        self._reading = Reading(report)
        for path in folder.glob("*.tex"):
            if path.stem != "report":
                self._read(path)

    def _read(self, path):
        text = path.read_text()
        columns = re.search(r"\\begin\{longtable\}\{(l+)(r+)\}", text)
        header = _split(text.split(r"\toprule ")[1].split(r" \\ \midrule")[0])
        for line in text.split(r"\endfoot")[1].splitlines():
            if line.endswith(r" \\") and not line.startswith(r"\multicolumn"):
                cells = _split(line.removesuffix(r" \\").removeprefix("{}"))
                place = tuple(cells[: len(columns[1])])
                for name, cell in zip(header, cells, strict=True):
                    self._cells[path.stem, place, name] = cell

    def number(self, check, row):
        """Return the printed number of a check whose row of the report is known, and its digits."""
        cell = self._cells[self._place(check, row)].split(" ")[0].replace(",", "")
        return float(cell), len(cell.partition(".")[2])

    def _place(self, check, row):
        label = self._reading.label
        dimension = label(row["dimension"]) if "dimension" in row else ""
        if "mean" in row:
            name = "majority" if check["statistic"] == "mean_score_majority" else "means"
            return f"{name}-{row['group']}", (row["system"],), dimension
        if "scope" in row:
            name = coefficient_name(row)
            if row["scope"] == "pooled":
                return f"agreement-{row['group']}", (name,), dimension
            return "agreement-cells", (label(row["group"]), name, "count 1"), dimension
        if "metric" in row:
            statistic = row["statistic"].replace("_", "-")
            return f"correlation-{row['level']}-{statistic}", (row["metric"],), dimension
        return self._place_between(row, dimension)

    def _place_between(self, row, dimension):
        label = self._reading.label
        if "factor" in row:
            judges = label(row["group"]) if row["group"] else ""
            unit, test = row["unit"].replace("_", " "), row["statistic"].replace("_", " ")
            return "tests", (dimension, row["factor"], judges, unit, test), "Value"
        statistic = STATISTICS[row["statistic"]]
        if "groups" in row:
            groups = ", ".join(map(label, row["groups"]))
            return "groups-correlation", (dimension, groups, row["level"]), statistic
        pair = ", ".join(map(label, row["dimensions"]))
        return "dimensions-correlation", (pair, label(row["group"]), row["level"]), statistic


def _split(line):
    cells = re.split(r" (?<!\\)& ", line)
    for command, sign in TEX.items():
        cells = [cell.replace(command, sign) for cell in cells]
    return cells
