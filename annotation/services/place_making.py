"""Places are made when a study opens, and for outputs that come later."""

from collections.abc import Iterator, Sequence

from annotation.design.orders import shuffled_order
from annotation.enums import GroupKind, Layout
from annotation.models import Assignment, JudgeGroup, Study, Unit

CHUNK = 2_000


def make_places(study: Study, *, units: Sequence[Unit] | None = None) -> int:
    """Make k free places for each unit and group; return how many.

    The seed decides the order in which they are handed out. In a layout of blocks all places of
    an item, or of a batch, stand together.
    """
    wanted = units if units is not None else list(study.units.select_related("item__batch"))
    order = _order(study, wanted)
    n_made = 0
    batch: list[Assignment] = []
    # A language model is handed nothing: its place is made with its answer.
    groups = list(study.groups.exclude(kind=GroupKind.MODEL))
    for place in _places(groups, wanted, order):
        batch.append(place)
        if len(batch) == CHUNK:
            Assignment.objects.bulk_create(batch)
            n_made, batch = n_made + len(batch), []
    Assignment.objects.bulk_create(batch)
    return n_made + len(batch)


def _places(
    groups: Sequence[JudgeGroup], units: Sequence[Unit], order: dict[int, int]
) -> Iterator[Assignment]:
    for group in groups:
        for unit in units:
            for slot in range(1, group.judges_per_unit + 1):
                yield Assignment(unit=unit, group=group, slot=slot, order_key=order[unit.pk])


def _order(study: Study, units: Sequence[Unit]) -> dict[int, int]:
    chance = shuffled_order([unit.pk for unit in units], seed=study.seed)
    blocks = shuffled_order(sorted({unit.item_id for unit in units}), seed=study.seed)

    def rank(unit: Unit) -> tuple[int, ...]:
        if study.layout == Layout.ITEM:
            return blocks[unit.item_id], chance[unit.pk]
        if study.layout == Layout.BATCH:
            batch = unit.item.batch
            number = batch.number if batch else 0
            return number, unit.item.position, chance[unit.pk]
        return (chance[unit.pk],)

    return {unit.pk: place for place, unit in enumerate(sorted(units, key=rank))}
