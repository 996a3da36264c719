"""Checks of ratings: the tidy table's rows, long or wide."""

from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import replace

from annotation.importing.dialect import fold
from annotation.importing.findings import Finding, Report, finding
from annotation.importing.keys import KeyLog
from annotation.importing.not_numbers import not_a_number
from annotation.importing.picking import Measure, Picker, as_text
from annotation.importing.reading import RawRow
from annotation.importing.rows import CleanRow, RatingRow, Rules, ScaleRule
from annotation.importing.suspicions import bad_character, markup, without_invisible
from annotation.importing.values import is_missing, number, plain_answer, unwrapped

NAMED = ("item_id", "system", "judge", "dimension")
CARRIED = (
    "judge_group", "batch", "phase", "output_version", "fact_id", "label", "position", "is_check",
    "repeat_of", "valid", "excluded_by", "late", "origin", "opened_at", "submitted_at",
    "active_seconds", "revision",
)  # fmt: skip
FEW_NAMES = 200
LONGEST_REASON = 200
TOTALS = frozenset((
    "total", "totals", "subtotal", "sum", "mean", "average", "avg", "grand total", "sd", "std",
    "std.", "std. dev.", "std dev", "stdev", "standard deviation", "median", "mittelwert",
    "durchschnitt", "summe", "moyenne", "somme", "promedio", "media",
))  # fmt: skip


class RatingCheck:
    """Build and compare ratings."""

    def __init__(self, picker: Picker, rules: Rules) -> None:
        self._pick = picker
        self._rules = rules
        self._seen = KeyLog()
        self._carried = [name for name in CARRIED if name in picker.single]
        self._carried += [name for name in CARRIED if name in picker.constants]
        self._contexts = [index for name in ("source",) for index in picker.repeated[name]]
        self._contexts += [picker.single[name] for name in ("output",) if name in picker.single]
        self._shown: set[int] = set()
        self._is_empty, self._is_told = rules.items == frozenset(), False
        # Of a study without outputs it is said once, not of every row.
        self._known = replace(rules, items=None, systems=None) if self._is_empty else rules
        self._groups: dict[str, str] = {}

    def build(self, raw: RawRow) -> Iterator[CleanRow | Finding]:
        """Yield the ratings of one record, and what is wrong with it."""
        told = {name: self._pick.one(raw.cells, name) for name in NAMED[1:]}
        told["item_id"] = self._pick.item_id(raw.cells)
        base = {name: without_invisible(text).strip() for name, text in told.items()}
        if is_total(base["item_id"], raw.cells) and not (base["system"] and base["judge"]):
            yield finding("totals_row", "The row seems to be a sum.", line=raw.line)
            return
        if not any(base[name] for name in ("judge", "dimension")) and self._is_blank(raw):
            reason = "No judge has answered here."
            yield finding("missing_value", reason, line=raw.line, value=base["item_id"])
            return
        if self._is_empty and not self._is_told:
            self._is_told = True
            reason = "The study has no outputs yet, so that there is nothing to rate."
            mend = "Upload the outputs first, then the ratings."
            yield finding("unknown_item", reason, line=raw.line, mend=mend)
        yield from self._context(raw)
        carried = {name: self._pick.one(raw.cells, name) for name in self._carried}
        if told_apart := self._wrong_group(raw.line, base["judge"], carried.get("judge_group", "")):
            yield told_apart
            return
        for measure in self._measures(raw):
            named = {**base, **measure.bound}
            wrong = list(self._wrong_names(raw.line, named))
            yield from wrong
            answers = self._rating(raw, measure, named, carried)
            if wrong or self._is_empty:
                # A row that cannot be taken may hold more that is wrong: all of it is said at once.
                yield from (entry for entry in answers if _is_error(entry))
            else:
                yield from answers

    def _measures(self, raw: RawRow) -> list[Measure]:
        """Return the cells with answers; of one phase of several a wide row has no others."""
        measures = self._pick.measures or [Measure(-1, "text", {})]
        if "phase" not in self._carried:
            return measures
        return [one for one in measures if "dimension" not in one.bound or raw.cells[one.index]]

    def _wrong_group(self, line: int, judge: str, group: str) -> Finding | None:
        """Return what to say of a judge who is in one group here, and in another before."""
        first = self._groups.setdefault(judge, group) if judge and group else group
        if first == group:
            return None
        reason = f"{judge} is in the group {first} in a row before."
        column = self._pick.name_of("judge_group")
        mend = "Let each judge be in one group, or give the judges other names."
        return finding("bad_value", reason, line=line, column=column, value=group, mend=mend)

    def _is_blank(self, raw: RawRow) -> bool:
        """Whether a long row holds no answer at all, as a task that nobody has done yet."""
        measures = self._pick.measures
        return all(not measure.bound and not raw.cells[measure.index] for measure in measures)

    def _wrong_names(self, line: int, named: dict[str, str]) -> Iterator[Finding]:
        for name, value in named.items():
            if value and (value.isascii() and "\x00" not in value):
                continue
            column = self._pick.name_of(name)
            if not value:
                kind = "missing_id" if name == "item_id" else f"missing_{name}"
                yield finding(
                    kind, f"There is no {name.replace('_id', '')}.", line=line, column=column
                )
            elif fault := bad_character(value):
                yield finding("bad_character", f"It holds {fault}.", line=line, column=column)
        yield from unknown(self._known, named, line)

    def _rating(
        self, raw: RawRow, measure: Measure, named: dict[str, str], carried: dict[str, str]
    ) -> Iterator[CleanRow | Finding]:
        cell = _answer(raw.cells[measure.index]) if measure.index >= 0 else ""
        text = self._pick.one(raw.cells, "text")
        reason = self._pick.one(raw.cells, "missing_reason").strip()
        value: float | None = None
        if fault := bad_character(text):
            yield finding("bad_character", f"It holds {fault}.", line=raw.line, column="text")
            return
        if len(reason) > LONGEST_REASON:
            said = f"{len(reason):,} characters, {LONGEST_REASON} fit."
            yield finding("too_long", said, line=raw.line, column="missing_reason", value=reason)
            return
        if named["dimension"] in self._rules.texts:
            text = text or cell
        elif not is_missing(cell):
            value, found = self._value(cell, named["dimension"], raw.line, measure.name)
            if found:
                yield found
                return
        if value is None and not text.strip() and not reason:
            reason = "missing"
            yield finding(
                "missing_value",
                "There is no value.",
                line=raw.line,
                column=measure.name,
                value=cell,
            )
        yield RatingRow(
            value=value,
            text=text if value is None and not reason else "",
            missing_reason=reason if value is None else "",
            line=raw.line,
            **named,
            **carried,
        )

    def _value(
        self, cell: str, dimension: str, line: int, column: str
    ) -> tuple[float | None, Finding | None]:
        scale = self._rules.scale_of(dimension)
        value = plain_number(cell, scale, decimal_comma=self._pick.decimal_comma)
        if value is None:
            reason = not_a_number(cell)
            return None, finding("not_a_number", reason, line=line, column=column, value=cell)
        if scale and not scale.allows(value):
            reason = f"{cell.strip()} is not on the scale of {dimension} ({scale})."
            return None, finding("off_scale", reason, line=line, column=column, value=cell)
        return value, None

    def _context(self, raw: RawRow) -> Iterator[Finding]:
        """Say once for each text that judges saw what marks it holds."""
        for index in self._contexts:
            text = as_text(raw.cells[index])
            found = markup(text)
            if found and hash(text) not in self._shown:
                self._shown.add(hash(text))
                yield finding("markup_left", "The text holds marks.", line=raw.line, value=found)

    def look_over(self, batch: Sequence[RawRow | Finding]) -> None:
        """Do nothing: every record is looked at closely."""

    def quick(self, raw: RawRow, place: int) -> None:
        """Return nothing: every record is looked at closely."""

    def settle(self, rows: list[CleanRow]) -> tuple[list[CleanRow], list[Finding]]:
        """Find answers that were given already."""
        ratings = [row for row in rows if isinstance(row, RatingRow)]
        seen = self._seen.add(
            [hash(_key(row)) for row in ratings],
            [row.line for row in ratings],
            [hash((row.value, row.text, row.missing_reason)) for row in ratings],
        )
        repeated = {entry.at for entry in seen}
        found = []
        for index, first_line, first_value in seen:
            row = ratings[index]
            same = hash((row.value, row.text, row.missing_reason)) == first_value
            who = f"{row.judge} rated {row.dimension} of ({row.item_id}, {row.system})"
            found.append(
                finding(
                    "duplicate_rating" if same else "conflicting_rating",
                    f"{who} at lines {first_line} and {row.line}"
                    f"{'' if same else ', with different answers'}.",
                    line=row.line,
                    column=self._pick.name_of("value"),
                    value="" if row.value is None else f"{row.value:g}",
                )
            )
        return [row for index, row in enumerate(ratings) if index not in repeated], found

    def conclude(self, report: Report) -> Iterator[Finding]:
        """Say how items were named, where no column names them."""
        report.tallies["ratings"] = report.n_clean
        yield from named_by_text(self._pick)


def _is_error(entry: CleanRow | Finding) -> bool:
    return isinstance(entry, Finding) and entry.severity == "error"


def unknown(rules: Rules, named: dict[str, str], line: int) -> Iterator[Finding]:
    """Yield a finding for every name that the study does not know."""
    if rules.items is rules.systems is rules.dimensions is None:
        return
    known = {"item_id": rules.items, "system": rules.systems, "dimension": rules.dimensions}
    for name, names in known.items():
        value = named.get(name)
        if value and names is not None and value not in names:
            what = name.replace("_id", "")
            reason = f"The study has no {what} {value!r}{_meant(value, names)}."
            yield finding(f"unknown_{what}", reason, line=line, column=name, value=value)


def _meant(value: str, names: Container[str]) -> str:
    """Return the name that was meant, where one differs in letter case and signs only."""
    if not isinstance(names, Collection) or len(names) > FEW_NAMES:
        return ""
    folded = fold(value)
    return next((f", but {name!r}" for name in names if fold(name) == folded), "")


def is_total(item_id: str, cells: Sequence[object]) -> bool:
    """Whether a row is a sum or a mean below the table: it says so, and names no item."""
    if item_id:
        return item_id.lower() in TOTALS
    return any(isinstance(cell, str) and cell.strip().lower() in TOTALS for cell in cells)


def named_by_text(picker: Picker) -> Iterator[Finding]:
    """Yield a finding where items are known by their source text only."""
    if "item_id" not in picker.single and "item_id" not in picker.constants:
        yield finding("item_id_from_text", "No column names the items; their source text does.")


def _answer(cell: object) -> str:
    return unwrapped(cell) if isinstance(cell, str) else plain_answer(cell) or as_text(cell)


def _key(row: RatingRow) -> tuple[str, ...]:
    return (
        row.item_id, row.system, row.judge, row.dimension,
        row.fact_id, row.phase, row.output_version, row.repeat_of,
    )  # fmt: skip


def plain_number(
    cell: str, scale: ScaleRule | None, *, decimal_comma: bool = False
) -> float | None:
    """Return the number a cell writes; on declared points an exponent is no answer of a judge."""
    if scale and scale.points and "e" in cell.lower():
        return scale.words.get(cell.strip().casefold())
    value = number(cell, decimal_comma=decimal_comma)
    if value is None and scale:
        return scale.words.get(cell.strip().casefold())
    return value
