"""Places are made when a study opens, and for outputs that come later."""

from collections.abc import Iterator, Sequence
from uuid import UUID, uuid4

from django.db.models import Max

from annotation.design.orders import shuffled_order
from annotation.enums import GroupKind, Layout, UnitKind
from annotation.models import Assignment, JudgeGroup, Study, Unit
from annotation.selectors.units import judged_units
from annotation.services.bulk_rows import insert_rows

_COLUMNS = ("unit_id", "group_id", "slot", "order_key", "handle")


def make_places(study: Study, *, units: Sequence[Unit] | None = None) -> int:
    """Make k free places for each unit that is judged and each group; return how many.

    The seed decides the order in which single outputs are handed out; comparisons come in the
    order of their design. In a layout of blocks all places of an item, or of a batch, stand
    together.
    """
    wanted = units if units is not None else _units(study)
    order = _order(study, wanted)
    # A language model is handed nothing: its place is made with its answer.
    groups = list(study.groups.filter(is_observed=False).exclude(kind=GroupKind.MODEL))
    insert_rows(Assignment, _COLUMNS, _places(groups, wanted, order))
    return len(wanted) * sum(group.judges_per_unit for group in groups)


def _units(study: Study) -> list[Unit]:
    if study.layout == Layout.BATCH:
        return list(judged_units(study).select_related("item__batch"))
    # The study too: known rows ask for its key one by one where it is left out.
    return list(judged_units(study).only("pk", "study_id", "item_id", "kind"))


def _places(
    groups: Sequence[JudgeGroup], units: Sequence[Unit], order: dict[int, int]
) -> Iterator[tuple[int, int, int, int, UUID]]:
    for group in groups:
        for unit in units:
            for slot in range(1, group.judges_per_unit + 1):
                yield unit.pk, group.pk, slot, order[unit.pk], uuid4()


def _order(study: Study, units: Sequence[Unit]) -> dict[int, int]:
    chance = shuffled_order([unit.pk for unit in units], seed=study.seed)
    blocks = shuffled_order(sorted({unit.item_id for unit in units}), seed=study.seed)

    def rank(unit: Unit) -> tuple[int, ...]:
        own = (0, chance[unit.pk]) if unit.kind == UnitKind.SINGLE else (1, unit.pk)
        if study.layout == Layout.ITEM:
            return blocks[unit.item_id], *own
        if study.layout == Layout.BATCH:
            batch = unit.item.batch
            number = batch.number if batch else 0
            return number, unit.item.position, *own
        return own

    return {unit.pk: place for place, unit in enumerate(sorted(units, key=rank), _first(study))}


def _first(study: Study) -> int:
    """Return where the order begins: batches that come later come after those that are there."""
    if study.layout != Layout.BATCH:
        return 0
    places = Assignment.objects.filter(unit__study=study)
    return 1 + (places.aggregate(last=Max("order_key"))["last"] or 0)
