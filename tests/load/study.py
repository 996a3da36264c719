"""Make a study of so many outputs and judges, three dimensions, k = 3: ``... study 80 8``.

Prints, as JSON, the seconds that opening it took, the tokens of the judges, and in words how fast
one may be.
"""

import json
import sys
import time

import django

SLUG = "bench"
K = 3
DIMENSIONS = ["informativeness", "fluency", "overall"]


def main(n_outputs, n_judges):
    django.setup()
    from django.utils import timezone

    from annotation.api.access import JudgeThrottle
    from annotation.enums import StudyState
    from annotation.models import Judge
    from annotation.selectors.judge_links import judge_token
    from annotation.services.judges import add_judge
    from annotation.services.presets import SUBJECT_LINES
    from annotation.services.studies import change_state, create_study

    now = timezone.now()
    study = create_study(SLUG, title="Bench", protocol=SUBJECT_LINES, at=now, seed=1)
    add_outputs(study, n_outputs)
    started = time.perf_counter()
    change_state(study, StudyState.OPEN, at=now)
    opening = time.perf_counter() - started
    group = study.groups.get()
    assert group.judges_per_unit == K
    judges = [add_judge(group, at=now) for _ in range(n_judges)]
    Judge.objects.update(instructed_at=now, preferences={"phases_read": ["rating"]})
    tokens = [judge_token(judge) for judge in judges]
    limit = f"a judge may make {JudgeThrottle.refill_per_second:.0f} requests a second for long"
    print(json.dumps({"opening": opening, "tokens": tokens, "limit": limit}))


def add_outputs(study, n_outputs):
    """Store items with four outputs each; a million of them in less than a minute."""
    from django.db import transaction

    from annotation.models import Item, Output, OutputVersion, System, Unit
    from annotation.services.bulk_rows import insert_rows, reserve_ids

    def stored(model, names, rows):
        keys = reserve_ids(model, len(rows))
        insert_rows(model, ("id", *names), ((key, *row) for key, row in zip(keys, rows)))  # noqa: B905 -- as long
        return keys

    systems = [System.objects.create(study=study, key=f"s{n}", position=n) for n in range(4)]
    source, numbers = ["An e-mail. " * 40], range(n_outputs // 4)
    with transaction.atomic():
        names = ("study_id", "key", "position", "source")
        items = stored(Item, names, [(study.pk, f"i{n}", n, source) for n in numbers])
        pairs = [(item, system.pk) for item in items for system in systems]
        outputs = stored(Output, ("item_id", "system_id"), pairs)
        texts = [(output, 1, f"A subject line {output}", "0", True) for output in outputs]
        names = ("output_id", "number", "text", "checksum", "is_current")
        versions = stored(OutputVersion, names, texts)
        names = ("study_id", "kind", "item_id", "system_id", "output_version_id")
        units = [(study.pk, "single", *of, version) for of, version in zip(pairs, versions)]  # noqa: B905 -- as long
        stored(Unit, names, units)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
