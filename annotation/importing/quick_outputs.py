"""Outputs of which nothing is to be said: recognised by few looks, and built at once.

Most rows of a file are such. This judges nothing by rules of its own: what may be odd in any way
is left to the check of outputs, which says what it is, and so is the first row of each item.
"""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, TypeGuard

from annotation.importing.picking import Picker
from annotation.importing.reading import RawRow
from annotation.importing.rows import OutputRow, Rules
from annotation.importing.suspicions import ANY_SIGN, GROUPS_OF_DIGITS, OF_SPREADSHEET

PLACEHOLDERS = frozenset({
    "nan", "none", "null", "[]", "{}", "n/a", "#n/a", "undefined", "#ref!", "#name?", "#value!",
    "#div/0!", "#num!", "#null!",
})  # fmt: skip
LONGEST_PLACEHOLDER = max(map(len, PLACEHOLDERS))

LONGEST_NAME = 200


class QuickOutputs:
    """The quick way for long tables: a row an output, with columns for item, system and output."""

    def __init__(self, picker: Picker, rules: Rules, about: Sequence[str]) -> None:
        self._is_long = (
            [measure.bound for measure in picker.measures] == [{}]
            and picker.single.keys() >= {"item_id", "system"}
            and not picker.constants
            and "system_kind" not in about  # it is about the system, not about the item
            and rules.items is rules.systems is None
        )
        if self._is_long:
            at = picker.single["item_id"], picker.single["system"], picker.measures[0].index
            self._pick = itemgetter(*at)
        self._longest = rules.longest_text
        # The columns about the item; what they held in the last row that was looked at closely.
        self._columns = [at for indexes in picker.repeated.values() for at in indexes]
        self._columns += [picker.single[name] for name in about if name in picker.single]
        self._item, self._cells = "", list[object]()
        self._about: tuple[Any, ...] = OutputRow("", "", "")[3:-1]
        self._plain_item: str | None = None  # the last identifier that was found plain
        self._copies = frozenset[str]()  # texts that an output must not be equal to

    def remember(self, raw: RawRow, item_id: str, about: dict[str, Any]) -> None:
        """Keep what a row says about its item; it holds for the rows with the same cells."""
        if self._is_long and self._columns:
            row = OutputRow(item_id, "", "", **about)
            self._item, self._cells = item_id, [raw.cells[at] for at in self._columns]
            self._about = row[3:-1]
            self._copies = frozenset(
                text.strip() for text in (*row.references, "\n".join(row.source))
            )

    def row(self, raw: RawRow) -> OutputRow | None:
        """Return the row of a record of which nothing is to be said; None where it may be."""
        if not self._is_long:
            return None
        item, system, text = self._pick(raw.cells)
        if self._columns and (
            item != self._item or [raw.cells[at] for at in self._columns] != self._cells
        ):
            return None
        if item != self._plain_item:
            if not _is_plain_name(item) or OF_SPREADSHEET.fullmatch(item):
                return None
            self._plain_item = item
        if not (_is_plain_name(system) and self._is_plain(text)):
            return None
        return OutputRow._make((item, system, text, *self._about, raw.line))

    def _is_plain(self, text: object) -> bool:
        if not isinstance(text, str) or len(text) > self._longest:
            return False
        stripped = text.strip()
        return (
            stripped != ""
            and stripped not in self._copies
            and not (len(stripped) <= LONGEST_PLACEHOLDER and stripped.lower() in PLACEHOLDERS)
            and not (ANY_SIGN.search(text) or GROUPS_OF_DIGITS.search(text))
        )


def _is_plain_name(name: object) -> TypeGuard[str]:
    return (
        isinstance(name, str)
        and name.isascii()
        and "\x00" not in name
        and 0 < len(name) <= LONGEST_NAME
        and name == name.strip()
    )
