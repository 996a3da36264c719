"""Checks of comparisons: one row a choice among outputs of an item, as the export writes them."""

from collections.abc import Iterator, Sequence

from annotation.design.choices import LETTERS, read_choice
from annotation.importing.check_rankings import Compared, RankingCells
from annotation.importing.check_ratings import CARRIED, LONGEST_REASON, unknown
from annotation.importing.dialect import fold
from annotation.importing.findings import Finding, Report, finding
from annotation.importing.keys import KeyLog
from annotation.importing.picking import Picker, as_text
from annotation.importing.rankings import chain_of_letters
from annotation.importing.reading import RawRow
from annotation.importing.rows import ChoiceRow, CleanRow, RatingRow, Rules
from annotation.importing.suspicions import bad_character

NAMED = ("item_id", "judge", "dimension")
SYSTEMS = tuple(f"system_{letter.lower()}" for letter in LETTERS)
TIES = frozenset({
    "tie", "tied", "=", "equal", "no preference", "both", "tie (bothbad)", "both_bad", "draw",
    "neither", "same", "the same", "equally good", "both equal", "about the same",
})  # fmt: skip
WHAT = ("system", "model", "assistant", "output", "summary", "response", "text", "option", "answer")
OF_PAIR = {
    letter: tuple(f"{what}{sign}" for what in WHAT for sign in (f"_{letter}", f"_{n}", f"{n}"))
    for n, letter in enumerate("ab", start=1)
}
# What stands for the name of the first and of the second of two.
PLACES = (
    frozenset({"left", "first", *OF_PAIR["a"], "a_is_better", "a_better"}),
    frozenset({"right", "second", *OF_PAIR["b"], "b_is_better", "b_better"}),
)


class ComparisonCheck:
    """Build and compare choices."""

    def __init__(self, picker: Picker, rules: Rules) -> None:
        self._pick = picker
        self._rules = rules
        self._seen = KeyLog()
        named = picker.single.keys() | picker.constants.keys()
        self._carried = [name for name in CARRIED if name in named]
        self._choice = picker.measures[0].index if picker.measures else -1
        self._rankings = RankingCells(picker, rules)

    def build(self, raw: RawRow) -> Iterator[CleanRow | Finding]:
        """Yield the choices of one record, or what is wrong with it."""
        named = {name: self._pick.one(raw.cells, name).strip() for name in NAMED}
        for dimension, shown in self._shown(raw, named["dimension"]):
            if isinstance(shown, Finding):
                yield shown
            else:
                yield from self._choices(raw, {**named, "dimension": dimension}, shown)

    def _shown(self, raw: RawRow, dimension: str) -> Iterator[tuple[str, list[Compared] | Finding]]:
        """Yield for each dimension the comparisons of a record, or why its ranking is none."""
        if not self._rankings.is_fed:
            systems = tuple(filter(None, (self._pick.one(raw.cells, n).strip() for n in SYSTEMS)))
            told = as_text(raw.cells[self._choice]).strip() if self._choice >= 0 else ""
            chain = chain_of_letters(told.replace(" ", "").upper(), systems)
            if not chain or dimension in self._rules.texts:
                yield dimension, [(systems, told)]
                return
            yield dimension, self._rankings.read(raw, dimension, chain)
            return
        for asked, cell in self._rankings.of(raw, dimension):
            yield asked, self._rankings.read(raw, asked, cell)

    def _choices(
        self, raw: RawRow, named: dict[str, str], shown: list[Compared]
    ) -> Iterator[CleanRow | Finding]:
        texts = {
            name: self._pick.one(raw.cells, name).strip() for name in ("text", "missing_reason")
        }
        wrong = [
            *self._wrong_names(raw.line, named),
            *self._wrong_systems(raw.line, shown),
            *self._wrong_texts(raw.line, texts),
        ]
        yield from wrong
        carried = {name: self._pick.one(raw.cells, name).strip() for name in self._carried}
        for systems, cell in shown if not wrong else ():
            code, found = self._read(raw.line, cell, named["dimension"], systems, texts)
            yield from found
            if any(one.severity == "error" for one in found):
                return
            reason = "" if code else texts["missing_reason"] or "missing"
            rating = RatingRow(
                system="", value=None, text=code, missing_reason=reason, line=raw.line,
                **named, **carried,
            )  # fmt: skip
            yield ChoiceRow(rating, systems)

    def _wrong_names(self, line: int, named: dict[str, str]) -> Iterator[Finding]:
        for name, value in named.items():
            column = self._pick.name_of(name)
            if not value:
                kind = "missing_id" if name == "item_id" else f"missing_{name}"
                reason = f"There is no {name.removesuffix('_id')}."
                yield finding(kind, reason, line=line, column=column)
            elif fault := bad_character(value):
                yield finding("bad_character", f"It holds {fault}.", line=line, column=column)
        yield from unknown(self._rules, named, line)

    def _wrong_systems(self, line: int, shown: list[Compared]) -> Iterator[Finding]:
        for system in dict.fromkeys(name for systems, _ in shown for name in systems):
            yield from unknown(self._rules, {"system": system}, line)
        for systems, _ in shown:
            if len(systems) < 2 or len(set(systems)) < len(systems):
                reason = "Two to five different systems are compared."
                said = ", ".join(systems)
                yield finding("bad_comparison", reason, line=line, column="system_a", value=said)

    def _wrong_texts(self, line: int, texts: dict[str, str]) -> Iterator[Finding]:
        for name, text in texts.items():
            if fault := bad_character(text):
                yield finding("bad_character", f"It holds {fault}.", line=line, column=name)
        if len(reason := texts["missing_reason"]) > LONGEST_REASON:
            said = f"{len(reason):,} characters, {LONGEST_REASON} fit."
            yield finding("too_long", said, line=line, column="missing_reason", value=reason)

    def _read(
        self, line: int, cell: str, dimension: str, systems: Sequence[str], texts: dict[str, str]
    ) -> tuple[str, list[Finding]]:
        """Return the choice in letters (a comment: its text), and what is wrong with it."""
        if dimension in self._rules.texts:
            return texts["text"] or cell, []
        column = self._pick.name_of("choice")
        if not cell:
            if texts["missing_reason"]:
                return "", []
            return "", [finding("missing_value", "There is no choice.", line=line, column=column)]
        code = in_letters(cell, systems)
        if reason := self._why_not(code, dimension, len(systems)):
            return "", [finding("bad_choice", reason, line=line, column=column, value=cell)]
        return code, []

    def _why_not(self, code: str, dimension: str, n_members: int) -> str:
        """Return why this is no answer that the dimension takes of so many outputs, or nothing."""
        try:
            chosen = read_choice(code, n_members=n_members)
        except ValueError as fault:
            return str(fault)
        wanted = self._rules.compared.get(dimension, 0)
        if self._rules.dimensions is not None and not wanted:
            return f"{dimension} is asked of single outputs, not of comparisons."
        if wanted and (n_members > 2) != (wanted > 2):
            asked = "pairs" if wanted == 2 else "sets of three to five"
            return f"{dimension} is asked of {asked}."
        if chosen.is_tie and wanted and dimension not in self._rules.ties:
            return f"{dimension} does not allow a tie."
        return ""

    def look_over(self, batch: Sequence[RawRow | Finding]) -> None:
        """Do nothing: every record is looked at closely."""

    def quick(self, raw: RawRow, place: int) -> None:
        """Return nothing: every record is looked at closely."""

    def settle(self, rows: list[CleanRow]) -> tuple[list[CleanRow], list[Finding]]:
        """Find choices that were made already."""
        choices = [row for row in rows if isinstance(row, ChoiceRow)]
        seen = self._seen.add(
            [hash(_key(row)) for row in choices],
            [row.rating.line for row in choices],
            [hash(_answer(row)) for row in choices],
        )
        repeated = {entry.at for entry in seen}
        found = []
        for index, first_line, first_answer in seen:
            rating = choices[index].rating
            same = hash(_answer(choices[index])) == first_answer
            who = f"{rating.judge} compared the same outputs of {rating.item_id} on"
            where = f"{rating.dimension} at lines {first_line} and {rating.line}"
            found.append(
                finding(
                    "duplicate_rating" if same else "conflicting_rating",
                    f"{who} {where}{'' if same else ', with different answers'}.",
                    line=rating.line,
                    column=self._pick.name_of("choice"),
                    value=rating.text,
                )
            )
        return [row for index, row in enumerate(choices) if index not in repeated], found

    def conclude(self, report: Report) -> Iterator[Finding]:
        """Count the choices; the whole file shows nothing else."""
        report.tallies["comparisons"] = report.n_clean
        return iter(())


def in_letters(cell: str, systems: Sequence[str]) -> str:
    """Return a choice as ``A>B``; of two outputs the better one's name or letter is enough."""
    compact = cell.replace(" ", "").upper()
    if len(compact) == 3 and compact[1] in ">=":
        return compact
    if len(systems) == 2:
        if cell.casefold() in TIES:
            return "A=B"
        if cell not in systems:
            place = next((at for at, its in enumerate(PLACES) if fold(cell) in its), None)
            compact = compact if place is None else "AB"[place]
        names = [systems[0], systems[1]] if cell in systems else ["A", "B"]
        wanted = cell if cell in systems else compact
        if wanted in names:
            return "A>B" if wanted == names[0] else "B>A"
    return cell


def _key(row: ChoiceRow) -> tuple[object, ...]:
    rating = row.rating
    return (
        rating.item_id, frozenset(row.systems), rating.judge, rating.dimension, rating.phase,
        rating.repeat_of,
    )  # fmt: skip


def _answer(row: ChoiceRow) -> tuple[object, ...]:
    """Return what was answered, whatever the order in which the outputs were shown."""
    try:
        chosen = read_choice(row.rating.text, n_members=len(row.systems))
    except ValueError:  # a comment, or no answer
        return row.rating.text, row.rating.missing_reason
    named = row.systems[chosen.best], row.systems[chosen.worst]
    return frozenset(named) if chosen.is_tie else named, chosen.is_tie
