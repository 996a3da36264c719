"""The dry run: every row of a file comes out clean, or with what is wrong with it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from annotation.importing.check_comparisons import ComparisonCheck
from annotation.importing.check_outputs import OutputCheck
from annotation.importing.check_ratings import RatingCheck
from annotation.importing.check_scores import ScoreCheck
from annotation.importing.findings import Finding, Line, Report, finding
from annotation.importing.mapping import Mapping
from annotation.importing.picking import Picker
from annotation.importing.plain import plain_report, plain_rows
from annotation.importing.reading import RawRow, Reading
from annotation.importing.rows import CleanRow, Rules

BATCH = 10_000
TOLD_EVERY = 5_000
UNDECODED = frozenset({"bad_encoding", "undecodable_bytes", "bad_bytes_replaced"})


class KindCheck(Protocol):
    """What a kind of row must be able to do to be checked."""

    def build(self, raw: RawRow) -> Iterator[CleanRow | Finding]:
        """Yield the rows of one record, and what is wrong with it."""

    def look_over(self, batch: Sequence[RawRow | Finding]) -> None:
        """Look at a batch of records as a whole, before each of them is."""

    def quick(self, raw: RawRow, place: int) -> CleanRow | None:
        """Return the one row of a record of which nothing is to be said, if that is sure."""

    def settle(self, rows: list[CleanRow]) -> tuple[list[CleanRow], list[Finding]]:
        """Compare a batch of rows with all before; return those to keep and what was found."""

    def conclude(self, report: Report) -> Iterator[Finding]:
        """Yield what only the whole file shows."""


CHECKS: dict[
    str, type[OutputCheck] | type[RatingCheck] | type[ScoreCheck] | type[ComparisonCheck]
] = {
    "comparisons": ComparisonCheck,
    "outputs": OutputCheck,
    "ratings": RatingCheck,
    "scores": ScoreCheck,
}


class Checked:
    """The rows and findings of one pass over a file. Iterate once; ``report`` fills on the way.

    Rows come in the order of the file. A finding may come up to 10,000 rows after its line.
    """

    def __init__(self, reading: Reading, mapping: Mapping, rules: Rules) -> None:
        self.report = Report(good_rows_only=rules.good_rows_only)
        self._reading = reading
        self._mapping = mapping
        self._rules = rules
        self._looked = False
        self._clean: Report | None = None

    def __iter__(self) -> Iterator[CleanRow | Finding]:
        if self._mapping.kind != "outputs" and self.at_once():
            for row in plain_rows(self._reading, self._mapping):
                self.report.n_read += 1
                self.report.n_clean += 1
                yield row
            self.report.tallies[self._mapping.kind] = self.report.n_clean
            return
        for entry in self._entries():
            if isinstance(entry, Finding):
                self.report.add(entry)
            else:
                self.report.n_clean += 1
            yield entry

    def rows(self) -> Iterator[CleanRow]:
        """Yield the clean rows only."""
        for entry in self:
            if not isinstance(entry, Finding):
                yield entry

    def run(self, tell: Callable[[int], object] | None = None) -> Report:
        """Read to the end and return the report; a clean table is not taken apart into rows.

        ``tell``, if given, is called now and then with the number of records read so far.
        """
        clean = self.at_once(tell)
        if clean:
            self.report = clean
            return clean
        for _ in self:
            if tell is not None and self.report.n_read % TOLD_EVERY == 0:
                tell(self.report.n_read)
        return self.report

    def at_once(self, tell: Callable[[int], object] | None = None) -> Report | None:
        """Return the report of a file that is clean, looked at by columns; none if it may not be.

        ``tell`` is called as by ``run``.
        """
        if not self._looked:
            self._looked = True
            self._clean = plain_report(self._reading, self._mapping, self._rules, tell=tell)
        return self._clean

    def _entries(self) -> Iterator[CleanRow | Finding]:
        yield from self._reading.findings
        yield from self._mapping.questions
        records = iter(self._reading)
        if self._mapping.questions or self._mapping.missing():
            yield from self._unmapped(records)
        else:
            yield from self._without_own_signs(self._mapped(records))
        if self.report.n_errors or (self.report.n_clean and self._mapping.columns):
            return
        if not self.report.n_read or not self._mapping.columns:
            yield finding("no_rows", "The file has column names but no rows.")
        elif not self.report.n_questions:
            yield finding("no_rows", "No row of the file is left to be loaded.")

    def _without_own_signs(
        self, entries: Iterator[CleanRow | Finding]
    ) -> Iterator[CleanRow | Finding]:
        """Leave out what is said of signs that reading the file has put for its bad bytes."""
        if UNDECODED.isdisjoint(found.kind for found in self._reading.findings):
            return entries
        return (
            entry
            for entry in entries
            if not (isinstance(entry, Finding) and entry.kind == "replacement_signs")
        )

    def _unmapped(self, records: Iterator[RawRow | Finding]) -> Iterator[Finding]:
        """Say what the reader met; rows have no meaning before the mapping is known."""
        if self._mapping.columns and not self._mapping.questions:
            for name in self._mapping.missing():
                yield finding("missing_column", f"No column is mapped to {name}.")
        for record in records:
            if isinstance(record, Finding):
                yield record
            else:
                self.report.n_read += 1

    def _mapped(self, records: Iterator[RawRow | Finding]) -> Iterator[CleanRow | Finding]:
        check: KindCheck = CHECKS[self._mapping.kind](
            Picker(self._mapping, decimal_comma=self._reading.decimal_comma), self._rules
        )
        while batch := list(islice(records, BATCH)):
            rows: list[CleanRow] = []
            check.look_over(batch)
            place = -1
            for raw in batch:
                if isinstance(raw, Finding):
                    yield raw
                    continue
                place += 1
                record = raw._replace(line=Line(raw.line, raw.place)) if raw.place else raw
                if (row := check.quick(record, place)) is not None:
                    rows.append(row)
                    continue
                for entry in check.build(record):
                    if isinstance(entry, Finding):
                        yield entry
                    else:
                        rows.append(entry)
            self.report.n_read += place + 1
            kept, found = check.settle(rows)
            yield from found
            yield from kept
        yield from check.conclude(self.report)


def check(reading: Reading, mapping: Mapping, rules: Rules | None = None) -> Checked:
    """Hold the rows of a file to a mapping and to the rules of a study; nothing is written.

    Parameters
    ----------
    reading : Reading
        From `read`.
    mapping : Mapping
        From `guess_mapping`, or a kept one. While it has questions no row is built.
    rules : Rules, optional
        What the study knows; without it any item, system, dimension and number goes.

    Returns
    -------
    Checked
        Iterate it for rows and findings, or call ``run`` for the report alone.
    """
    return Checked(reading, mapping, rules or Rules())
