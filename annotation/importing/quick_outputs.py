"""Outputs of which nothing is to be said: recognised by few looks, and built at once.

Most rows of a file are such. This judges nothing by rules of its own: what may be odd in any way
is left to the check of outputs, which says what it is, and so is the first row of each item.
"""

from collections.abc import Container, Sequence
from operator import itemgetter
from typing import Any, TypeGuard

from annotation.importing.look_over import suspects
from annotation.importing.picking import Picker
from annotation.importing.reading import RawRow
from annotation.importing.rows import OutputRow, Rules
from annotation.importing.suspicions import OF_SPREADSHEET

PLACEHOLDERS = frozenset({
    "nan", "none", "null", "[]", "{}", "n/a", "#n/a", "undefined", "#ref!", "#name?", "#value!",
    "#div/0!", "#num!", "#null!",
})  # fmt: skip
# What programs write for an identifier that is not there. NA may be one, as in Namibia.
NO_NAMES = frozenset({"none", "nan", "null", "undefined", "<na>"})
NOTHING = PLACEHOLDERS | {""}
LONGEST_PLACEHOLDER = max(map(len, PLACEHOLDERS))

LONGEST_NAME = 200


# `OutputRow._make` without its check of the length, which takes half of its time.
_made = tuple.__new__


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
            self._text_at = at[2]
        self._suspects = frozenset[int]()  # of the batch looked over: places, not to be taken
        self._longest = rules.longest_text
        # The columns about the item; what they held in the last row that was looked at closely.
        self._columns = [at for indexes in picker.repeated.values() for at in indexes]
        self._columns += [picker.single[name] for name in about if name in picker.single]
        self._item, self._cells = "", list[object]()
        self._about: tuple[Any, ...] = OutputRow("", "", "")[3:-1]
        self._plain_item: str | None = None  # the last identifier that was found plain
        self._plain_systems = set[str]()
        self._copies = frozenset[str]()  # texts that an output must not be equal to

    def remember(self, raw: RawRow, item_id: str, about: dict[str, Any]) -> None:
        """Keep what a row says about its item; it holds for the rows with the same cells."""
        if self._is_long and self._columns:
            row = OutputRow(item_id, "", "", **about)
            self._item, self._cells = item_id, [raw.cells[at] for at in self._columns]
            self._about = row[3:-1]
            self._copies = copies_of(row.source, row.references)

    def look_over(self, batch: Sequence[object]) -> None:
        """Look over the texts of a batch at once; `row` then tells of each."""
        if self._is_long:
            cells = [raw.cells[self._text_at] for raw in batch if isinstance(raw, RawRow)]
            texts = [cell if isinstance(cell, str) else "" for cell in cells]
            self._suspects = suspects(texts)

    def row(self, raw: RawRow, place: int) -> OutputRow | None:
        """Return the row of a record of which nothing is to be said; None where it may be.

        ``place`` is that of the record among those of the batch.
        """
        if not self._is_long or place in self._suspects:
            return None
        item, system, text = self._pick(raw.cells)
        if self._columns and (
            item != self._item or [raw.cells[at] for at in self._columns] != self._cells
        ):
            return None
        if not (self._are_plain(item, system) and self._is_plain(text)):
            return None
        return _made(OutputRow, (item, system, text, *self._about, raw.line))

    def _are_plain(self, item: object, system: object) -> bool:
        """Whether two names are plain; those that were so before are not looked at again."""
        if self._plain_item is None or item != self._plain_item:
            if not _is_plain_name(item) or OF_SPREADSHEET.fullmatch(item) or _is_no_name(item):
                return False
            self._plain_item = item
        if not isinstance(system, str) or system not in self._plain_systems:
            if not _is_plain_name(system):
                return False
            self._plain_systems.add(system)
        return True

    def _is_plain(self, text: object) -> bool:
        """Whether a text that is no suspect is neither empty, too long, nor a copy."""
        if not isinstance(text, str) or len(text) > self._longest:
            return False
        return is_own_text(text, self._copies)


def is_own_text(text: str, copies: Container[str]) -> bool:
    """Whether a text is neither empty, nor a word for nothing, nor a copy."""
    stripped = text.strip()
    if len(stripped) <= LONGEST_PLACEHOLDER and stripped.lower() in NOTHING:
        return False
    return stripped not in copies


def copies_of(source: Sequence[str], references: Sequence[str]) -> frozenset[str]:
    """Return the texts that no output of an item may be equal to."""
    return frozenset(text.strip() for text in (*references, "\n".join(source)))


def _is_no_name(name: str) -> bool:
    return len(name) <= LONGEST_PLACEHOLDER and name.lower() in NO_NAMES


def _is_plain_name(name: object) -> TypeGuard[str]:
    return (
        isinstance(name, str)
        and name.isascii()
        and "\x00" not in name
        and 0 < len(name) <= LONGEST_NAME
        and name == name.strip()
    )
