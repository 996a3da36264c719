"""Folders and archives: a tree, a data set, several tables, or aligned texts."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from os.path import commonpath
from pathlib import Path

from annotation.importing.aligned import is_aside, read_aligned
from annotation.importing.columnar import columnar_files, read_columnar
from annotation.importing.dialect import fold
from annotation.importing.fields import MEASURES, REPEATED, names_of
from annotation.importing.file_names import SUFFIXES
from annotation.importing.findings import Finding, UnreadableFile, finding
from annotation.importing.mapping import guess_mapping
from annotation.importing.mt_metrics_eval import read_tree, tree_root
from annotation.importing.packed import Unpacked
from annotation.importing.reading import RawRow, Reading, ReadOptions
from annotation.importing.rows import Kind

DATA = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".xlsx")
PACKINGS = ("", ".gz", ".bz2", ".xz")
TABLES = tuple(ending + packed for ending in DATA for packed in PACKINGS)
NAMED_DATA = {*DATA, *SUFFIXES, ".parquet", ".arrow", ".zip"}
ENDINGS = tuple(ending + packed for ending in NAMED_DATA for packed in PACKINGS)
PACKED = (".zip", ".tar", ".tar.gz", ".tgz", ".7z", ".rar")
DESCRIPTIONS = frozenset(("dataset_info.json", "dataset_dict.json", "state.json", "README.md"))
# A file for each system, or for each judge: Potato keeps a folder for each of them.
NAMED_BY_FILE = {"outputs": "system", "ratings": "judge"}
Read = Callable[[Path, Kind, ReadOptions], Reading]


def read_archive(path: Path, kind: Kind, options: ReadOptions, read: Read) -> Reading:
    """Understand a zip archive: unpack it where it does no harm, and read the folder."""
    unpacked = Unpacked(path, options.limits)
    reading = read_folder(unpacked.folder, kind, options, read)

    def rows(held: Unpacked = unpacked) -> Iterator[RawRow | Finding]:
        # The folder lives as long as somebody may iterate: this default holds it.
        if held.folder.exists():
            yield from reading.rows()

    return replace(reading, path=path, format=f"zip of {reading.format}", rows=rows, is_plain=False)


def read_folder(folder: Path, kind: Kind, options: ReadOptions, read: Read) -> Reading:
    """Understand a folder by what it holds."""
    n_files = sum(1 for file in folder.rglob("*") if file.is_file())
    if not n_files:
        raise UnreadableFile("empty_file", "There is no file in it.")
    if n_files > options.limits.members:
        raise UnreadableFile("too_large", f"It holds {n_files:,} files.")
    if tree_root(folder):
        return read_tree(folder, kind, options)
    if columnar_files(folder):
        return read_columnar(folder, options)
    tables = [
        file
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name.lower().endswith(TABLES) and file.name not in DESCRIPTIONS
    ]
    if not tables:
        return read_aligned(folder, options)
    readings, others = _of_kind({file: read(file, kind, options) for file in tables}, kind)
    (one, *more) = readings.values()
    reading = _together(folder, kind, readings) if more else one
    left = (*others, *_left_texts(folder), *_left_packed(folder))
    return replace(reading, findings=(*reading.findings, *left))


def _of_kind(
    readings: dict[Path, Reading], kind: Kind
) -> tuple[dict[Path, Reading], list[Finding]]:
    """Return the tables that hold what is looked for, if some do, and what is said of the rest."""
    lacking = {
        file
        for file, reading in readings.items()
        if MEASURES[kind] in guess_mapping(reading.header, kind, reading.sample()).missing()
    }
    if len(lacking) == len(readings):
        return readings, []
    others = [
        finding("other_table", f"{file.name} holds no {kind} and was left out.", value=file.name)
        for file in readings
        if file in lacking
    ]
    return {file: its for file, its in readings.items() if file not in lacking}, others


def _left_texts(folder: Path) -> Iterator[Finding]:
    """Say which texts stand beside tables; their lines are not read."""
    for file in sorted(folder.rglob("*")):
        if file.suffix.lower() in SUFFIXES and not is_aside(file, folder):
            reason = f"{file.name} was left out: tables stand beside it."
            yield finding("other_table", reason, value=file.name)


def _left_packed(folder: Path) -> Iterator[Finding]:
    """Say which archives stand beside the tables; what is in them is not read."""
    for file in sorted(folder.rglob("*")):
        if file.name.lower().endswith(PACKED):
            yield finding("unread_archive", f"{file.name} was not unpacked.", value=file.name)


def _together(folder: Path, kind: Kind, readings: dict[Path, Reading]) -> Reading:
    """Read several tables as one; what no column names is named by the file or its folder."""
    readings = _alike(readings, kind)
    header = list(dict.fromkeys(name for reading in readings.values() for name in reading.header))
    named = {fold(name) for name in header}
    field = NAMED_BY_FILE.get(kind, "")
    by_file = {} if not field or named & {*names_of(field, kind)} else _names(list(readings))
    header += [field] if by_file else []
    findings = [
        replace(found, place=file.name)
        for file, reading in readings.items()
        for found in reading.findings
    ]
    return Reading(
        folder,
        "several tables",
        tuple(header),
        lambda: _rows(readings, header, by_file),
        findings=tuple(findings),
    )


def _alike(readings: dict[Path, Reading], kind: Kind) -> dict[Path, Reading]:
    """Let a column bear one name in all files, where files name the same field differently."""
    first: dict[str, str] = {}
    alike = {}
    for file, reading in readings.items():
        fields = {
            column.index: column.field
            for column in guess_mapping(reading.header, kind).columns
            if column.field and column.field not in REPEATED and not column.bound
        }
        names = [
            first.setdefault(fields[at], name) if at in fields else name
            for at, name in enumerate(reading.header)
        ]
        is_clear = len(set(names)) == len(names)
        alike[file] = replace(reading, header=tuple(names)) if is_clear else reading
    return alike


def without_endings(name: str) -> str:
    """Return the name of a file without what tells its format: ``gpt-3.5.jsonl.gz`` is gpt-3.5."""
    for ending in ENDINGS:
        if name.lower().endswith(ending):
            return name[: -len(ending)]
    return name


def _names(files: list[Path]) -> dict[Path, str]:
    """Return what tells the files apart: their names, or the folders of files of one name."""
    root = Path(commonpath([file.parent for file in files]))
    paths = {file: file.relative_to(root) for file in files}
    ways: tuple[Callable[[Path], str], ...] = (
        lambda file: without_endings(file.name),
        lambda file: file.parent.name,
        lambda file: without_endings(paths[file].as_posix()),
        lambda file: paths[file].as_posix(),
    )
    for name_of in ways:
        names = {file: name_of(file) for file in files}
        if len(set(names.values())) == len(files):
            break
    return names


def _rows(
    readings: dict[Path, Reading], header: list[str], by_file: dict[Path, str]
) -> Iterator[RawRow | Finding]:
    counts = dict.fromkeys(readings, 0)
    for file, reading in readings.items():
        at = {name: index for index, name in enumerate(reading.header)}
        indexes = [at.get(name) for name in header]
        for row in reading.rows():
            counts[file] += isinstance(row, RawRow)
            if isinstance(row, Finding):
                yield replace(row, place=file.name)
                continue
            cells = ["" if index is None else row.cells[index] for index in indexes]
            if by_file:
                cells[-1] = by_file[file]
            yield RawRow(row.line, cells, file.name)
    if by_file:
        yield from _unequal(counts)


def _unequal(counts: dict[Path, int]) -> Iterator[Finding]:
    """Say which files have fewer or more rows than most."""
    usual = Counter(counts.values()).most_common(1)[0][0]
    for file, n in counts.items():
        if n != usual:
            reason = f"{file.name} has {n:,} rows where the others have {usual:,}."
            yield finding("unequal_files", reason, value=file.name)
