"""Folders of text files: one line an item, or one file an item and system."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path

from annotation.importing.decoding import Survey, open_text, survey_text
from annotation.importing.file_names import (
    FIRST_OF_REFERENCES,
    IDS,
    REFERENCE_SUFFIXES,
    REFERENCES,
    SOURCE_SUFFIXES,
    SOURCES,
    SUFFIXES,
)
from annotation.importing.files_per_item import is_file_per_item, reading_of_items
from annotation.importing.findings import Finding, UnreadableFile, finding
from annotation.importing.reading import RawRow, Reading, ReadOptions

PACKED = frozenset((".gz", ".bz2", ".xz"))
# Names of files that say what is in them, and not whose it is.
NO_SYSTEMS = frozenset((
    "hyp", "hyps", "hypo", "hypothesis", "hypotheses", "pred", "preds", "prediction", "predictions",
    "output", "outputs", "out", "generated", "generation", "generations", "generated_predictions",
    "system", "sys", "result", "results", "translation", "translations", "summaries", "decoded",
    "candidate", "candidates", "mt", "answers", "responses",
))  # fmt: skip
ASIDE = frozenset(
    ("readme", "license", "licence", "notes", "changelog", "requirements", "citation")
)
ARCHIVES = (".zip", ".tar", ".gz", ".tgz", ".7z", ".rar")
UNPACK = "Unpack the archive in it, and pack its files themselves."
BY_NAME = "Name the files by what they hold: source.txt, reference.txt, and a .txt for each system."
HEADER = ("item_id", "system", "output", "source", "reference")


@dataclass(frozen=True, slots=True)
class Aligned:
    """Files whose line n is about item n."""

    outputs: dict[str, Path]
    references: tuple[Path, ...] = ()
    source: Path | None = None
    ids: Path | None = None

    @property
    def files(self) -> list[Path]:
        """All files, the outputs first."""
        extra = [file for file in (self.source, self.ids) if file]
        return [*self.outputs.values(), *self.references, *extra]


def read_aligned(folder: Path, options: ReadOptions) -> Reading:
    """Understand a folder of ``.txt`` files by their names."""
    found = [file for file in folder.rglob("*") if file.is_file() and not is_aside(file, folder)]
    files = sorted(file for file in found if _unpacked(file).suffix.lower() in SUFFIXES)
    if not files:
        names = ", ".join(sorted(file.name for file in found)[:5]) or "notes"
        reason = f"There is no file in it that a reader knows, only {names}."
        is_packed = all(file.name.lower().endswith(ARCHIVES) for file in found)
        raise UnreadableFile("not_a_table", reason, mend=UNPACK if is_packed else BY_NAME)
    if is_file_per_item(files):
        return reading_of_items(folder, files, options)
    found_by_name = by_name(files)
    reading = reading_of_aligned(folder, "aligned text files", found_by_name, options)
    if len(outputs := found_by_name.outputs) == 1 and next(iter(outputs)).lower() in NO_SYSTEMS:
        return replace(reading, header=("item_id", "file", *HEADER[2:]))
    return reading


def is_aside(file: Path, folder: Path) -> bool:
    """Whether a file is hidden or tells about the others, by its name."""
    is_hidden = any(part.startswith(".") for part in file.relative_to(folder).parts)
    return is_hidden or file.stem.lower() in ASIDE


def by_name(files: list[Path]) -> Aligned:
    """Tell sources, references, identifiers and systems by the names of the files."""
    outputs: list[Path] = []
    references: list[Path] = []
    sources: list[Path] = []
    ids: list[Path] = []
    for file in files:
        stem, suffix = _unpacked(file).stem.lower(), _unpacked(file).suffix.lower()
        first, *_, last = re.split(r"[._\-]", stem) * 2
        if {stem, last} & SOURCES or first == "src" or suffix in SOURCE_SUFFIXES:
            sources.append(file)
        elif stem in IDS:
            ids.append(file)
        elif _is_reference(stem, first, last) or suffix in REFERENCE_SUFFIXES:
            references.append(file)
        else:
            outputs.append(file)
    return Aligned(
        _by_system(outputs), tuple(references), _only(sources, "sources"), _only(ids, "identifiers")
    )


def _is_reference(stem: str, first: str, last: str) -> bool:
    """Whether a name is that of references: ``ref.A``, ``gold_summaries``, ``test.target``."""
    without_number = stem.rstrip("0123456789").rstrip("_-.")
    return {without_number, last} & REFERENCES != set() or first in FIRST_OF_REFERENCES


def _by_system(outputs: list[Path]) -> dict[str, Path]:
    """Name systems by their files, with the ending or the folder where names alone are alike."""
    ways: tuple[Callable[[Path], str], ...] = (
        lambda file: _unpacked(file).stem,
        lambda file: file.name,
        lambda file: f"{file.parent.name}/{file.name}",
        lambda file: "/".join(file.parts[-4:]),
    )
    for name_of in ways:
        named = {name_of(file): file for file in outputs}
        if len(named) == len(outputs):
            break
    return named


def _only(files: list[Path], what: str) -> Path | None:
    """Return the file of a kind of which there can be one."""
    if len(files) > 1:
        names = ", ".join(file.name for file in files[:5])
        reason = f"Several files seem to hold the {what}: {names}."
        mend = "Keep one of them, or pack each set of files alone."
        raise UnreadableFile("bad_shape", reason, mend=mend)
    return files[0] if files else None


def _unpacked(file: Path) -> Path:
    """Return the name that a file has when it is unpacked."""
    return file.with_suffix("") if file.suffix.lower() in PACKED else file


def reading_of_aligned(path: Path, name: str, files: Aligned, options: ReadOptions) -> Reading:
    """Return the reading of files whose line n is about item n."""
    if not files.outputs:
        raise UnreadableFile("not_a_table", "There is no file of a system's outputs in it.")
    surveys = {file: survey_text(file, options) for file in files.files}
    lengths = {file: _n_lines(file, surveys[file], options) for file in files.files}
    findings = [
        replace(found, place=file.name)
        for file, survey in surveys.items()
        for found in survey.findings
    ]
    return Reading(
        path,
        name,
        HEADER,
        lambda: _line_rows(files, surveys, options),
        shape="aligned_lines",
        encoding=", ".join(sorted({survey.label for survey in surveys.values()})),
        findings=(*findings, *_unequal(lengths)),
    )


def reading_of_lines(path: Path, options: ReadOptions) -> Reading:
    """Return the reading of one text file whose line n is the output for item n."""
    survey = survey_text(path, options)

    def rows() -> Iterator[RawRow | Finding]:
        with open_text(path, survey, options.limits) as text:
            for number, line in enumerate(text, start=1):
                yield RawRow(number, [str(number), line.rstrip("\r\n")])

    return Reading(
        path, "text, one output a line", ("item_id", "output"), rows, shape="aligned_lines",
        encoding=survey.label, newline=survey.newline, findings=survey.findings,
    )  # fmt: skip


def usual_length(lengths: Iterable[int]) -> int:
    """Return the length that most have; the greatest of several."""
    counts = Counter(lengths)
    return max(counts, key=lambda length: (counts[length], length))


def _unequal(lengths: dict[Path, int]) -> Iterator[Finding]:
    usual = usual_length(lengths.values())
    for file, length in lengths.items():
        if length != usual:
            reason = f"{file.name} has {length} lines where the others have {usual}."
            yield finding("unequal_list_lengths", reason, value=file.name)


def _n_lines(file: Path, survey: Survey, options: ReadOptions) -> int:
    with open_text(file, survey, options.limits) as text:
        return sum(1 for _ in text)


def _line_rows(
    files: Aligned, surveys: dict[Path, Survey], options: ReadOptions
) -> Iterator[RawRow | Finding]:
    with ExitStack() as stack:
        streams = [
            stack.enter_context(open_text(file, surveys[file], options.limits))
            for file in files.files
        ]
        systems = list(files.outputs)
        n, n_references = len(systems), len(files.references)
        for number, lines in enumerate(zip_longest(*streams, fillvalue=""), start=1):
            cells = [line.rstrip("\r\n") for line in lines]
            rest = cells[n + n_references :]
            source = rest.pop(0) if files.source else ""
            item = rest.pop(0).strip() if files.ids else str(number)
            references = [text for text in cells[n : n + n_references] if text]
            for system, output in zip(systems, cells, strict=False):
                place = files.outputs[system].name
                yield RawRow(number, [item, system, output, source, references], place)
