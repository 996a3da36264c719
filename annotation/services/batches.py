"""Fixed batches of items, for a study that is judged in batches."""

from itertools import count

from django.db.models import Max

from annotation.enums import Layout
from annotation.models import Batch, Item, Study


def fill_batches(study: Study) -> int:
    """Put the items that came without a batch into new ones of ``page_size``; return how many.

    Batches that are there stay as they are: judges may hold them. Nothing is done in other layouts.
    Call it in a transaction.
    """
    if study.layout != Layout.BATCH:
        return 0
    items = list(study.items.filter(batch=None).order_by("position").only("pk"))
    last = study.batches.aggregate(last=Max("number"))["last"] or 0
    starts = range(0, len(items), study.page_size)
    batches = Batch.objects.bulk_create(
        Batch(study=study, number=number)
        for number, _ in zip(count(last + 1), starts, strict=False)
    )
    for batch, start in zip(batches, starts, strict=True):
        for item in items[start : start + study.page_size]:
            item.batch = batch
    Item.objects.bulk_update(items, ["batch"], batch_size=1_000)
    return len(batches)
