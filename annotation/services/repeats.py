"""Repeats: an output shown to the same judge again, for agreement with oneself."""

import random

from annotation.models import Assignment, Judge

# An output comes again only after so many others, so that it is judged anew, not remembered.
APART = 5


def due_repeats(judge: Judge, *, n_new: int) -> list[Assignment]:
    """Return the repeats that go before the next new outputs, unsaved; none with no new ones.

    Chance decides, from the study's seed, the judge and how far they are, so that the same
    history gives the same repeats. No output is repeated twice.
    """
    percent = judge.study.repeat_percent
    if not percent or not n_new:
        return []
    done = list(
        Assignment.objects.filter(
            judge=judge, submitted_at__isnull=False, repeat_of__isnull=True, repeats__isnull=True
        ).order_by("position")[:1_000]
    )
    rng = random.Random(f"{judge.study.seed}/{judge.pk}/{len(done)}")  # noqa: S311 -- a design
    ripe = done[:-APART]
    n_wanted = sum(rng.random() * 100 < percent for _ in range(n_new))
    chosen = rng.sample(ripe, min(n_wanted, len(ripe)))
    return [Assignment(unit_id=row.unit_id, group_id=row.group_id, repeat_of=row) for row in chosen]
