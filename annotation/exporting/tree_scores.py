"""Scores of an mt-metrics-eval tree: of segments, documents, domains and systems."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

from annotation.exporting.records import ItemBundle, ItemRecord, TidyRating
from annotation.exporting.safe_names import free_name, without_spaces

Values = list[float | None]
Scores = dict[str, dict[str, Values]]  # name, system, one value a segment


@dataclass(frozen=True, slots=True)
class MetricScores:
    """The scores of one automatic metric by (item_id, system), and whether it reads references."""

    name: str
    values: Mapping[tuple[str, str], float]
    reads_references: bool = True


def _of_names() -> Scores:
    return defaultdict(lambda: defaultdict(list))


@dataclass(slots=True)
class Segments:
    """What is kept while the texts stream by: documents and numbers, no texts.

    ``systems`` gives the name of each in files, ``scorers`` the names of human scores by dimension
    and group; of all groups in ``groups``, by ``""``. Without ``groups``, every rating counts.
    """

    systems: Mapping[str, str]
    scorers: Mapping[tuple[str, str], str]
    groups: Container[str] | None = None
    items: list[str] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)  # one a segment, each all in one stretch
    domains: dict[str, str] = field(default_factory=dict)  # of the documents
    human: Scores = field(default_factory=_of_names)
    metric: Scores = field(default_factory=_of_names)
    gaps: Counter[str] = field(default_factory=Counter)  # outputs that a metric does not score
    _last: tuple[str, str] | None = None

    def keep(self, bundle: ItemBundle, metrics: Iterable[MetricScores]) -> None:
        """Keep the next segment."""
        self.items.append(bundle.item.item_id)
        self._keep_document(bundle.item)
        given = self._given(bundle.ratings)
        for system, name in self.systems.items():
            for scorer in self.scorers.values():
                values = given.get((system, scorer), [])
                self.human[scorer][name].append(_mean(values))
            for metric in metrics:
                value = metric.values.get((bundle.item.item_id, system))
                self.metric[metric.name][name].append(value)
                self.gaps[metric.name] += value is None and system in bundle.outputs

    def _keep_document(self, item: ItemRecord) -> None:
        domain = without_spaces(item.domain) or "all"
        about = (without_spaces(item.document), domain)
        # A document lies in one stretch and one domain, else its parts are documents.
        if not item.document or about != self._last:
            name = free_name(about[0] or without_spaces(item.item_id), self.domains)
            self.domains[name] = domain
        self._last = about
        self.documents.append(next(reversed(self.domains)))

    def _given(self, ratings: Sequence[TidyRating]) -> dict[tuple[str, str], Values]:
        """Return the valid ratings of a segment by system and human score."""
        given: dict[tuple[str, str], Values] = defaultdict(list)
        for row in ratings:
            is_out = not row.valid or row.repeat_of or row.is_check
            if row.value is None or is_out or not self._counts(row.judge_group):
                continue
            for group in ("", row.judge_group):
                if scorer := self.scorers.get((row.dimension, group)):
                    given[row.system, scorer].append(row.value)
        return given

    def _counts(self, group: str) -> bool:
        return self.groups is None or group in self.groups


def write_scores(
    folder: Path, prefix: str, scores: Scores, kept: Segments, *, nothing: float | None = None
) -> None:
    """Write a file for each name and level, with ``nothing`` where there is no score.

    Means add in the order of the items' names, as a report does: systems whose means are thirds or
    fifths tie only where they are added alike.
    """
    order = sorted(range(len(kept.items)), key=kept.items.__getitem__)
    domains = [kept.domains[document] for document in kept.documents]
    levels: dict[str, Sequence[int | str]] = {
        "seg": range(len(order)),
        "doc": kept.documents,
        "sys": [""] * len(order),
    }
    if len(set(domains)) > 1:
        levels["domain"] = domains
    for name, by_system in scores.items():
        for level, groups in levels.items():
            lines = (
                "\t".join([*([str(group)] if level == "domain" else []), system, repr(score)])
                for system, values in by_system.items()
                for group, mean in _means(values, groups, order).items()
                for score in [nothing if mean is None else mean]
            )
            write_lines(folder / f"{prefix}{name}.{level}.score", lines)


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a text file in UTF-8, whatever the machine's own encoding and line ends."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{line}\n" for line in lines)


def _means(
    values: Values, groups: Sequence[int | str], order: Iterable[int]
) -> dict[int | str, float | None]:
    """Return the mean of each group of segments, in the order in which the groups come."""
    grouped: dict[int | str, Values] = {group: [] for group in groups}
    for at in order:
        grouped[groups[at]].append(values[at])
    return {group: _mean(of_group) for group, of_group in grouped.items()}


def _mean(values: Values) -> float | None:
    defined = [value for value in values if value is not None]
    return list(accumulate(defined))[-1] / len(defined) if defined else None
