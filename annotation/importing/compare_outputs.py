"""Outputs compared with each other: given twice, shared by systems, told in two ways."""

import unicodedata
from collections.abc import Iterator

import numpy as np

from annotation.importing.findings import Finding, Report, finding
from annotation.importing.keys import KeyLog
from annotation.importing.rows import CleanRow, OutputRow
from annotation.importing.system_figures import MeasuredSystems, digests

SPAN_MARK = ("<v>", "</v>")


class ComparedOutputs:
    """All outputs of a file that were clean so far, remembered by their hashes.

    Parameters
    ----------
    is_judged : bool
        Whether the file has a column of judges: the same output may then stand there repeatedly.
    """

    def __init__(self, *, is_judged: bool) -> None:
        self._is_judged = is_judged
        self._outputs, self._texts = KeyLog(), KeyLog()
        self._sources, self._cases = KeyLog(), KeyLog()
        self._measured = MeasuredSystems()
        self._names: dict[str, int] = {}  # system to its number, in order of appearance
        self._identical_groups: set[int] = set()
        self._n_identical = 0

    def settle(self, outputs: list[OutputRow]) -> tuple[list[CleanRow], list[Finding]]:
        """Find outputs given twice, texts shared by systems, items told in two ways."""
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
        self._measure(kept)
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
        items = [hash(row.item_id) for row in told]
        seen = self._sources.add(items, lines, sources, only_others=True)
        found = [
            finding(
                "conflicting_item",
                f"{told[index].item_id} has another source than at line {first_line}.",
                line=told[index].line,
            )
            for index, first_line, _ in seen
        ]
        # Once for each identifier of the batch: an item has a row for every system.
        rows = list({row.item_id: row for row in reversed(rows)}.values())[::-1]
        exact = [hash(row.item_id) for row in rows]
        folded = [hash(as_seen(row.item_id)) for row in rows]
        lines = [row.line for row in rows]
        seen = self._cases.add(folded, lines, exact, only_others=True)
        return found + [
            finding(
                "ids_differ_in_case",
                f"{rows[index].item_id} differs from line {first_line} in letter case only."
                if rows[index].item_id.isascii()
                else f"{rows[index].item_id} differs from line {first_line} in letter case, or in "
                "how its letters are encoded, only.",
                line=rows[index].line,
                value=rows[index].item_id,
            )
            for index, first_line, _ in seen
        ]

    def _measure(self, rows: list[OutputRow]) -> None:
        numbers: dict[str, int] = {}
        systems = [numbers.setdefault(row.system, len(numbers)) for row in rows]
        self._measured.add(
            list(numbers),
            np.array(systems, dtype=np.int64),
            np.array([len(row.output) for row in rows], dtype=np.int64),
            digests([f"{row[0]}\x1f{row[2]}".encode() for row in rows]),
        )

    def conclude(self, report: Report) -> Iterator[Finding]:
        """Say what the figures of the systems say, and hand them over."""
        report.tallies["identical_outputs"] = self._n_identical
        yield from self._measured.conclude(report)


def as_seen(item_id: str) -> str:
    """Return what is equal for identifiers that look alike, but for their letter case."""
    if item_id.isascii():
        return item_id.lower()
    return unicodedata.normalize("NFKC", item_id).casefold()


def _compared(text: str) -> str:
    """Return a text as it is compared with itself: without the marks that judges put into it."""
    if "<" not in text:
        return text
    for mark in SPAN_MARK:
        text = text.replace(mark, "")
    return text
