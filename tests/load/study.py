"""Make a study of so many outputs and judges, three dimensions, k = 3: ``... study 80 8``.

Prints the seconds that opening it took and the tokens of the judges, as JSON.
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
    print(json.dumps({"opening": opening, "tokens": [judge_token(judge) for judge in judges]}))


def add_outputs(study, n_outputs):
    from annotation.models import Item, Output, OutputVersion, System, Unit

    def stored(model, rows):
        return model.objects.bulk_create(rows, batch_size=2000)

    systems = [System.objects.create(study=study, key=f"s{n}", position=n) for n in range(4)]
    source = ["An e-mail. " * 40]
    items = stored(
        Item,
        [Item(study=study, key=f"i{n}", position=n, source=source) for n in range(n_outputs // 4)],
    )
    outputs = stored(Output, [Output(item=item, system=s) for item in items for s in systems])
    versions = stored(
        OutputVersion,
        [OutputVersion(output=o, text=f"A subject line {o.pk}", checksum="0") for o in outputs],
    )
    units = [
        Unit(study=study, item_id=v.output.item_id, system_id=v.output.system_id, output_version=v)
        for v in versions
    ]
    stored(Unit, units)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
