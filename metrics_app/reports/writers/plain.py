"""JSON and CSV: every digit, for machines."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path

from metrics_app.loaders.tidy import TIDY_COLUMNS
from metrics_app.reports.contract import Report
from metrics_app.reports.presets import Preset, preset_tables
from metrics_app.reports.tables import tables


def write_json(report: Report, folder: Path) -> None:
    """Write ``report.json``."""
    text = json.dumps(report.as_json(), ensure_ascii=False, allow_nan=False, indent=1)
    (folder / "report.json").write_text(text + "\n", encoding="utf-8")


def write_tables(report: Report, folder: Path) -> None:
    """Write ``tables/NAME.csv`` for each list of the report."""
    target = folder / "tables"
    target.mkdir()
    for table in tables(report):
        write_csv(target / f"{table.name}.csv", table.header, table.rows)


def write_preset(report: Report, preset: Preset, folder: Path) -> list[Path]:
    """Write ``preset/NAME.csv`` for each table that a published study prints."""
    target = folder / "preset"
    target.mkdir(parents=True, exist_ok=True)
    paths = []
    for table in preset_tables(report, preset):
        paths.append(target / f"{table.name}.csv")
        write_csv(paths[-1], table.header, table.rows)
    return paths


def write_ratings(rows: Iterable[tuple[str, ...]], folder: Path) -> None:
    """Write ``ratings.csv``, the tidy table of ratings."""
    write_csv(folder / "ratings.csv", TIDY_COLUMNS, rows)


def write_csv(path: Path, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Write one table; numbers keep every digit, what is missing is empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
