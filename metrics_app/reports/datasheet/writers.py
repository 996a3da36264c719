"""The datasheet as JSON, LaTeX and one readable HTML file."""

import json
from collections.abc import Callable
from html import escape as html
from pathlib import Path

from metrics_app.reports.datasheet.sheet import Datasheet, Entry, SheetPart
from metrics_app.reports.writers.latex_text import declarations
from metrics_app.reports.writers.latex_text import escape as latex

OPEN = "(open)"


def datasheet_json(sheet: Datasheet) -> str:
    """Return the sheet as JSON."""
    return json.dumps(sheet.as_json(), ensure_ascii=False, indent=1) + "\n"


def datasheet_latex(sheet: Datasheet) -> str:
    """Return the sheet as a LaTeX document that needs no other file."""
    title = rf"\section*{{Human Evaluation Datasheet 3.0: {latex(sheet.title)}}}"
    body = [line for part in sheet.parts for line in _latex_part(part)]
    lines = [
        r"\documentclass[a4paper,10pt]{article}",
        r"\usepackage[T1]{fontenc}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage[margin=2.5cm]{geometry}",
        *declarations(title, *body),
        r"\begin{document}",
        title,
        *body,
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"


def _latex_part(part: SheetPart) -> list[str]:
    return [
        rf"\subsection*{{{part.number} {latex(part.title)}}}",
        r"\begin{description}",
        *[_latex_entry(entry) for entry in part.entries],
        r"\end{description}",
    ]


def _latex_entry(entry: Entry) -> str:
    answer = r"\emph{open}" if entry.is_open else latex(entry.answer)
    return rf"\item[{entry.number}] \textbf{{{latex(entry.question)}}} {answer}"


def datasheet_html(sheet: Datasheet) -> str:
    """Return the sheet as one HTML file that needs nothing beside it."""
    title = f"Human Evaluation Datasheet 3.0: {sheet.title}"
    body = "\n".join(_html_part(part) for part in sheet.parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{html(title)}</title></head>\n"
        f"<body>\n<h1>{html(title)}</h1>\n{body}\n</body>\n</html>\n"
    )


def _html_part(part: SheetPart) -> str:
    rows = "\n".join(
        f"<dt>{entry.number} {html(entry.question)}</dt><dd>{html(entry.answer) or OPEN}</dd>"
        for entry in part.entries
    )
    return f"<h2>{part.number} {html(part.title)}</h2>\n<dl>\n{rows}\n</dl>"


WRITERS: dict[str, Callable[[Datasheet], str]] = {
    "json": datasheet_json,
    "tex": datasheet_latex,
    "html": datasheet_html,
}


def write_datasheet(sheet: Datasheet, folder: Path) -> list[Path]:
    """Write ``heds.json``, ``heds.tex`` and ``heds.html`` into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for suffix, write in WRITERS.items():
        path = folder / f"heds.{suffix}"
        path.write_text(write(sheet), encoding="utf-8")
        paths.append(path)
    return paths
