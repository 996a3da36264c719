"""A whole report as a folder of files."""

import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from metrics_app.reports.contract import Report
from metrics_app.reports.writers.plain import write_json, write_ratings, write_tables
from metrics_app.reports.writers.vector import write_charts


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
        write_tables(report, draft)
        write_ratings(ratings, draft)
        write_charts(report, draft)
        files = sorted(path.relative_to(draft) for path in draft.rglob("*") if path.is_file())
        shutil.copytree(draft, folder, dirs_exist_ok=True)
    return files
