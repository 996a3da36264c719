"""A tree for the mt-metrics-eval toolkit: texts, references, human and metric scores."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from string import ascii_uppercase
from typing import TextIO

from annotation.exporting.records import ItemBundle
from annotation.exporting.safe_names import distinct, safe_name, safe_system
from annotation.exporting.tree_scores import (
    MetricScores,
    Scores,
    Segments,
    write_lines,
    write_scores,
)

NO_OUTPUT = "[No translation supplied]"  # the toolkit's own sign for a text that is not there
NEWLINES = re.compile(r"[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+")
ABOUT = """A test set for the toolkit mt-metrics-eval:

    from mt_metrics_eval import data, meta_info
    info = meta_info.MetaInfo("refA", {{}}, set(), set())
    data.EvalSet({name!r}, {pair!r}, True, info, path="the folder above this one", strict=True)

A human score of a segment is the mean of the valid ratings by people, None where there are none; a
score of a document, domain or system is the mean of its segments. Where there is no output, metrics
have a 0 beside that None.
"""


@dataclass(frozen=True, slots=True)
class TreePlan:
    """What a tree is about: a language pair such as ``en-de``, its systems and dimensions.

    The pair is ``en-en`` where nothing is translated. Missing references are empty lines; since
    the toolkit asks for a standard reference, there is always a ``refA``. ``human`` are the systems
    whose outputs people wrote: as the toolkit has it, each is a reference under its own name too.
    ``groups`` are those whose judges are people: others do not count, and where there are several,
    each has scores of its own, such as ``fluency.expert``. Without any, every rating counts.
    """

    pair: str
    systems: Sequence[str]
    dimensions: Sequence[str]
    n_references: int = 1
    human: Collection[str] = ()
    groups: Sequence[str] = ()

    @property
    def references(self) -> list[str]:
        """Names of the references, but for human systems."""
        return [_reference(number) for number in range(max(1, self.n_references))]

    def system_names(self) -> dict[str, str]:
        """Return the name of each system in files; a reference's holds no full stop or hyphen."""

        def safe(name: str) -> str:
            return safe_name(name) if name in self.human else safe_system(name)

        return distinct(self.systems, safe, [*self.references, "all", "src"])

    def scorers(self) -> dict[tuple[str, str], str]:
        """Return the names of the human scores by dimension and group; of all groups, by ``""``."""
        groups = distinct(self.groups if len(self.groups) > 1 else (), safe_name)
        return {
            (dimension, group): f"{name}.{safe}" if safe else name
            for dimension, name in distinct(self.dimensions, safe_name).items()
            for group, safe in {"": "", **groups}.items()
        }


def write_tree(
    folder: Path,
    plan: TreePlan,
    bundles: Iterable[ItemBundle],
    scores: Sequence[MetricScores] = (),
) -> None:
    """Write the tree of one language pair; items become segments in the order they come in.

    Parameters
    ----------
    folder : Path
        The folder of the test set, made where it is absent.
    plan : TreePlan
    bundles : iterable of ItemBundle
    scores : sequence of MetricScores, optional
        The toolkit allows no gaps in them, so a metric is left out unless it covers every output.
        Where there is no output, a 0 stands beside the ``None`` of the human scores.

    Notes
    -----
    A human score of a segment is the mean of the valid ratings, ``None`` where there are none;
    of a document, domain or system, the mean of its segments. Texts lose their line breaks, since
    a line is a segment there. An item without a document is one, without spaces in its name.
    """
    kept = Segments(plan.system_names(), plan.scorers(), plan.groups or None)
    with ExitStack() as stack:
        write = _opened(folder, plan, kept.systems, stack)
        for bundle in bundles:
            write(bundle)
            kept.keep(bundle, scores)
    documents = (f"{kept.domains[name]}\t{name}" for name in kept.documents)
    write_lines(folder / "documents" / f"{plan.pair}.docs", documents)
    write_scores(folder / "human-scores", f"{plan.pair}.", kept.human, kept)
    full = _without_gaps(plan, scores, kept)
    write_scores(folder / "metric-scores" / plan.pair, "", full, kept, nothing=0.0)
    write_lines(folder / "README.txt", _about(folder.name, plan, kept, scores))


def _opened(
    folder: Path, plan: TreePlan, systems: Mapping[str, str], stack: ExitStack
) -> Callable[[ItemBundle], None]:
    """Open the files of texts, and return what writes the next line of each."""

    def opened(*parts: str) -> TextIO:
        path = folder.joinpath(*parts)
        path.parent.mkdir(parents=True, exist_ok=True)
        return stack.enter_context(path.open("w", encoding="utf-8", newline="\n"))

    source = opened("sources", f"{plan.pair}.txt")
    references = [opened("references", f"{plan.pair}.{name}.txt") for name in plan.references]
    outputs = {
        system: [opened("system-outputs", plan.pair, f"{name}.txt")]
        + ([opened("references", f"{plan.pair}.{name}.txt")] if system in plan.human else [])
        for system, name in systems.items()
    }

    def write(bundle: ItemBundle) -> None:
        source.write(one_line(" ".join(bundle.item.source)) + "\n")
        texts = [*bundle.item.references, *[""] * len(references)]
        for stream, text in zip(references, texts, strict=False):
            stream.write(one_line(text) + "\n")
        for system, streams in outputs.items():
            for stream in streams:
                stream.write(one_line(bundle.outputs.get(system, NO_OUTPUT)) + "\n")

    return write


def _without_gaps(plan: TreePlan, scores: Sequence[MetricScores], kept: Segments) -> Scores:
    """Return the scores that cover every output, under the names that the toolkit reads."""
    names = distinct([metric.name for metric in scores], safe_name)
    references = ".".join(plan.references) if plan.n_references else "src"
    return {
        f"{names[metric.name]}-{references if metric.reads_references else 'src'}": kept.metric[
            metric.name
        ]
        for metric in scores
        if not kept.gaps[metric.name]
    }


def _about(
    name: str, plan: TreePlan, kept: Segments, scores: Iterable[MetricScores]
) -> Iterator[str]:
    yield ABOUT.format(name=name, pair=plan.pair)
    for system, safe in kept.systems.items():
        if safe != system:
            yield f"{safe} is the system {one_line(system)}"
    for metric in scores:
        if n := kept.gaps[metric.name]:
            yield f"The metric {one_line(metric.name)} is left out: {n} outputs have no score of it"


def _reference(number: int) -> str:
    """Return ``refA`` to ``refZ``, then ``refAA``."""
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, len(ascii_uppercase))
        letters = ascii_uppercase[letter] + letters
    return f"ref{letters}"


def one_line(text: str) -> str:
    """Return a text without line breaks."""
    return NEWLINES.sub(" ", text).strip()
