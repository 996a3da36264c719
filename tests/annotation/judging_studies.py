"""Studies to be judged, set up as an administrator would, for the tests of the judge's side."""

import hashlib

from annotation.enums import DimensionKind, Measurement, StudyState
from annotation.models import Fact, Item, Judge, Output, OutputVersion, Phase, System, Unit
from annotation.selectors.judge_links import judge_token
from annotation.services.judge_preferences import mark_read
from annotation.services.judges import add_judge
from annotation.services.protocol import (
    NewDimension,
    NewGroup,
    NewPhase,
    NewScale,
    Protocol,
)
from annotation.services.studies import change_state, create_study
from tests.factories import NOON

QUALITY = NewScale("quality", points=[(1, "Poor"), (2, "Fair"), (3, "Good"), (4, "Great")])
FLUENCY6 = NewScale("fluency6", points=[(n, f"Level {n}") for n in range(1, 7)])
PRESENCE = NewScale(
    "presence", points=[(1, "Present"), (0, "Absent")], measurement=Measurement.NOMINAL
)
PERCENT = NewScale("percent", limits=(0, 100, 1), measurement=Measurement.INTERVAL)
SCALES = [QUALITY, FLUENCY6, PRESENCE, PERCENT]
# Names that must never reach a judge.
SYSTEM_NAMES = ["secretlab-zeta", "secretlab-alpha", "secretlab-mid"]
MAIL = (
    "Hello all,\nThe north stairwell will be closed from Monday to Friday while the handrails are "
    "replaced. The lifts run as usual.\nPlease take bicycles off the landings by this Friday."
)
INSTRUCTIONS = "# Rate each subject line\n\nRead the e-mail **first**. <script>alert(1)</script>"


def three_dimensions(**settings):
    """Return three dimensions on one scale from 1 to 4."""
    return [
        NewDimension(
            key, key.title(), scale="quality", question=f"How about its {key}?",
            definition=f"What {key} means.", **settings,
        )
        for key in ("informativeness", "fluency", "overall")
    ]  # fmt: skip


def make_study(dimensions=None, *, n_items=6, n_systems=1, opened=True, **given):
    """Create and open a study; return its group of judges."""
    asked = dimensions or three_dimensions()
    default = [NewPhase("main", "Rating", asked, instructions=INSTRUCTIONS)]
    phases, k = given.pop("phases", default), given.pop("k", 3)
    source, facts = given.pop("source", MAIL), given.pop("facts", ())
    settings = {"source_title": "E-mail", "output_title": "Subject line", **given}
    study = create_study(
        "mails",
        title="Subject lines for work e-mails",
        protocol=Protocol(
            scales=SCALES,
            phases=phases,
            groups=[NewGroup("crowd", "Crowd", k)],
            settings=settings,
        ),
        at=NOON,
        seed=7,
    )
    systems = [
        System.objects.create(study=study, key=SYSTEM_NAMES[n], position=n + 1)
        for n in range(n_systems)
    ]
    for number in range(1, n_items + 1):
        item = Item.objects.create(
            study=study, key=f"mail-{number}", position=number, source=[source], language="en"
        )
        Fact.objects.bulk_create(
            Fact(item=item, position=place, key=f"f{place}", text=text)
            for place, text in enumerate(facts, start=1)
        )
        for system in systems:
            add_output(item, system, text=f"Stairwell closed, notice {number}.{system.position}")
    if opened:
        change_state(study, StudyState.OPEN, at=NOON)
    return study.groups.get()


def add_output(item, system, *, text):
    """Store an output and the unit that is judged."""
    output = Output.objects.create(item=item, system=system)
    version = OutputVersion.objects.create(
        output=output, text=text, checksum=hashlib.sha256(text.encode()).hexdigest()
    )
    return Unit.objects.create(study=item.study, item=item, output_version=version, system=system)


def make_judge(group, *, has_read=True, **preferences):
    """Return a judge, who has read the instructions unless told otherwise, and their link."""
    judge = add_judge(group, at=NOON)
    if has_read:
        for phase in Phase.objects.filter(study=group.study):
            mark_read(judge, phase, at=NOON)
    if preferences:
        judge.preferences = {**judge.preferences, **preferences}
        judge.save()
    judge = Judge.objects.select_related("study", "group").get(pk=judge.pk)
    return judge, judge_token(judge)


def fact_dimension(key="coverage", **settings):
    """Return a dimension asked of each fact."""
    return NewDimension(key, key.title(), kind=DimensionKind.FACTS, scale="presence", **settings)
