"""The pairs and sets of a study by the names that files have for them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from annotation.enums import UnitKind
from annotation.importing import ChoiceRow
from annotation.models import OutputVersion, Study, Unit, UnitMember
from annotation.selectors.units import OUTDATED
from annotation.services.bulk_rows import insert_rows, reserve_ids


@dataclass(frozen=True, slots=True)
class ComparedUnit:
    """A pair or set: the keys of its members and their systems, both as they are shown."""

    pk: int
    systems: tuple[str, ...]
    members: tuple[int, ...]


class ComparedUnits:
    """Finds the pairs and sets that rows are about; before a study is opened, adds those it lacks.

    A pair that the study shows in the other order is the same pair.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._known: dict[tuple[str, frozenset[str]], ComparedUnit] = {}
        for item, unit in _stored(study):
            self._known[item, frozenset(unit.systems)] = unit
        self._texts = _texts(study)
        self._items = dict(study.items.values_list("key", "pk"))

    def of(self, rows: Sequence[ChoiceRow]) -> list[ComparedUnit]:
        """Return the unit of every row; raise ValidationError where the study cannot have it."""
        lacking: dict[tuple[str, frozenset[str]], ChoiceRow] = {}
        for row in rows:
            if (key := _key(row)) not in self._known:
                self._refuse_what_cannot_be(row)
                lacking.setdefault(key, row)
        self._add(list(lacking.values()))
        return [self._known[_key(row)] for row in rows]

    def _refuse_what_cannot_be(self, row: ChoiceRow) -> None:
        line, item = row.rating.line, row.rating.item_id
        for system in row.systems:
            if (item, system) not in self._texts:
                raise ValidationError(
                    f"Line {line}: the study has no output of {system} for {item}. Upload the "
                    "outputs first."
                )
        if self._study.opened_at is not None:
            raise ValidationError(
                f"Line {line}: the study does not compare {', '.join(row.systems)} of {item}. Take "
                "the line out, or load the file into a study that is not opened yet."
            )

    def _add(self, rows: Sequence[ChoiceRow]) -> None:
        units = reserve_ids(Unit, len(rows))
        named = ("id", "study_id", "item_id", "kind")
        insert_rows(
            Unit,
            named,
            [
                (unit, self._study.pk, self._items[row.rating.item_id], _kind(row))
                for unit, row in zip(units, rows, strict=True)
            ],
        )
        members = reserve_ids(UnitMember, sum(len(row.systems) for row in rows))
        left = iter(members)
        cells: list[tuple[int, ...]] = []
        for unit, row in zip(units, rows, strict=True):
            own = tuple(next(left) for _ in row.systems)
            self._known[_key(row)] = ComparedUnit(unit, row.systems, own)
            cells += [
                (member, unit, position, self._texts[row.rating.item_id, system])
                for position, (member, system) in enumerate(
                    zip(own, row.systems, strict=True), start=1
                )
            ]
        insert_rows(UnitMember, ("id", "unit_id", "position", "output_version_id"), cells)


def _key(row: ChoiceRow) -> tuple[str, frozenset[str]]:
    return row.rating.item_id, frozenset(row.systems)


def _kind(row: ChoiceRow) -> str:
    return UnitKind.PAIR.value if len(row.systems) == 2 else UnitKind.SET.value


def _stored(study: Study) -> list[tuple[str, ComparedUnit]]:
    """Return the comparisons of current texts, each with the key of its item."""
    current = study.units.exclude(kind=UnitKind.SINGLE).exclude(OUTDATED)
    rows = UnitMember.objects.filter(unit__in=current).order_by("unit", "position")
    found: dict[int, tuple[str, list[str], list[int]]] = {}
    for unit, item, member, system in rows.values_list(
        "unit", "unit__item__key", "pk", "output_version__output__system__key"
    ):
        _, systems, members = found.setdefault(unit, (item, [], []))
        systems.append(system)
        members.append(member)
    return [
        (item, ComparedUnit(unit, tuple(systems), tuple(members)))
        for unit, (item, systems, members) in found.items()
    ]


def _texts(study: Study) -> dict[tuple[str, str], int]:
    current = OutputVersion.objects.filter(output__item__study=study, is_current=True)
    rows = current.values_list("output__item__key", "output__system__key", "pk")
    return {(item, system): version for item, system, version in rows}
