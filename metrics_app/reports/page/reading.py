"""A stored report as the parts of the page read it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from metrics_app.reports.contract import ALL_GROUPS

Row = Mapping[str, Any]
# Systems beyond these bear no colour; they are named at the mark.
N_COLOURS = 5
_GROUP_COLOURS = {"expert": "6", "crowd": "7"}


@dataclass(frozen=True)
class Reading:
    """The rows of a report, and what is looked at: one dimension, one group of judges.

    ``report`` is ``report.json`` as plain values.
    """

    report: Mapping[str, Any]
    wanted_dimension: str = ""
    wanted_group: str = ""

    @property
    def overview(self) -> Row:
        """Counts, scales and names."""
        found: Row = self.report["overview"]
        return found

    @property
    def dimensions(self) -> Sequence[str]:
        """Dimensions in order."""
        return tuple(self.overview["dimensions"])

    @cached_property
    def groups(self) -> Sequence[str]:
        """Groups of judges in order; with several of people, these together come last."""
        names = tuple(self.overview["n_judges"])
        people = [name for name in names if name not in self.overview.get("model_groups", ())]
        return (*names, ALL_GROUPS) if len(people) > 1 else names

    @property
    def dimension(self) -> str:
        """The dimension looked at: the wanted one, else overall, else the last."""
        if self.wanted_dimension in self.dimensions:
            return self.wanted_dimension
        ordered = [d for d in self.dimensions if self.measurement(d) != "nominal"]
        choice = [d for d in ordered if d.lower().startswith("overall")] or ordered[-1:]
        return choice[0] if choice else next(iter(self.dimensions), "")

    @property
    def group(self) -> str:
        """The group looked at: the wanted one, else the experts, else all."""
        if self.wanted_group in self.groups:
            return self.wanted_group
        sides = self.overview["sides"]
        return sides["expert"] if sides else next(reversed(self.groups), "")

    def measurement(self, dimension: str) -> str:
        """Return the level of measurement of a dimension's scale."""
        return str(self.overview["scales"][dimension]["measurement"])

    def rows(self, name: str, **wanted: object) -> list[Row]:
        """Return the rows of a list that have the wanted values.

        A report of an earlier version may lack the list.
        """
        return [
            row
            for row in self.report.get(name, ())
            if all(row[key] == value for key, value in wanted.items())
        ]

    @cached_property
    def seconds_on_request(self) -> float:
        """About how long it takes to compute what waits to be asked for; 0 where nothing does."""
        lists = [rows for rows in self.report.values() if isinstance(rows, (list, tuple))]
        waiting = [row for rows in lists for row in rows if row.get("undefined") == "on_request"]
        return sum(float(row["details"].get("estimated_seconds", 0.0)) for row in waiting)

    @property
    def metrics(self) -> list[str]:
        """Automatic metrics in order."""
        return list(dict.fromkeys(row["metric"] for row in self.rows("correlation")))

    def label(self, key: str) -> str:
        """Return what people call a dimension or a group of judges."""
        if key == ALL_GROUPS and key not in self.overview["n_judges"]:
            return "All judges"
        found = self.overview["labels"].get(key)
        return found or key.replace("_", " ").capitalize()

    @property
    def group_label(self) -> str:
        """What people call the group looked at."""
        return self.label(self.group)

    @property
    def dimension_label(self) -> str:
        """What people call the dimension looked at."""
        return self.label(self.dimension)

    def system_colour(self, system: str) -> str:
        """Return the number of the system's colour; empty where none is left."""
        human = self.overview["human_systems"]
        if system in human:
            return "0"
        machines = [name for name in self.overview["systems"] if name not in human]
        place = machines.index(system) + 1
        return str(place) if place <= N_COLOURS else ""

    def group_colour(self, group: str) -> str:
        """Return the number of the group's colour: experts and crowd have one."""
        sides = self.overview["sides"] or {}
        return next((_GROUP_COLOURS[kind] for kind, name in sides.items() if name == group), "")

    def dimension_choices(self) -> Iterator[tuple[str, str, bool]]:
        """Yield (key, label, whether it is the one looked at) of every ordered dimension."""
        for key in self.dimensions:
            if self.measurement(key) != "nominal":
                yield key, self.label(key), key == self.dimension

    def group_choices(self) -> Iterator[tuple[str, str, bool]]:
        """Yield (key, label, whether it is the one looked at) of every group."""
        for key in self.groups:
            yield key, self.label(key), key == self.group
