"""Items and systems from rows of outputs: added where new, described where nothing is said yet."""

from collections.abc import Iterator, Sequence

from django.core.exceptions import ValidationError
from django.db.models import Max

from annotation.enums import SystemKind
from annotation.importing import OutputRow
from annotation.models import Batch, Fact, Item, Reference, Study, System
from annotation.services.bulk_rows import insert_rows, reserve_ids

ABOUT = ("language", "domain", "document")


class ItemLoader:
    """Writes what rows of outputs say about items, inside the caller's transaction.

    ``items`` and ``systems`` give the primary keys by name.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self.items = dict(study.items.values_list("key", "pk").iterator())
        self.systems = dict(study.systems.values_list("key", "pk"))
        self._batches = dict(study.batches.values_list("number", "pk"))
        self._n_positions = study.items.aggregate(last=Max("position"))["last"] or 0
        blank = study.items.filter(source=[], references__isnull=True, facts__isnull=True)
        self._undescribed = set(blank.values_list("key", flat=True))

    def load_chunk(self, rows: Sequence[OutputRow]) -> None:
        """Add the items and systems of one chunk of rows."""
        self._add_systems(rows)
        tellers = _tellers(rows)
        new = [row for key, row in tellers.items() if key not in self.items]
        late = [
            row
            for key, row in tellers.items()
            if key in self._undescribed and _describes(row) and key in self.items
        ]
        self._add_items(new)
        self._describe(late)
        self._add_texts([*new, *late])

    def _add_systems(self, rows: Sequence[OutputRow]) -> None:
        new = [key for key in dict.fromkeys(row.system for row in rows) if key not in self.systems]
        kinds = {row.system: row.system_kind for row in rows if row.system_kind}
        systems = System.objects.bulk_create(
            System(
                study=self._study,
                key=key,
                position=len(self.systems) + offset,
                kind=kinds.get(key, SystemKind.MACHINE),
            )
            for offset, key in enumerate(new, start=1)
        )
        self.systems.update({system.key: system.pk for system in systems})

    def _add_items(self, rows: Sequence[OutputRow]) -> None:
        first, study = self._n_positions + 1, self._study.pk
        keys = reserve_ids(Item, len(rows))
        batches = [self._batch(row) for row in rows]
        cells = zip(keys, rows, batches, range(first, first + len(rows)), strict=True)
        insert_rows(
            Item,
            ("id", "study_id", "key", "position", "batch_id", "source", *ABOUT),
            (
                (pk, study, row.item_id, at, batch, list(row.source), *_about(row))
                for pk, row, batch, at in cells
            ),
        )
        self._n_positions += len(rows)
        self.items.update(zip((row.item_id for row in rows), keys, strict=True))
        self._undescribed.update(row.item_id for row in rows if not _describes(row))

    def _batch(self, row: OutputRow) -> int | None:
        if not row.batch:
            return None
        if not row.batch.isdecimal():
            raise ValidationError(
                f"Line {row.line}: a batch has a whole number, not {row.batch!r}. "
                "Leave the column out of the mapping, or write 1, 2, 3."
            )
        number = int(row.batch)
        if number not in self._batches:
            self._batches[number] = Batch.objects.create(study=self._study, number=number).pk
        return self._batches[number]

    def _describe(self, rows: Sequence[OutputRow]) -> None:
        """Store the source of items that came without one."""
        items = Item.objects.in_bulk([self.items[row.item_id] for row in rows])
        for row in rows:
            item = items[self.items[row.item_id]]
            item.source = list(row.source)
            item.language, item.domain, item.document = _about(row)
        Item.objects.bulk_update(items.values(), ["source", *ABOUT], batch_size=200)
        self._undescribed.difference_update(row.item_id for row in rows)

    def _add_texts(self, rows: Sequence[OutputRow]) -> None:
        insert_rows(
            Reference,
            ("item_id", "role", "position", "text"),
            (
                (self.items[row.item_id], role, position, text)
                for row in rows
                for role, position, text in _references(row)
            ),
        )
        insert_rows(
            Fact,
            ("item_id", "position", "key", "text"),
            (
                (self.items[row.item_id], position, str(position), text)
                for row in rows
                for position, text in enumerate(row.facts, start=1)
            ),
        )


def _about(row: OutputRow) -> tuple[str, str, str]:
    return row.language, row.domain, row.document


def _tellers(rows: Sequence[OutputRow]) -> dict[str, OutputRow]:
    """Return for each item the first row that says something about it, else its first row."""
    tellers: dict[str, OutputRow] = {}
    for row in rows:
        known = tellers.get(row.item_id)
        if known is None or (not _describes(known) and _describes(row)):
            tellers[row.item_id] = row
    return tellers


def _describes(row: OutputRow) -> bool:
    return bool(row.source or row.references or row.prior_references or row.facts)


def _references(row: OutputRow) -> Iterator[tuple[str, int, str]]:
    for role, texts in (("reference", row.references), ("prior", row.prior_references)):
        for position, text in enumerate(texts, start=1):
            yield role, position, text
