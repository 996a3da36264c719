"""A tree for the mt-metrics-eval toolkit: texts, references, human and metric scores."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import TextIO

from annotation.exporting.records import ItemBundle, TidyRating

ScoresRead = Mapping[str, Mapping[str, list[float | None]]]
Scores = dict[str, dict[str, list[float | None]]]  # name, system, one value a segment
LONGEST_NAME = 60  # of a file, which may have 255 bytes in all
# Windows takes these names for devices, whatever stands behind the full stop.
DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)\d)(\..*)?", re.IGNORECASE)
NEWLINES = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")


@dataclass(frozen=True, slots=True)
class TreePlan:
    """What a tree is about: a language pair such as ``en-de``, its systems and dimensions.

    The pair is ``en-en`` where nothing is translated. Missing references are empty lines; since
    the toolkit asks for a standard reference, there is always a ``refA``.
    """

    pair: str
    systems: Sequence[str]
    dimensions: Sequence[str]
    n_references: int = 1


@dataclass(slots=True)
class _Segments:
    """What is kept while the texts stream by: documents and numbers, no texts."""

    systems: Mapping[str, str]  # names in the study to names of files, no two the same
    dimensions: Mapping[str, str]
    documents: dict[str, str] = field(default_factory=dict)  # name to domain, in order
    human: Scores = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))
    metric: Scores = field(default_factory=lambda: defaultdict(lambda: defaultdict(list)))


def write_tree(
    folder: Path,
    plan: TreePlan,
    bundles: Iterable[ItemBundle],
    scores: Mapping[str, Mapping[tuple[str, str], float]] | None = None,
) -> None:
    """Write the tree of one language pair; items become segments in the order they come in.

    Parameters
    ----------
    folder : Path
        The folder of the test set, made where it is absent.
    plan : TreePlan
    bundles : iterable of ItemBundle
    scores : mapping, optional
        Metric to (item_id, system) to score. The toolkit allows no gaps in metric scores, so
        a metric is left out unless it covers every output.

    Notes
    -----
    A human score of a segment is the mean of the valid ratings, ``None`` where there are none;
    of a document or system, the mean of its segments. Texts lose their line breaks, since a
    line is a segment there. A document is an item: its name is the item's, without spaces.
    """
    taken = {_reference(number) for number in range(max(1, plan.n_references))}
    kept = _Segments(
        distinct(plan.systems, safe_system, taken), distinct(plan.dimensions, safe_name)
    )
    with ExitStack() as stack:
        source, references, outputs = _open(folder, plan, kept.systems, stack)
        for bundle in bundles:
            _write_texts(bundle, source, references, outputs)
            _keep(bundle, kept, scores or {})
    documents = (f"{domain}\t{name}" for name, domain in kept.documents.items())
    _write(folder / "documents" / f"{plan.pair}.docs", documents)
    _write_scores(folder / "human-scores", f"{plan.pair}.", kept.human)
    metrics = distinct(kept.metric, safe_name)
    full = {
        f"{metrics[name]}-{'refA' if plan.n_references else 'src'}": by_system
        for name, by_system in kept.metric.items()
        if not any(None in values for values in by_system.values())
    }
    _write_scores(folder / "metric-scores" / plan.pair, "", full)


def _open(
    folder: Path, plan: TreePlan, systems: Mapping[str, str], stack: ExitStack
) -> tuple[TextIO, list[TextIO], dict[str, TextIO]]:
    def opened(path: Path) -> TextIO:
        path.parent.mkdir(parents=True, exist_ok=True)
        return stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))

    source = opened(folder / "sources" / f"{plan.pair}.txt")
    references = [
        opened(folder / "references" / f"{plan.pair}.{_reference(number)}.txt")
        for number in range(max(1, plan.n_references))
    ]
    outputs = {
        system: opened(folder / "system-outputs" / plan.pair / f"{name}.txt")
        for system, name in systems.items()
    }
    return source, references, outputs


def _write_texts(
    bundle: ItemBundle, source: TextIO, references: list[TextIO], outputs: dict[str, TextIO]
) -> None:
    source.write(one_line(" ".join(bundle.item.source)) + "\n")
    texts = [*bundle.item.references, *[""] * len(references)]
    for stream, text in zip(references, texts, strict=False):
        stream.write(one_line(text) + "\n")
    for system, stream in outputs.items():
        stream.write(one_line(bundle.outputs.get(system, "")) + "\n")


def _keep(
    bundle: ItemBundle,
    kept: _Segments,
    scores: Mapping[str, Mapping[tuple[str, str], float]],
) -> None:
    item = bundle.item
    domain = "_".join(item.domain.split()) or "all"
    kept.documents[_free("_".join(item.item_id.split()), kept.documents)] = domain
    for system, name in kept.systems.items():
        for dimension, scorer in kept.dimensions.items():
            mean = _mean(bundle.ratings, system, dimension)
            kept.human[scorer][name].append(mean)
        for metric, values in scores.items():
            kept.metric[metric][name].append(values.get((item.item_id, system)))


def _mean(ratings: Sequence[TidyRating], system: str, dimension: str) -> float | None:
    values = [
        row.value
        for row in ratings
        if row.valid
        and row.value is not None
        and (row.system, row.dimension) == (system, dimension)
        and not row.repeat_of
        and not row.is_check
    ]
    return fmean(values) if values else None


def _write_scores(folder: Path, prefix: str, scores: ScoresRead) -> None:
    for name, by_system in scores.items():
        lines = [f"{system}\t{value!r}" for system, values in by_system.items() for value in values]
        for level in ("seg", "doc"):  # a document is one segment
            _write(folder / f"{prefix}{name}.{level}.score", lines)
        means = []
        for system, values in by_system.items():
            defined = [value for value in values if value is not None]
            means.append(f"{system}\t{fmean(defined) if defined else None!r}")
        _write(folder / f"{prefix}{name}.sys.score", means)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{line}\n" for line in lines)


def _reference(number: int) -> str:
    return f"ref{chr(ord('A') + number)}"


def distinct(
    names: Iterable[str], safe: Callable[[str], str], taken: Iterable[str] = ()
) -> dict[str, str]:
    """Return a safe name for each, no two the same: the second of two is numbered.

    Names that differ in letter case or in how letters are encoded count as the same, as they are on
    the disks of Windows and macOS.
    """
    used = {_as_on_disk(name) for name in taken}
    found = {}
    for name in names:
        found[name] = _free(safe(name), used, as_used=_as_on_disk)
        used.add(_as_on_disk(found[name]))
    return found


def _as_on_disk(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _free(name: str, used: Container[str], *, as_used: Callable[[str], str] = str) -> str:
    """Return a name, numbered where it is used already in the form that ``as_used`` gives it."""
    number = 1
    free = name
    while as_used(free) in used:
        number += 1
        free = f"{name}_{number}"
    return free


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return NEWLINES.sub(" ", text).strip()


def safe_name(name: str) -> str:
    """Return a name that may stand between the full stops and hyphens of a file name."""
    return re.sub(r"[^\w]+", "_", name)[:LONGEST_NAME]


def safe_system(name: str) -> str:
    """Return a system's name as a file name without spaces."""
    safe = re.sub(r"[^\w.+-]+", "_", name).lstrip(".")[:LONGEST_NAME] or "_"
    return f"_{safe}" if DEVICE.fullmatch(safe) else safe
