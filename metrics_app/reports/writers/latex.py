"""LaTeX: one file a table (booktabs, longtable), and a document that holds them all."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from metrics_app.reports.contract import Report
from metrics_app.reports.page.methods import methods_pieces, methods_text
from metrics_app.reports.page.reading import Reading
from metrics_app.reports.printed import printed_tables
from metrics_app.reports.printed_table import PrintedTable
from metrics_app.reports.writers.latex_text import declarations, escape

PREAMBLE = r"""\documentclass[a4paper,10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{booktabs,longtable,pdflscape}
\usepackage[margin=2cm]{geometry}
"""
# Letters that a line of an upright page holds, and those that part two columns.
_LETTERS, _BETWEEN = 105, 3
_LONGEST_NAME = 80


def write_latex(report: Report, folder: Path) -> None:
    """Write ``latex/NAME.tex`` for each table, and ``latex/report.tex`` with all of them."""
    plain = report.as_json()
    tables = printed_tables(plain)
    target = folder / "latex"
    target.mkdir()
    inputs = {f"{file_name(table)}.tex": latex_table(table) for table in tables}
    for name, text in inputs.items():
        (target / name).write_text(text, encoding="utf-8")
    title = escape(report.overview["title"])
    methods = escape(methods_text(methods_pieces(Reading(plain))))
    lines = [
        PREAMBLE,
        *declarations(title, methods, *inputs.values()),
        rf"\title{{{title}}}",
        rf"\date{{{escape(report.generated_at[:10])}}}",
        "\\begin{document}\n\\maketitle\n",
        methods,
        "",
        *_inputs(tables),
        "\\end{document}\n",
    ]
    (target / "report.tex").write_text("\n".join(lines), encoding="utf-8")


def file_name(table: PrintedTable) -> str:
    """Return the table's name as a file name that LaTeX reads without quotes, and no other's."""
    plain = "".join(c for c in table.name if c.isascii() and (c.isalnum() or c in "-_"))
    if plain == table.name and len(plain) <= _LONGEST_NAME:
        return plain
    digest = hashlib.sha256(table.name.encode()).hexdigest()[:8]
    return f"{plain[:_LONGEST_NAME]}-{digest}"


def _inputs(tables: list[PrintedTable]) -> Iterator[str]:
    for table in tables:
        line = rf"\input{{{file_name(table)}}}"
        is_wide = _n_letters(table) > _LETTERS
        yield f"\\begin{{landscape}}\n{line}\n\\end{{landscape}}" if is_wide else line


def _n_letters(table: PrintedTable) -> int:
    """Return how wide a table is, in letters; a wide one lies on its side."""
    columns = zip(table.header, *table.rows, strict=True)
    return sum(max(map(len, column)) + _BETWEEN for column in columns)


def latex_table(table: PrintedTable) -> str:
    """Return a table as a ``longtable``, which breaks over pages, with its caption and label."""
    n_columns = len(table.header)
    columns = "l" * table.n_text + "r" * (n_columns - table.n_text)
    header = " & ".join(map(escape, table.header)) + r" \\"
    body = []
    for place, row in enumerate(table.rows):
        if place in table.rules:
            body.append(r"\midrule")
        # After a line break LaTeX would take a bracket or a star as an option.
        guard = "{}" if row[0].startswith(("[", "*")) else ""
        body.append(guard + " & ".join(map(escape, row)) + r" \\")
    notes = [
        rf"\multicolumn{{{n_columns}}}{{p{{0.9\linewidth}}}}{{\footnotesize {escape(note)}}} \\"
        for note in table.notes
    ]
    return "\n".join(
        [
            r"{\small",
            rf"\begin{{longtable}}{{{columns}}}",
            rf"\caption{{{escape(table.caption)}}}\label{{tab:{file_name(table)}}} \\",
            rf"\toprule {header} \midrule",
            r"\endfirsthead",
            rf"\toprule {header} \midrule",
            r"\endhead",
            r"\bottomrule",
            r"\endfoot",
            *body,
            *([r"\midrule", *notes] if notes else []),
            r"\end{longtable}}",
            "",
        ]
    )
