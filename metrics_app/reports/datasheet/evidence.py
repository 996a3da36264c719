"""What the answers of a datasheet rest on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is stored of a study and bears on its datasheet, as plain values.

    Attributes
    ----------
    protocol : mapping
        Settings, phases, dimensions, groups and systems, as the protocol of a release has them.
    conduct : mapping
        How the study was carried out, in counts.
    exclusions : sequence of (moment, kind, who or what, reason)
        What happened to judges and to the study.
    report : mapping
        ``report.json`` as plain values; empty where none has been computed.
    """

    protocol: Row
    conduct: Row
    exclusions: Sequence[tuple[str, str, str, str]] = ()
    report: Row = field(default_factory=dict)

    @property
    def study(self) -> Row:
        """The study's settings."""
        found: Row = self.protocol["study"]
        return found

    @property
    def criteria(self) -> list[Row]:
        """The current dimensions that are judged on a scale or by comparison."""
        return [
            row
            for row in self.protocol["dimensions"]
            if row["is_current"] and row["kind"] != "comment"
        ]

    def rows(self, name: str, dimension: str) -> list[Row]:
        """Return the report's rows of a list on a dimension, by all judges or each group."""
        return [row for row in self.report.get(name, ()) if row.get("dimension") == dimension]
