"""Checks of metric scores, long or wide."""

from collections.abc import Iterator, Sequence

from annotation.importing.check_ratings import (
    is_total,
    named_by_text,
    unknown,
)
from annotation.importing.findings import Finding, Report, finding
from annotation.importing.keys import KeyLog
from annotation.importing.not_numbers import not_a_number
from annotation.importing.picking import Picker, as_text
from annotation.importing.reading import RawRow
from annotation.importing.rows import CleanRow, Rules, ScoreRow
from annotation.importing.suspicions import bad_character, without_invisible
from annotation.importing.values import is_missing, number


class ScoreCheck:
    """Build and compare scores."""

    def __init__(self, picker: Picker, rules: Rules) -> None:
        self._pick = picker
        self._rules = rules
        self._seen = KeyLog()

    def build(self, raw: RawRow) -> Iterator[CleanRow | Finding]:
        """Yield the scores of one record, and what is wrong with it."""
        named = {
            "item_id": without_invisible(self._pick.item_id(raw.cells)).strip(),
            "system": without_invisible(self._pick.one(raw.cells, "system")).strip(),
        }
        if is_total(named["item_id"], raw.cells) and not named["system"]:
            yield finding("totals_row", "The row seems to be a sum.", line=raw.line)
            return
        metric = self._pick.one(raw.cells, "metric").strip()
        for measure in self._pick.measures:
            names = {**named, "metric": metric, **measure.bound}
            wrong = [*self._wrong_names(raw.line, names), *unknown(self._rules, names, raw.line)]
            yield from wrong
            if not wrong:
                yield self._score(raw, as_text(raw.cells[measure.index]), names)

    def _wrong_names(self, line: int, named: dict[str, str]) -> Iterator[Finding]:
        for name, value in named.items():
            column = self._pick.name_of(name)
            if not value:
                kind = "missing_id" if name == "item_id" else f"missing_{name}"
                yield finding(
                    kind, f"There is no {name.replace('_id', '')}.", line=line, column=column
                )
            elif fault := bad_character(value):
                yield finding("bad_character", f"It holds {fault}.", line=line, column=column)

    def _score(self, raw: RawRow, cell: str, named: dict[str, str]) -> CleanRow | Finding:
        if is_missing(cell):
            return finding(
                "missing_value",
                "There is no score.",
                line=raw.line,
                column=named["metric"],
                value=cell,
            )
        score = number(cell, decimal_comma=self._pick.decimal_comma)
        if score is None:
            reason = not_a_number(cell)
            return finding(
                "not_a_number", reason, line=raw.line, column=named["metric"], value=cell
            )
        return ScoreRow(score=score, line=raw.line, **named)

    def look_over(self, batch: Sequence[RawRow | Finding]) -> None:
        """Do nothing: every record is looked at closely."""

    def quick(self, raw: RawRow, place: int) -> None:
        """Return nothing: every record is looked at closely."""

    def settle(self, rows: list[CleanRow]) -> tuple[list[CleanRow], list[Finding]]:
        """Find scores that were given already."""
        scores = [row for row in rows if isinstance(row, ScoreRow)]
        seen = self._seen.add(
            [hash((row.item_id, row.system, row.metric)) for row in scores],
            [row.line for row in scores],
        )
        repeated = {entry.at for entry in seen}
        found = [
            finding(
                "duplicate_score",
                f"{scores[index].metric} of ({scores[index].item_id}, {scores[index].system}) "
                f"stands at lines {first_line} and {scores[index].line}.",
                line=scores[index].line,
                value=f"{scores[index].score!r}",
            )
            for index, first_line, _ in seen
        ]
        return [row for index, row in enumerate(scores) if index not in repeated], found

    def conclude(self, report: Report) -> Iterator[Finding]:
        """Say how items were named, where no column names them."""
        report.tallies["scores"] = report.n_clean
        yield from named_by_text(self._pick)
