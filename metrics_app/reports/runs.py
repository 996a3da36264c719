"""Two runs of the same analysis beside each other: what changed, and by how much."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
# Which number of a list is compared, and what names a row of it.
COMPARED: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "means": ("mean", ("dimension", "group", "system")),
    "agreement": ("value", ("dimension", "group", "scope", "statistic", "options")),
    "ranking": ("rank", ("dimension", "group", "system")),
    "comparison": ("value", ("dimension", "factor", "group", "unit", "statistic")),
    "correlation": ("value", ("metric", "dimension", "group", "level", "statistic")),
}
PROVENANCE = ("data_hash", "code_version", "seed")


@dataclass(frozen=True, slots=True)
class Change:
    """One number in both runs; None where a run has no such row or it is undefined."""

    list_name: str
    place: tuple[str, ...]
    first: float | None
    second: float | None

    @property
    def difference(self) -> float | None:
        """Second minus first; None where one of them is missing."""
        if self.first is None or self.second is None:
            return None
        return self.second - self.first


@dataclass(frozen=True, slots=True)
class RunComparison:
    """What differs between two reports.

    Attributes
    ----------
    provenance : tuple of (name, first, second)
        Data hash, code version and seed where they differ: the reasons for what changed.
    changes : tuple of Change
        Numbers that differ, the largest differences of each list first.
    n_same : int
        Numbers that are equal to the last digit.
    """

    provenance: tuple[tuple[str, str, str], ...]
    changes: tuple[Change, ...]
    n_same: int


def compare_runs(first: Mapping[str, Any], second: Mapping[str, Any]) -> RunComparison:
    """Compare two reports, given as plain values of ``report.json``."""
    pairs = [change for name in COMPARED for change in _pairs(name, first, second)]
    changes = [change for change in pairs if change.first != change.second]
    order = {name: place for place, name in enumerate(COMPARED)}
    changes.sort(key=lambda change: (order[change.list_name], -abs(change.difference or 0.0)))
    return RunComparison(
        provenance=tuple(
            (name, str(first[name]), str(second[name]))
            for name in PROVENANCE
            if first[name] != second[name]
        ),
        changes=tuple(changes),
        n_same=len(pairs) - len(changes),
    )


def _pairs(name: str, first: Mapping[str, Any], second: Mapping[str, Any]) -> Iterator[Change]:
    before, after = (_numbers(name, report.get(name, ())) for report in (first, second))
    for place in dict.fromkeys([*before, *after]):
        yield Change(name, place, before.get(place), after.get(place))


def _numbers(name: str, rows: Sequence[Row]) -> dict[tuple[str, ...], float | None]:
    field, keys = COMPARED[name]
    return {tuple(_word(row[key]) for key in keys if row[key] != ""): row[field] for row in rows}


def _word(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(str(part) for part in value.values())
    return str(value)
