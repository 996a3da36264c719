"""The formats of an export by name: what each file is called, and how it is written."""

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from annotation.exporting.columnar import write_parquet
from annotation.exporting.comparisons import (
    Comparison,
    comparisons_csv,
    comparisons_jsonl,
    ranks_csv,
)
from annotation.exporting.delimited import tidy_csv, wide_csv
from annotation.exporting.json_lines import (
    items_jsonl,
    label_studio_json,
    outputs_jsonl,
    tidy_jsonl,
    write_data_set,
)
from annotation.exporting.mt_metrics_eval import TreePlan, write_tree
from annotation.exporting.mturk import mturk_csv
from annotation.exporting.records import CodebookEntry, ItemBundle, JudgeRecord, TidyRating
from annotation.exporting.tree_scores import MetricScores
from annotation.exporting.workbook import write_workbook

# A zip entry cannot be older, and a file that bears no moment is the same each time.
EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Material:
    """What every format of a study is written from; each callable reads anew.

    ``by_judge`` yields the ratings of one judge and output one after the other; ``measured``
    are the dimensions that are answered with numbers that have an order; ``human`` are the systems
    whose outputs people wrote, ``people`` the groups of judges who are no language models.
    """

    name: str
    systems: Sequence[str]
    dimensions: Sequence[str]
    measured: Sequence[str]
    pair: str
    n_references: int
    human: Sequence[str]
    people: Sequence[str]
    ratings: Callable[[], Iterator[TidyRating]]
    by_judge: Callable[[], Iterator[TidyRating]]
    items: Callable[[], Iterator[ItemBundle]]
    judges: Callable[[], Iterator[JudgeRecord]]
    codebook: Callable[[], Iterator[CodebookEntry]]
    comparisons: Callable[[], Iterator[Comparison]] = lambda: iter(())
    scores: Callable[[], Sequence[MetricScores]] = lambda: ()


Write = Callable[[Material, Path], None]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One format: its name, what its file is called after the study, and what it is good for."""

    name: str
    suffix: str
    label: str
    purpose: str
    write: Write


def _text(lines: Callable[[Material], Iterable[str]]) -> Write:
    def write(material: Material, path: Path) -> None:
        with path.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(lines(material))

    return write


def zip_folder(folder: Path, path: Path) -> None:
    """Pack a folder so that the same files give the same bytes."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with file.open("rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                while block := source.read(1 << 20):
                    target.write(block)


def _zipped(write_folder: Write) -> Write:
    def write(material: Material, path: Path) -> None:
        with TemporaryDirectory(dir=path.parent) as name:
            write_folder(material, Path(name))
            zip_folder(Path(name), path)

    return write


def _mturk(material: Material) -> Iterator[str]:
    texts = {
        (bundle.item.item_id, system): text
        for bundle in material.items()
        for system, text in bundle.outputs.items()
    }
    return mturk_csv(material.by_judge(), material.dimensions, texts)


def _workbook(material: Material, path: Path) -> None:
    write_workbook(
        path,
        ratings=material.ratings(),
        items=material.items(),
        judges=material.judges(),
        codebook=material.codebook(),
        comparisons=material.comparisons(),
    )


def _data_set(material: Material, folder: Path) -> None:
    write_data_set(
        folder, name=material.name, bundles=material.items(), codebook=material.codebook()
    )


def _tree(material: Material, folder: Path) -> None:
    plan = TreePlan(
        material.pair,
        material.systems,
        material.measured,
        material.n_references,
        material.human,
        material.people,
    )
    write_tree(folder / material.name, plan, material.items(), material.scores())


_ALL = (
    ExportFormat("csv", "ratings.csv", "Tidy CSV", "One row a rating, byte for byte.",
        _text(lambda m: tidy_csv(m.ratings()))),
    ExportFormat("excel", "ratings-excel.csv", "CSV for Excel",
        "The same with a byte order mark; formula-like cells are made harmless.",
        _text(lambda m: tidy_csv(m.ratings(), for_excel=True))),
    ExportFormat("wide", "ratings-wide.csv", "Wide CSV",
        "One row a judge and output, one column a dimension.",
        _text(lambda m: wide_csv(m.by_judge(), m.dimensions))),
    ExportFormat("jsonl", "ratings.jsonl", "JSON lines, ratings", "One line a rating.",
        _text(lambda m: tidy_jsonl(m.ratings()))),
    ExportFormat("outputs", "outputs.jsonl", "JSON lines, outputs",
        "One line an output with its item; an empty study can be given it.",
        _text(lambda m: outputs_jsonl(m.items()))),
    ExportFormat("items", "items.jsonl", "JSON lines, items",
        "One line an item with its outputs and ratings nested.",
        _text(lambda m: items_jsonl(m.items()))),
    ExportFormat("hugging-face", "hugging-face.zip", "Hugging Face data set",
        "A folder with its card, for load_dataset; ratings, no comparisons.", _zipped(_data_set)),
    ExportFormat("xlsx", "ratings.xlsx", "XLSX workbook",
        "Ratings, items, judges, codebook and comparisons, a sheet each.", _workbook),
    ExportFormat("parquet", "ratings.parquet", "Parquet", "The tidy table with types.",
        lambda m, path: write_parquet(path, m.ratings())),
    ExportFormat("mturk", "mturk.csv", "MTurk results CSV",
        "As MTurk and Turkle write a batch.", _text(_mturk)),
    ExportFormat("mt-metrics-eval", "mt-metrics-eval.zip", "mt-metrics-eval tree",
        "For that toolkit: texts, mean human scores, metrics without gaps.", _zipped(_tree)),
    ExportFormat("label-studio", "label-studio.json", "Label Studio JSON",
        "One task an output, one annotation a judge.",
        _text(lambda m: label_studio_json(m.items()))),
    ExportFormat("comparisons", "comparisons.csv", "Comparisons, CSV",
        "Of pairs and sets: one row a choice, with the systems as they were shown.",
        _text(lambda m: comparisons_csv(m.comparisons()))),
    ExportFormat("comparison-ranks", "comparison-ranks.csv", "Comparisons, tidy CSV",
        "Of pairs and sets: one row an output compared, with its rank.",
        _text(lambda m: ranks_csv(m.comparisons()))),
    ExportFormat("comparisons-jsonl", "comparisons.jsonl", "Comparisons, JSON lines",
        "Of pairs and sets: one line a choice, the outputs compared nested.",
        _text(lambda m: comparisons_jsonl(m.comparisons()))),
)  # fmt: skip
FORMATS: dict[str, ExportFormat] = {entry.name: entry for entry in _ALL}
