"""The fast lane of outputs: whole columns are looked at, and only what may be odd by itself.

As for ratings, nothing is judged by rules of its own: names, items and texts go to the functions
of the row-wise checks, each distinct one once, and texts only where a sign in them, their length
or their edges give a reason to.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from annotation.importing.check_outputs import ABOUT_ITEM, OutputCheck
from annotation.importing.compare_outputs import as_seen
from annotation.importing.findings import Report
from annotation.importing.keys import DistinctKeys, Ints, OneValueEach, paired
from annotation.importing.look_over import odd_places
from annotation.importing.picking import Measure, Picker
from annotation.importing.plain_blocks import (
    Array,
    Block,
    Places,
    Texts,
    indices,
    numbers,
)
from annotation.importing.quick_outputs import (
    LONGEST_NAME,
    LONGEST_PLACEHOLDER,
    NO_NAMES,
    copies_of,
    is_own_text,
)
from annotation.importing.reading import RawRow
from annotation.importing.rows import Rules
from annotation.importing.suspicions import (
    OF_SPREADSHEET,
    bad_character,
    oddities,
    without_invisible,
)
from annotation.importing.system_figures import MeasuredSystems, digests
from annotation.importing.whole_records import NotPlainError

# All that `str.strip` takes away.
SPACES = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
BEGINS_SPACE = np.isin(np.arange(256), [sign.encode()[0] for sign in SPACES])
ENDS_SPACE = np.isin(np.arange(256), [sign.encode()[-1] for sign in SPACES])
SIZE = 32  # bits of the number of bytes of a text


class _Copies(NamedTuple):
    """The texts that outputs must not be equal to, for each thing that is said about an item."""

    rows: Ints  # which of them holds for each row of the block
    texts: list[frozenset[str]]
    sizes: Ints  # each with the size of a text of it: no other row need be looked at


def can_be_plain(picker: Picker, rules: Rules) -> bool:
    """Whether every output has a column, and a system that a column, its name or a word tells."""
    named = [measure.bound.keys() for measure in picker.measures]
    told = {"system"} & (picker.single.keys() | picker.constants.keys())
    return (
        "item_id" in picker.single
        and "system_kind" not in picker.single  # it is about the system, not about the item
        and (named == [set()] if told else bool(named) and all(its == {"system"} for its in named))
        and picker.constants.keys() <= {"system"} - picker.single.keys()
        and rules.items is rules.systems is None
    )


class PlainOutputs:
    """What has been seen of a file of outputs so far, by columns."""

    def __init__(self, arrow: ModuleType, picker: Picker, rules: Rules) -> None:
        self._arrow = arrow
        self._picker = picker
        self._check = OutputCheck(picker, rules)
        self._longest = rules.longest_text
        self._item, self._system = picker.single["item_id"], picker.single.get("system")
        self._about = [at for indexes in picker.repeated.values() for at in indexes]
        self._about += [picker.single[name] for name in ABOUT_ITEM if name in picker.single]
        self._outputs, self._texts = DistinctKeys(), DistinctKeys()
        self._cases, self._sources = OneValueEach(), OneValueEach()
        self._measured = MeasuredSystems()

    @property
    def columns(self) -> dict[int, Any]:
        """The columns that are looked at, and their types: all, for lines may go on in any."""
        return dict.fromkeys(range(len(self._picker.mapping.columns)), self._arrow.string())

    def add(self, block: Block) -> None:
        """Look at a block of rows; raise `NotPlainError` if anything is not clean."""
        measures = self._picker.measures
        used = {self._item, self._system, *self._about, *(its.index for its in measures)} - {None}
        if any(at not in block or block[at].type != self._arrow.string() for at in used):
            raise NotPlainError
        items = self._items(block)
        copies = self._copies(block, items) if self._about else None
        for measure in measures:
            names, systems = self._systems(block, measure)
            hashed: Ints = np.array([*map(hash, names)], dtype=np.int64)
            self._outputs.add(paired(items, hashed[systems]))
            lengths = self._look_at(block[measure.index], copies)
            digested = self._digests(block[self._item], block[measure.index])
            self._texts.add(np.frombuffer(digested, np.int64)[::2])
            self._measured.add(names, systems, lengths, digested)

    def conclude(self, report: Report) -> None:
        """Look at all rows together; raise `NotPlainError` if anything is to be said of them."""
        are_single = self._outputs.are_distinct() and self._texts.are_distinct()
        if not (are_single and self._cases.holds() and self._sources.holds()):
            raise NotPlainError
        for _ in self._measured.conclude(report):
            raise NotPlainError
        report.n_clean = sum(figures.n_outputs for figures in report.systems.values())
        report.tallies.update({"identical_outputs": 0, "output_equals_reference": 0})

    def _items(self, block: Block) -> Ints:
        """Return a hash of the item of each row."""
        encoded = block[self._item].dictionary_encode()
        names: list[str] = encoded.dictionary.to_pylist()
        _hold_names(names)
        lowered = [*map(str.lower, names)]
        if not NO_NAMES.isdisjoint(lowered) or any(map(OF_SPREADSHEET.fullmatch, names)):
            raise NotPlainError
        are_ascii = all(map(str.isascii, names))
        hashed: Ints = np.array([*map(hash, names)], dtype=np.int64)
        alike = lowered if are_ascii else map(as_seen, names)
        seen = np.array([*map(hash, alike)], dtype=np.int64)
        self._cases.add(seen, hashed)
        items: Ints = hashed[indices(encoded)]
        return items

    def _systems(self, block: Block, measure: Measure) -> tuple[list[str], Places]:
        """Return the systems of the outputs, and which of them each output has."""
        if self._system is None:
            names = [measure.bound.get("system") or self._picker.constants["system"]]
            systems = np.zeros(len(block[self._item]), dtype=np.int32)
        else:
            encoded = block[self._system].dictionary_encode()
            names, systems = encoded.dictionary.to_pylist(), indices(encoded)
        _hold_names(names)
        return names, systems

    def _copies(self, block: Block, items: Ints) -> _Copies:
        """Look at each thing that is said about an item, once."""
        told = items
        for at in self._about:
            told = paired(told, indices(block[at].dictionary_encode()))
        _, first, rows = np.unique(told, return_index=True, return_inverse=True)
        blank = [""] * len(first)
        looked = {self._item, self._system, *self._about}
        columns = [
            block[at].take(first).to_pylist() if at in looked else blank
            for at, _ in enumerate(self._picker.mapping.columns)
        ]
        about = [self._told(cells) for cells in zip(*columns, strict=True)]
        with_source = [(hash(item), hash(source)) for item, source, _ in about if source]
        self._sources.add(*np.array(with_source, dtype=np.int64).reshape(-1, 2).T)
        texts = [copies_of(source, references) for _, source, references in about]
        sizes = [
            at << SIZE | len(text.encode()) for at, copies in enumerate(texts) for text in copies
        ]
        return _Copies(rows, texts, np.array(sizes, dtype=np.int64))

    def _told(self, cells: Sequence[object]) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
        """Return item, source and references of a row, as the row-wise check understands it."""
        try:
            next(self._check.item(RawRow(0, cells)))
        except StopIteration as end:
            item, about = end.value
        else:
            raise NotPlainError
        source = about.get("source", ())
        if any(any(True for _ in oddities(text)) for text in source):
            raise NotPlainError
        return item, source, about.get("references", ())

    def _look_at(self, column: Array, copies: _Copies | None) -> Places:
        """Look at texts and return their lengths in characters."""
        texts = Texts(column)
        sizes = np.diff(texts.bounds)
        if not sizes.all() or sizes.max() > self._longest:
            raise NotPlainError
        lengths = numbers(self._arrow.compute.utf8_length(column))
        signs = np.frombuffer(texts.together, np.uint8)
        is_close = lengths <= LONGEST_PLACEHOLDER
        is_close |= BEGINS_SPACE[signs[texts.bounds[:-1]]] | ENDS_SPACE[signs[texts.bounds[1:] - 1]]
        if copies:
            is_close |= np.isin(copies.rows << SIZE | sizes, copies.sizes)
        places = odd_places(texts.together)
        is_close[slice(None) if places is None else texts.holding(places)] = True
        for row in np.flatnonzero(is_close).tolist():
            text = texts[row]
            others = copies.texts[copies.rows[row]] if copies else ()
            if not is_own_text(text, others) or any(True for _ in oddities(text)):
                raise NotPlainError
        return lengths

    def _digests(self, items: Array, texts: Array) -> bytes:
        pairs = self._arrow.compute.binary_join_element_wise(items, texts, "\x1f")
        return digests(Texts(pairs).pieces())


def _hold_names(names: list[str]) -> None:
    """Raise `NotPlainError` where the row-wise check would say anything of one of the names."""
    together = "\n".join(names)
    if (
        without_invisible(together) != together
        or bad_character(together)
        or [name.strip() for name in names] != names
        or not all(names)
        or max(map(len, names)) > LONGEST_NAME
    ):
        raise NotPlainError
