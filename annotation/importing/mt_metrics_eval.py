"""Trees of the mt-metrics-eval toolkit: sources, references, outputs, human and metric scores."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from annotation.importing.aligned import Aligned, reading_of_aligned
from annotation.importing.decoding import open_text, survey_text
from annotation.importing.findings import Finding, UnreadableFile, finding
from annotation.importing.reading import RawRow, Reading, ReadOptions
from annotation.importing.rows import Kind

NAME = "mt-metrics-eval tree"
RATINGS = ("item_id", "system", "judge", "dimension", "value")
SCORES = ("item_id", "system", "metric", "score")
NO_OUTPUT = "[No translation supplied]"  # so the toolkit marks a text that is not there
WHO = "all"  # a tree holds one number an output, whoever gave it


def tree_root(folder: Path) -> Path | None:
    """Return the folder that holds ``system-outputs``: the folder itself or its only child."""
    children = [child for child in folder.iterdir() if child.is_dir()]
    for root in (folder, *(children if len(children) == 1 else [])):
        if (root / "system-outputs").is_dir():
            return root
    return None


def read_tree(folder: Path, kind: Kind, options: ReadOptions) -> Reading:
    """Understand a tree of one language pair; items are named by their documents or numbers."""
    root = tree_root(folder)
    pairs = sorted(child.name for child in (root / "system-outputs").iterdir()) if root else []
    if root is None or not pairs:
        reason = "The tree holds no outputs."
        mend = "Put a folder for the language pair, such as en-de, into system-outputs."
        raise UnreadableFile("bad_shape", reason, mend=mend)
    pair = options.sheet or pairs[0]
    if len(pairs) > 1 and not options.sheet:
        reason = f"The tree holds several language pairs ({', '.join(pairs)})."
        mend = "Name one of them as the sheet, or pack it alone."
        raise UnreadableFile("bad_shape", reason, mend=mend)
    if kind == "outputs":
        return _outputs(root, pair, options)
    if kind == "ratings":
        files = {
            file.name.removeprefix(f"{pair}.").removesuffix(".seg.score"): file
            for file in sorted((root / "human-scores").glob(f"{pair}.*.seg.score"))
        }
    else:
        files = {
            file.name.removesuffix(".seg.score"): file
            for file in sorted((root / "metric-scores" / pair).glob("*.seg.score"))
        }
    if not files:
        raise UnreadableFile("no_rows", f"The tree holds no {kind} of segments for {pair}.")
    items = _items(root, pair, options)
    header = RATINGS if kind == "ratings" else SCORES
    return Reading(folder, NAME, header, lambda: _scores(files, items, header, options))


def _outputs(root: Path, pair: str, options: ReadOptions) -> Reading:
    outputs = {file.stem: file for file in sorted((root / "system-outputs" / pair).glob("*.txt"))}
    references = tuple(sorted((root / "references").glob(f"{pair}.*.txt")))
    source = root / "sources" / f"{pair}.txt"
    files = Aligned(outputs, references, source if source.exists() else None)
    reading = reading_of_aligned(root, NAME, files, options)
    items = _items(root, pair, options)
    lines = [line.split() for line in _documents(root, pair, options)]
    # A text that people wrote lies among references and outputs, under one name.
    human = {file.name.split(".")[-2] for file in references} & outputs.keys()

    def rows() -> Iterator[RawRow | Finding]:
        for row in reading.rows():
            if isinstance(row, Finding):
                yield row
                continue
            _, system, output, source, given = row.cells
            if output == NO_OUTPUT:
                reason = f"The tree has no output of {system} here."
                yield finding("missing_value", reason, line=row.line, column="output", value=output)
                continue
            texts = [text for text in dict.fromkeys(cast("list[str]", given)) if text != NO_OUTPUT]
            domain, document = (
                (*lines[row.line - 1], "", "")[:2] if row.line <= len(lines) else ("", "")
            )
            item = items[row.line - 1] if row.line <= len(items) else str(row.line)
            kind = "human" if system in human else "machine"
            cells = [item, system, output, source, texts, domain, document, kind]
            yield RawRow(row.line, cells, row.place)

    return Reading(
        root, NAME, (*reading.header, "domain", "docid", "system_kind"), rows, reading.shape,
        reading.encoding, findings=reading.findings,
    )  # fmt: skip


def _documents(root: Path, pair: str, options: ReadOptions) -> list[str]:
    file = root / "documents" / f"{pair}.docs"
    if not file.exists():
        return []
    with open_text(file, survey_text(file, options), options.limits) as text:
        return [line.rstrip("\r\n") for line in text]


def _items(root: Path, pair: str, options: ReadOptions) -> list[str]:
    """Name items by their documents where each has one segment, by their numbers elsewhere."""
    names = [(line.split() or [""])[-1] for line in _documents(root, pair, options)]
    if names and len(set(names)) == len(names):
        return names
    return [str(number) for number in range(1, len(names) + 1)]


def _scores(
    files: dict[str, Path], items: list[str], header: tuple[str, ...], options: ReadOptions
) -> Iterator[RawRow | Finding]:
    for name, file in files.items():
        counts: dict[str, int] = {}
        with open_text(file, survey_text(file, options), options.limits) as text:
            for number, line in enumerate(text, start=1):
                parts = line.split()
                if len(parts) != 2:
                    reason = "A line must hold a system and a score."
                    yield finding("bad_shape", reason, line=number, value=line.strip())
                    continue
                at = counts.get(parts[0], 0)
                counts[parts[0]] = at + 1
                item = items[at] if at < len(items) else str(at + 1)
                who = [WHO] if len(header) == len(RATINGS) else []
                yield RawRow(number, [item, parts[0], *who, name, parts[1]], file.name)
        for system, n in counts.items():
            if items and n != len(items):
                reason = f"{file.name}: {system} has {n} scores for {len(items)} segments."
                mend = "Write one line for each system and segment, None where there is no score."
                yield finding("unequal_list_lengths", reason, value=system, mend=mend)
