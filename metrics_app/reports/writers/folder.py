"""A whole report as a folder of files."""

import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from metrics_app.reports.contract import Report
from metrics_app.reports.writers.html import write_html
from metrics_app.reports.writers.latex import write_latex
from metrics_app.reports.writers.pdf import write_pdf
from metrics_app.reports.writers.plain import write_json, write_ratings, write_tables
from metrics_app.reports.writers.vector import write_charts
from metrics_app.reports.writers.workbook import write_workbook

# What is made of the report alone; each writes its own files into the folder.
WRITERS: tuple[Callable[[Report, Path], None], ...] = (
    write_tables,
    write_charts,
    write_latex,
    write_workbook,
    write_html,
    write_pdf,
)


def write_folder(report: Report, ratings: Iterable[tuple[str, ...]], folder: Path) -> list[Path]:
    """Write the report into the folder and return its files, relative to the folder.

    Files of an earlier report are replaced. Everything is written beside the folder first, so
    that a failure leaves the folder as it was.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".report-") as name:
        draft = Path(name) / "report"
        draft.mkdir()
        write_json(report, draft)
        write_ratings(ratings, draft)
        for write in WRITERS:
            write(report, draft)
        files = sorted(path.relative_to(draft) for path in draft.rglob("*") if path.is_file())
        shutil.copytree(draft, folder, dirs_exist_ok=True)
    return files
