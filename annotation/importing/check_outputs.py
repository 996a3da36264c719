"""Checks of outputs one by one: names, empty texts, marks, personal data."""

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

from annotation.importing.asides import is_rating
from annotation.importing.check_ratings import is_total, named_by_text, unknown
from annotation.importing.compare_outputs import ComparedOutputs
from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS
from annotation.importing.findings import Finding, Report, finding
from annotation.importing.picking import Measure, Picker, as_text
from annotation.importing.quick_outputs import NO_NAMES, PLACEHOLDERS, QuickOutputs
from annotation.importing.reading import RawRow
from annotation.importing.rows import CleanRow, OutputRow, Rules
from annotation.importing.suspicions import (
    OF_SPREADSHEET,
    bad_character,
    oddities,
    without_invisible,
)

ABOUT_ITEM = ("language", "domain", "document", "batch", "output_version", "system_kind")
REPEATED_NAMES = {
    "source": "source",
    "references": "reference",
    "prior_references": "prior_reference",
    "facts": "fact",
}
LONGEST_NAMES = {"item_id": 200, "system": 200, "language": 20, "domain": 100, "document": 200}
CHOICES = ("choice", "preference", "preferred", "winner")
SYSTEM_KINDS = ("machine", "human")


class OutputCheck:
    """Build and compare outputs."""

    def __init__(self, picker: Picker, rules: Rules) -> None:
        self._pick = picker
        self._rules = rules
        self._kinds: dict[str, str] = {}
        self._n_as_reference = 0
        self._last_item = ""
        self._repeated = [
            (name, field) for name, field in REPEATED_NAMES.items() if picker.repeated[field]
        ]
        self._about = [
            name for name in ABOUT_ITEM if name in picker.single or name in picker.constants
        ]
        self._quick = QuickOutputs(picker, rules, self._about)
        self.look_over, self.quick = self._quick.look_over, self._quick.row
        names = {fold(column.name) for column in picker.mapping.columns if not column.field}
        # A file with a column of judges, ratings or choices shows one output several times.
        told = (*FIELDS["ratings"]["judge"], *CHOICES)
        is_judged = not names.isdisjoint(told) or any(map(is_rating, names))
        self._compared = ComparedOutputs(is_judged=is_judged)

    def build(self, raw: RawRow) -> Iterator[CleanRow | Finding]:
        """Yield the outputs of one record, and what is wrong with it."""
        item = yield from self.item(raw)
        if item is None:
            return
        item_id, about = item
        self._quick.remember(raw, item_id, about)
        if item_id != self._last_item:
            self._last_item = item_id
            yield from self._look_at("source", about.get("source", ()), raw)
        for measure in self._pick.measures:
            yield from self._output(raw, measure, item_id, about)

    def item(self, raw: RawRow) -> Generator[Finding, None, tuple[str, dict[str, Any]] | None]:
        """Return which item a record is about, and what it says of it; nothing if it is wrong.

        What is wrong or odd with it is yielded.
        """
        item_id = self._pick.item_id(raw.cells)
        if self._is_total(item_id.strip(), raw):
            yield finding("totals_row", "The row seems to be a sum.", line=raw.line)
            return None
        yield from self._odd_id(raw, item_id)
        item_id = without_invisible(item_id).strip()
        if not item_id:
            yield self._say("missing_id", "The identifier is blank.", raw, "item_id", item_id)
            return None
        about: dict[str, Any] = {
            name: self._pick.many(raw.cells, field) for name, field in self._repeated
        }
        about |= {name: self._pick.one(raw.cells, name).strip() for name in self._about}
        wrong = list(self._too_long(raw, {"item_id": item_id, **about}))
        if (batch := about.get("batch")) and not batch.isdecimal():
            reason, mend = "A batch has a whole number.", "Write 1, 2, 3, or leave the column out."
            wrong.append(replace(self._say("bad_value", reason, raw, "batch", batch), mend=mend))
        yield from wrong
        return None if wrong else (item_id, about)

    def _odd_id(self, raw: RawRow, told: str) -> Iterator[Finding]:
        """Say what is odd about an identifier though it can be read."""
        if told != told.strip():
            reason = "Spaces stand around the identifier."
            yield self._say("id_spaces", reason, raw, "item_id", told)
        if without_invisible(told) != told:
            yield self._invisible(raw, "item_id", told)
        if told.strip().lower() in NO_NAMES:
            reason = "The identifier is a word for nothing."
            yield self._say("placeholder_id", reason, raw, "item_id", told)
        if OF_SPREADSHEET.fullmatch(told.strip()):
            reason = "The identifier looks as if a spreadsheet had turned it into this."
            yield self._say("changed_by_spreadsheet", reason, raw, "item_id", told)

    def _invisible(self, raw: RawRow, name: str, told: str) -> Finding:
        reason = "A sign that is not seen stands in the name."
        return self._say("invisible_signs", reason, raw, name, ascii(told)[1:-1])

    def _is_total(self, item_id: str, raw: RawRow) -> bool:
        """Whether a row of a long table is a sum: it names no system."""
        is_unnamed = (
            "system" in self._pick.single and not self._pick.one(raw.cells, "system").strip()
        )
        return is_unnamed and is_total(item_id, raw.cells)

    def _output(
        self, raw: RawRow, measure: Measure, item_id: str, about: dict[str, Any]
    ) -> Iterator[CleanRow | Finding]:
        told = measure.bound.get("system") or self._pick.one(raw.cells, "system").strip()
        if (system := without_invisible(told).strip()) != told:
            yield self._invisible(raw, "system", told)
        if not system:
            yield self._say("missing_system", "The system is blank.", raw, "system", "")
            return
        wrong = list(unknown(self._rules, {"item_id": item_id, "system": system}, raw.line))
        wrong += self._too_long(raw, {"system": system})
        wrong += self._wrong_kind(raw, system, about)
        yield from wrong
        text = as_text(raw.cells[measure.index])
        fault = bad_character(f"{item_id}{system}") or bad_character(text)
        if fault:
            yield self._say("bad_character", f"It holds {fault}.", raw, "output", "")
        elif len(text) > self._rules.longest_text:
            reason = f"{len(text):,} characters, {self._rules.longest_text:,} fit."
            yield self._say("too_long", reason, raw, "output", text)
        elif not wrong:
            yield from self._text(raw, OutputRow(item_id, system, text, line=raw.line, **about))

    def _too_long(self, raw: RawRow, named: dict[str, Any]) -> Iterator[Finding]:
        for name, most in LONGEST_NAMES.items():
            if len(value := named.get(name, "")) > most:
                yield self._say(
                    "too_long", f"{len(value):,} characters, {most} fit.", raw, name, value
                )

    def _wrong_kind(self, raw: RawRow, system: str, about: dict[str, Any]) -> Iterator[Finding]:
        """Say where a system is called neither machine nor human, or now this and now that."""
        told = about.get("system_kind", "")
        if not told:
            return
        about["system_kind"] = kind = told.casefold()
        first = self._kinds.setdefault(system, kind) if kind in SYSTEM_KINDS else ""
        if first != kind:
            reason = f"A system is {' or '.join(SYSTEM_KINDS)}, and so in all rows of {system}."
            yield self._say("bad_value", reason, raw, "system_kind", told)

    def _text(self, raw: RawRow, row: OutputRow) -> Iterator[CleanRow | Finding]:
        text = row.output
        stripped = text.strip()
        if not stripped:
            reason = f"{row.system} has no text for {row.item_id}."
            yield self._say("empty_output", reason, raw, "output", "")
            if self._rules.empty_output == "skip":
                return
        elif stripped.lower() in PLACEHOLDERS:
            yield self._say(
                "placeholder_output", "The text is a word for nothing.", raw, "output", text
            )
        elif row.source and stripped == "\n".join(row.source).strip():
            reason = f"{row.system} has the source of {row.item_id} as its output."
            yield self._say("output_equals_source", reason, raw, "output", text)
        elif any(stripped == reference.strip() for reference in row.references):
            self._n_as_reference += 1
            reason = f"{row.system} has the reference of {row.item_id} as its output."
            yield self._say("output_equals_reference", reason, raw, "output", text)
        yield from self._look_at("output", (text,), raw)
        yield row

    def _look_at(self, name: str, texts: tuple[str, ...], raw: RawRow) -> Iterator[Finding]:
        """Say which marks and which personal data the texts of one field hold."""
        for text in texts:
            for kind, reason, value in oddities(text):
                yield self._say(kind, reason, raw, name, value)

    def _say(self, kind: str, reason: str, raw: RawRow, name: str, value: str) -> Finding:
        return finding(kind, reason, line=raw.line, column=self._pick.name_of(name), value=value)

    def settle(self, rows: list[CleanRow]) -> tuple[list[CleanRow], list[Finding]]:
        """Compare a batch of outputs with all before; return those to keep and what was found."""
        return self._compared.settle([row for row in rows if isinstance(row, OutputRow)])

    def conclude(self, report: Report) -> Iterator[Finding]:
        """Say which systems' lengths are far off, and hand over the figures."""
        report.tallies["output_equals_reference"] = self._n_as_reference
        yield from self._compared.conclude(report)
        yield from named_by_text(self._pick)
