"""A small study with texts, for tests of runs."""

from annotation.models import Reference
from tests.factories import (
    ItemFactory,
    OutputFactory,
    OutputVersionFactory,
    StudyFactory,
    SystemFactory,
    UnitFactory,
)

TEXTS = {"A": "the cat sat on the mat", "B": "a dog ran away from the cat"}


def study_with_texts(*, n_items=2, references=True, units=False, **fields):
    """Return a study with two systems, and a reference and a prior for every item."""
    study = StudyFactory(**fields)
    systems = {key: SystemFactory(study=study, key=key) for key in TEXTS}
    for number in range(n_items):
        item = ItemFactory(study=study, key=f"i{number}", source=[f"A cat sat {number} times."])
        if references:
            Reference.objects.create(
                item=item, role="reference", position=1, text=f"the cat sat {number} times"
            )
        Reference.objects.create(item=item, role="prior", position=1, text="dogs ran")
        for key, text in TEXTS.items():
            version = OutputVersionFactory(
                output=OutputFactory(item=item, system=systems[key]), text=f"{text} {number}"
            )
            if units:
                UnitFactory(output_version=version)
    return study


def new_version(study, item, system, text):
    """Replace the text of one output."""
    from annotation.models import Output

    output = Output.objects.get(item__study=study, item__key=item, system__key=system)
    output.versions.update(is_current=False)
    return OutputVersionFactory(output=output, text=text, number=2)
