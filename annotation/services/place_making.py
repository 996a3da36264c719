"""Places are made when a study opens, and for outputs that come later."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from django.db.models import Max, QuerySet

from annotation.design.orders import shuffled_order
from annotation.enums import GroupKind, Layout, UnitKind
from annotation.models import Assignment, Item, JudgeGroup, Study, Unit
from annotation.selectors.units import judged_units
from annotation.services.bulk_rows import count_anew, insert_rows, random_handles, room_for_keys

# Called with rows done and rows in all (0 where unknown).
Tell = Callable[[int, int], object]
UNITS_AT_ONCE = 5_000
_COLUMNS = ("unit_id", "group_id", "slot", "order_key", "handle")


class _Judged(NamedTuple):
    """What the order of a unit's places is made of."""

    pk: int
    item: int
    kind: str
    batch: int | None = None
    position: int = 0


def make_places(
    study: Study, *, units: Sequence[int] | None = None, tell: Tell | None = None
) -> int:
    """Make k free places for each unit that is judged and each group; return how many.

    The seed decides the order in which single outputs are handed out; comparisons come in the
    order of their design. In a layout of blocks all places of an item, or of a batch, stand
    together. ``units`` are the keys of those that came later; without them all are meant.
    """
    wanted = _judged(study, units)
    order = _order(study, wanted)
    # A language model is handed nothing: its place is made with its answer.
    groups = list(study.groups.filter(is_observed=False).exclude(kind=GroupKind.MODEL))
    total = len(wanted) * sum(group.judges_per_unit for group in groups)
    done = 0
    with room_for_keys():
        for group in groups:
            for first in range(0, len(wanted), UNITS_AT_ONCE):
                if tell is not None:
                    tell(done, total)
                some = wanted[first : first + UNITS_AT_ONCE]
                insert_rows(Assignment, _COLUMNS, _places(group, some, order))
                done += len(some) * group.judges_per_unit
    count_anew(total, Assignment, Unit, Item)
    return total


def _judged(study: Study, keys: Sequence[int] | None) -> list[_Judged]:
    units = judged_units(study).order_by("pk")
    if keys is None:
        return _rows(study, units)
    return [
        row
        for first in range(0, len(keys), UNITS_AT_ONCE)
        for row in _rows(study, units.filter(pk__in=keys[first : first + UNITS_AT_ONCE]))
    ]


def _rows(study: Study, units: QuerySet[Unit]) -> list[_Judged]:
    columns = ["pk", "item", "kind"]
    if study.layout == Layout.BATCH:
        columns += ["item__batch__number", "item__position"]
    return [_Judged(*row) for row in units.values_list(*columns).iterator(chunk_size=UNITS_AT_ONCE)]


def _places(
    group: JudgeGroup, units: Sequence[_Judged], order: dict[int, int]
) -> Iterator[tuple[int, int, int, int, str]]:
    slots = range(1, group.judges_per_unit + 1)
    handles = iter(random_handles(len(units) * len(slots)))
    for unit in units:
        for slot in slots:
            yield unit.pk, group.pk, slot, order[unit.pk], next(handles)


def _order(study: Study, units: Sequence[_Judged]) -> dict[int, int]:
    chance = shuffled_order([unit.pk for unit in units], seed=study.seed)
    blocks = shuffled_order(sorted({unit.item for unit in units}), seed=study.seed)

    def rank(unit: _Judged) -> tuple[int, ...]:
        own = (0, chance[unit.pk]) if unit.kind == UnitKind.SINGLE else (1, unit.pk)
        if study.layout == Layout.ITEM:
            return blocks[unit.item], *own
        if study.layout == Layout.BATCH:
            return unit.batch or 0, unit.position, *own
        return own

    return {unit.pk: place for place, unit in enumerate(sorted(units, key=rank), _first(study))}


def _first(study: Study) -> int:
    """Return where the order begins: batches that come later come after those that are there."""
    if study.layout != Layout.BATCH:
        return 0
    places = Assignment.objects.filter(unit__study=study)
    return 1 + (places.aggregate(last=Max("order_key"))["last"] or 0)
