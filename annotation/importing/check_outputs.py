"""Checks of outputs: duplicates, empty texts, wrong files, marks, personal data."""

import hashlib
from collections.abc import Iterator
from typing import Any

from annotation.importing.check_ratings import is_total, named_by_text, unknown
from annotation.importing.dialect import fold
from annotation.importing.fields import FIELDS
from annotation.importing.findings import Finding, Report, SystemFigures, finding
from annotation.importing.keys import KeyLog
from annotation.importing.lengths import far_off
from annotation.importing.picking import Measure, Picker, as_text
from annotation.importing.quick_outputs import PLACEHOLDERS, QuickOutputs
from annotation.importing.reading import RawRow
from annotation.importing.rows import CleanRow, OutputRow, Rules
from annotation.importing.suspicions import bad_character, markup, personal_data

ABOUT_ITEM = ("language", "domain", "document", "batch", "output_version", "system_kind")
REPEATED_NAMES = {
    "source": "source",
    "references": "reference",
    "prior_references": "prior_reference",
    "facts": "fact",
}
LONGEST_NAMES = {"item_id": 200, "system": 200, "language": 20, "domain": 100, "document": 200}
SYSTEM_KINDS = ("machine", "human")
SPAN_MARK = ("<v>", "</v>")
MODULUS = 1 << 128


class OutputCheck:
    """Build and compare outputs."""

    def __init__(self, picker: Picker, rules: Rules) -> None:
        self._pick = picker
        self._rules = rules
        self._outputs, self._texts = KeyLog(), KeyLog()
        self._sources, self._cases = KeyLog(), KeyLog()
        self._systems: dict[str, SystemFigures] = {}
        self._kinds: dict[str, str] = {}
        self._names: dict[str, int] = {}  # system to its number, in order of appearance
        self._identical_groups: set[int] = set()
        self._n_identical = self._n_as_reference = 0
        self._last_item = ""
        self._repeated = [
            (name, field) for name, field in REPEATED_NAMES.items() if picker.repeated[field]
        ]
        self._about = [
            name for name in ABOUT_ITEM if name in picker.single or name in picker.constants
        ]
        self._quick = QuickOutputs(picker, rules, self._about)
        self.quick = self._quick.row
        names = {fold(column.name) for column in picker.mapping.columns}
        # A file with a column of judges shows one output to several of them.
        self._is_judged = not names.isdisjoint(FIELDS["ratings"]["judge"])

    def build(self, raw: RawRow) -> Iterator[CleanRow | Finding]:
        """Yield the outputs of one record, and what is wrong with it."""
        item_id = self._pick.item_id(raw.cells)
        if self._is_total(item_id.strip(), raw):
            yield finding("totals_row", "The row seems to be a sum.", line=raw.line)
            return
        if item_id != item_id.strip():
            yield self._say(
                "id_spaces", "Spaces stand around the identifier.", raw, "item_id", item_id
            )
        item_id = item_id.strip()
        if not item_id:
            yield self._say("missing_id", "The identifier is blank.", raw, "item_id", item_id)
            return
        about: dict[str, Any] = {
            name: self._pick.many(raw.cells, field) for name, field in self._repeated
        }
        about |= {name: self._pick.one(raw.cells, name).strip() for name in self._about}
        if too_long := list(self._too_long(raw, {"item_id": item_id, **about})):
            yield from too_long
            return
        self._quick.remember(raw, item_id, about)
        if item_id != self._last_item:
            self._last_item = item_id
            yield from self._look_at("source", about.get("source", ()), raw)
        for measure in self._pick.measures:
            yield from self._output(raw, measure, item_id, about)

    def _is_total(self, item_id: str, raw: RawRow) -> bool:
        """Whether a row of a long table is a sum: it names no system."""
        is_unnamed = (
            "system" in self._pick.single and not self._pick.one(raw.cells, "system").strip()
        )
        return is_unnamed and is_total(item_id, raw.cells)

    def _output(
        self, raw: RawRow, measure: Measure, item_id: str, about: dict[str, Any]
    ) -> Iterator[CleanRow | Finding]:
        system = measure.bound.get("system") or self._pick.one(raw.cells, "system").strip()
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
            yield self._say("too_long", f"{len(text):,} characters.", raw, "output", text)
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
            yield self._say("output_equals_source", f"{row.system}: a copy.", raw, "output", text)
        elif any(stripped == reference.strip() for reference in row.references):
            self._n_as_reference += 1
            reason = f"{row.system} has the reference of {row.item_id} as its output."
            yield self._say("output_equals_reference", reason, raw, "output", text)
        yield from self._look_at("output", (text,), raw)
        yield row

    def _look_at(self, name: str, texts: tuple[str, ...], raw: RawRow) -> Iterator[Finding]:
        """Say which marks and which personal data the texts of one field hold."""
        for text in texts:
            if fault := bad_character(text):
                yield self._say("bad_character", f"It holds {fault}.", raw, name, "")
            if mark := markup(text):
                yield self._say("markup_left", "The text holds marks.", raw, name, mark)
            what, where = personal_data(text)
            if what:
                yield self._say(
                    "personal_data", f"The text seems to hold {what}.", raw, name, where
                )

    def _say(self, kind: str, reason: str, raw: RawRow, name: str, value: str) -> Finding:
        return finding(kind, reason, line=raw.line, column=self._pick.name_of(name), value=value)

    def settle(self, rows: list[CleanRow]) -> tuple[list[CleanRow], list[Finding]]:
        """Find outputs given twice, texts shared by systems, items told in two ways."""
        outputs = [row for row in rows if isinstance(row, OutputRow)]
        lines = [row.line for row in outputs]
        seen = self._outputs.add(
            [hash((row.item_id, row.system)) for row in outputs],
            lines,
            [hash(_compared(row.output)) for row in outputs],
        )
        repeated = {entry.at for entry in seen}
        found = [
            self._repeat(
                outputs[index], first_line, is_same=hash(_compared(outputs[index].output)) == text
            )
            for index, first_line, text in seen
        ]
        kept = [row for index, row in enumerate(outputs) if index not in repeated]
        found += self._identical(kept)
        found += self._items(kept)
        for row in kept:
            self._measure(row)
        return list(kept), found

    def _repeat(self, row: OutputRow, first_line: int, *, is_same: bool) -> Finding:
        where = f"({row.item_id}, {row.system}) stands at lines {first_line} and {row.line}"
        if is_same and self._is_judged:
            return finding("repeated_output", f"{where}, with the same text.", line=row.line)
        reason = f"{where}, with {'the same text' if is_same else 'different texts'}."
        return finding("duplicate_key", reason, line=row.line, value=row.output)

    def _identical(self, rows: list[OutputRow]) -> list[Finding]:
        filled = [row for row in rows if row.output.strip()]
        keys = [hash((row.item_id, row.output)) for row in filled]
        numbers = [self._names.setdefault(row.system, len(self._names)) for row in filled]
        seen = self._texts.add(keys, [row.line for row in filled], numbers)
        new_groups = {keys[entry.at] for entry in seen} - self._identical_groups
        self._identical_groups |= new_groups
        self._n_identical += len(seen) + len(new_groups)
        systems = list(self._names)
        return [
            finding(
                "identical_outputs",
                f"{systems[first]} and {filled[at].system} have the same text for "
                f"{filled[at].item_id}.",
                line=filled[at].line,
                value=filled[at].output,
            )
            for at, _, first in seen
        ]

    def _items(self, rows: list[OutputRow]) -> list[Finding]:
        """Find items with two sources, and items whose identifiers differ in letter case only."""
        told = [row for row in rows if row.source]
        sources = [hash(row.source) for row in told]
        lines = [row.line for row in told]
        seen = self._sources.add([hash(row.item_id) for row in told], lines, sources)
        found = [
            finding(
                "conflicting_item",
                f"{told[index].item_id} has another source than at line {first_line}.",
                line=told[index].line,
            )
            for index, first_line, source in seen
            if source != sources[index]
        ]
        exact = [hash(row.item_id) for row in rows]
        seen = self._cases.add(
            [hash(row.item_id.casefold()) for row in rows], [row.line for row in rows], exact
        )
        return found + [
            finding(
                "ids_differ_in_case",
                f"{rows[index].item_id} differs from line {first_line} in letter case only.",
                line=rows[index].line,
                value=rows[index].item_id,
            )
            for index, first_line, first in seen
            if first != exact[index]
        ]

    def _measure(self, row: OutputRow) -> None:
        figures = self._systems.setdefault(row.system, SystemFigures())
        figures.n_outputs += 1
        figures.n_characters += len(row.output)
        figures.lengths[len(row.output).bit_length()] += 1
        pair = f"{row.item_id}\x1f{row.output}".encode()
        digest = hashlib.blake2b(pair, digest_size=16).digest()
        figures.checksum += int.from_bytes(digest, "big")

    def conclude(self, report: Report) -> Iterator[Finding]:
        """Say which systems' lengths are far off, and hand over the figures."""
        for figures in self._systems.values():
            figures.checksum %= MODULUS
        report.systems = self._systems
        report.tallies["identical_outputs"] = self._n_identical
        report.tallies["output_equals_reference"] = self._n_as_reference
        yield from self._alike_systems()
        for system, ratio in far_off(self._systems):
            yield finding(
                "length_outlier",
                f"The outputs of {system} are {ratio:.1f} times as long as those of the others.",
                value=system,
            )
        yield from named_by_text(self._pick)

    def _alike_systems(self) -> Iterator[Finding]:
        seen: dict[str, str] = {}
        for system in self._systems:
            first = seen.setdefault(" ".join(system.casefold().split()), system)
            if first != system:
                reason = f"{system} and {first} differ in letter case only."
                yield finding("systems_differ_in_case", reason, value=system)


def _compared(text: str) -> str:
    """Return a text as it is compared with itself: without the marks that judges put into it."""
    if "<" not in text:
        return text
    for mark in SPAN_MARK:
        text = text.replace(mark, "")
    return text
