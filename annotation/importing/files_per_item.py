"""Folders with a file for each item: a folder a system, others of sources and references."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from annotation.importing.decoding import open_text, survey_text
from annotation.importing.file_names import REFERENCES, SOURCES
from annotation.importing.findings import Finding, finding
from annotation.importing.reading import RawRow, Reading, ReadOptions

NAME = "text files, one an item"
HEADER = ("item_id", "system", "output", "source", "reference")
Folders = dict[Path, dict[str, Path]]  # by folder, the files by the names of their items


def is_file_per_item(files: list[Path]) -> bool:
    """Whether folders hold files of the same names, or one folder files that are numbered."""
    groups = [set(its) for its in _by_folder(files).values()]
    if len(groups) == 1:
        return len(files) > 1 and all(file.stem.isdecimal() for file in files)
    return any(len(one & other) for one, other in pairwise(groups))


def reading_of_items(folder: Path, files: list[Path], options: ReadOptions) -> Reading:
    """Return the reading of files that hold one text each; a single folder names no system."""
    folders = _by_folder(files)
    is_alone = len(folders) == 1
    sources = {} if is_alone else _of(folders, SOURCES)
    references = {} if is_alone else _of(folders, REFERENCES)
    systems = {
        path: its
        for path, its in folders.items()
        if is_alone or path.name.lower() not in SOURCES | REFERENCES
    }
    return Reading(
        folder,
        NAME,
        ("item_id", "file" if is_alone else "system", *HEADER[2:]),
        lambda: _rows(systems, sources, references, options),
        shape="file_per_output",
        findings=tuple(_lacking(systems)),
    )


def _by_folder(files: list[Path]) -> Folders:
    folders: Folders = {}
    for file in files:
        folders.setdefault(file.parent, {})[file.stem] = file
    return folders


def _of(folders: Folders, names: frozenset[str]) -> dict[str, Path]:
    """Return the files of the folder that has one of the names, by their items."""
    found = [its for path, its in folders.items() if path.name.lower() in names]
    return found[0] if found else {}


def _lacking(systems: Folders) -> Iterator[Finding]:
    """Say which systems have no file for an item that others have."""
    items = {item for its in systems.values() for item in its}
    for folder, its in systems.items():
        if lacks := sorted(items - its.keys()):
            reason = f"{folder.name} has no file for {len(lacks):,} of {len(items):,} items."
            yield finding("unequal_files", reason, value=", ".join(lacks[:5]))


def _rows(
    systems: Folders, sources: dict[str, Path], references: dict[str, Path], options: ReadOptions
) -> Iterator[RawRow | Finding]:
    for folder, its in systems.items():
        for item, file in its.items():
            cells: list[object] = [item, folder.name]
            for held in (file, sources.get(item), references.get(item)):
                text, found = _text(held, options) if held else ("", [])
                yield from found if held is file else ()
                cells.append(text)
            yield RawRow(1, cells, file.name)


def _text(file: Path, options: ReadOptions) -> tuple[str, list[Finding]]:
    if not file.stat().st_size:
        return "", []
    survey = survey_text(file, options)
    found = [replace(one, place=file.name) for one in survey.findings]
    with open_text(file, survey, options.limits) as text:
        read = text.read(options.limits.line)
    return read.removesuffix("\n").removesuffix("\r"), found
