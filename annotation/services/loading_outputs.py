"""Outputs from a file into a study: new ones added, changed ones as new versions."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from django.core.exceptions import ValidationError
from django.db.models import Max

from annotation.importing import OutputRow
from annotation.models import (
    Batch,
    Fact,
    Item,
    Output,
    OutputVersion,
    Reference,
    Study,
    System,
    Unit,
)

CHUNK = 1_000


@dataclass(slots=True)
class Loaded:
    """What a load did, in counts of outputs; ``new_units`` are those without places yet."""

    n_new: int = 0
    n_changed: int = 0
    n_unchanged: int = 0
    new_units: list[int] = field(default_factory=list)

    def as_json(self) -> dict[str, int]:
        """Return the counts."""
        return {"new": self.n_new, "changed": self.n_changed, "unchanged": self.n_unchanged}


def checksum_of(text: str) -> str:
    """Return the SHA-256 of a text, which tells a changed output from the same one."""
    return hashlib.sha256(text.encode()).hexdigest()


class OutputLoader:
    """Writes rows of outputs into one study, chunk by chunk, inside the caller's transaction."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._items = dict(study.items.values_list("key", "pk"))
        self._systems = dict(study.systems.values_list("key", "pk"))
        self._batches = dict(study.batches.values_list("number", "pk"))
        self._n_positions = study.items.aggregate(last=Max("position"))["last"] or 0
        self._described = set(self._items)
        self.loaded = Loaded()

    def load(self, rows: Iterable[OutputRow]) -> Loaded:
        """Write all rows; return the counts."""
        remaining = iter(rows)
        while chunk := list(islice(remaining, CHUNK)):
            self.load_chunk(chunk)
        return self.loaded

    def load_chunk(self, rows: Sequence[OutputRow]) -> None:
        """Write one chunk of rows."""
        self._add_systems(rows)
        self._add_items(rows)
        self._describe_items(rows)
        self._add_outputs(rows)

    def _add_systems(self, rows: Sequence[OutputRow]) -> None:
        new = [key for key in dict.fromkeys(row.system for row in rows) if key not in self._systems]
        systems = System.objects.bulk_create(
            System(study=self._study, key=key, position=len(self._systems) + offset)
            for offset, key in enumerate(new, start=1)
        )
        self._systems.update({system.key: system.pk for system in systems})

    def _add_items(self, rows: Sequence[OutputRow]) -> None:
        new = [key for key in dict.fromkeys(row.item_id for row in rows) if key not in self._items]
        batch_of = {row.item_id: self._batch(row.batch) for row in rows if row.batch}
        items = Item.objects.bulk_create(
            Item(
                study=self._study,
                key=key,
                position=self._n_positions + offset,
                batch_id=batch_of.get(key),
            )
            for offset, key in enumerate(new, start=1)
        )
        self._n_positions += len(new)
        self._items.update({item.key: item.pk for item in items})

    def _batch(self, name: str) -> int:
        if not name.isdecimal():
            raise ValidationError(f"A batch has a whole number, not {name!r}.")
        number = int(name)
        if number not in self._batches:
            batch = Batch.objects.create(study=self._study, number=number)
            self._batches[number] = batch.pk
        return self._batches[number]

    def _describe_items(self, rows: Sequence[OutputRow]) -> None:
        """Store source, references and facts of items that have none yet."""
        tellers = {
            row.item_id: row
            for row in reversed(rows)
            if row.item_id not in self._described and (row.source or row.references or row.facts)
        }
        items = {
            item.key: item
            for item in Item.objects.filter(pk__in=[self._items[key] for key in tellers])
        }
        for key, row in tellers.items():
            items[key].source = list(row.source)
            items[key].language = row.language
            items[key].domain = row.domain
        Item.objects.bulk_update(items.values(), ["source", "language", "domain"], batch_size=200)
        Reference.objects.bulk_create(
            reference for key, row in tellers.items() for reference in _references(items[key], row)
        )
        Fact.objects.bulk_create(
            Fact(item=items[key], position=position, key=str(position), text=text)
            for key, row in tellers.items()
            for position, text in enumerate(row.facts, start=1)
        )
        self._described.update(tellers)

    def _add_outputs(self, rows: Sequence[OutputRow]) -> None:
        wanted = {(self._items[row.item_id], self._systems[row.system]): row for row in rows}
        stored = self._stored(rows)
        new = {key: row for key, row in wanted.items() if key not in stored}
        self._add_versions(
            [
                (output, new[output.item_id, output.system_id].output)
                for output in Output.objects.bulk_create(
                    Output(item_id=item, system_id=system) for item, system in new
                )
            ]
        )
        self.loaded.n_new += len(new)
        for key, version in stored.items():
            if key in wanted:
                self._compare(version, wanted[key].output)

    def _stored(self, rows: Sequence[OutputRow]) -> dict[tuple[int, int], OutputVersion]:
        versions = OutputVersion.objects.filter(
            is_current=True, output__item__in={self._items[row.item_id] for row in rows}
        ).select_related("output")
        return {(v.output.item_id, v.output.system_id): v for v in versions}

    def _add_versions(
        self, texts: Sequence[tuple[Output, str]], *, numbers: dict[int, int] | None = None
    ) -> None:
        versions = OutputVersion.objects.bulk_create(
            OutputVersion(
                output=output,
                text=text,
                checksum=checksum_of(text),
                number=(numbers or {}).get(output.pk, 1),
            )
            for output, text in texts
        )
        units = Unit.objects.bulk_create(
            Unit(
                study=self._study,
                item_id=version.output.item_id,
                system_id=version.output.system_id,
                output_version=version,
            )
            for version in versions
        )
        self.loaded.new_units += [unit.pk for unit in units]

    def _compare(self, version: OutputVersion, text: str) -> None:
        """Keep an equal text, replace one that nobody was given, else add a version."""
        if version.checksum == checksum_of(text):
            self.loaded.n_unchanged += 1
            return
        self.loaded.n_changed += 1
        given = version.unit.assignments.filter(judge__isnull=False)
        if not given.exists():
            version.text, version.checksum = text, checksum_of(text)
            version.save(update_fields=["text", "checksum"])
            return
        # Free places of the old text go: it is judged no further, its ratings stay with it.
        version.unit.assignments.filter(judge__isnull=True).delete()
        version.is_current = False
        version.save(update_fields=["is_current"])
        self._add_versions(
            [(version.output, text)], numbers={version.output_id: version.number + 1}
        )


def _references(item: Item, row: OutputRow) -> list[Reference]:
    texts = [("reference", row.references), ("prior", row.prior_references)]
    return [
        Reference(item=item, role=role, position=position, text=text)
        for role, given in texts
        for position, text in enumerate(given, start=1)
    ]
