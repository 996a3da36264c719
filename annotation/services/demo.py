"""The demo study: made once, its ratings simulated and said to be so."""

from dataclasses import replace
from datetime import datetime

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import transaction

from annotation.demo import EMAILS
from annotation.enums import GroupKind, Role, StudyState, SystemKind
from annotation.models import Study, StudyMember
from annotation.selectors.demo import demo_study
from annotation.services.judges import add_judge
from annotation.services.loading import Source, load_file
from annotation.services.presets import SUBJECT_LINES
from annotation.services.protocol import NewGroup
from annotation.services.simulation import Crowd, simulate_group
from annotation.services.studies import change_state, create_study

SEED = 20260301
QUALITY = {"Human": 0.82, "Quill": 0.68, "Lead-7": 0.42, "Drift": 0.2}
# Third places of the crowd that stay open for the newcomer.
N_LEFT_OPEN = 24

_GROUPS = [
    NewGroup(key="expert", name="Experts", judges_per_unit=2, kind=GroupKind.EXPERT),
    NewGroup(key="crowd", name="Crowd", judges_per_unit=3, kind=GroupKind.CROWD),
]
_DESCRIPTION = (
    "Subject lines for twenty short e-mails, written for this demonstration. "
    "The ratings of the experts and of the crowd are simulated from a seed."
)


@transaction.atomic
def make_demo(*, at: datetime) -> Study:
    """Make the demo study and its accounts; where they are there, return the study as it is."""
    existing = demo_study()
    if existing is not None:
        return existing
    administrator, researcher = (
        User.objects.get_or_create(
            username=f"demo-{role}", defaults={"password": make_password(None)}
        )[0]
        for role in ("administrator", "researcher")
    )
    study = create_study(
        "demo",
        title="Subject lines for short e-mails",
        protocol=replace(SUBJECT_LINES, groups=_GROUPS, settings=_settings()),
        owner=administrator,
        seed=SEED,
        at=at,
    )
    StudyMember.objects.create(study=study, user=researcher, role=Role.RESEARCHER)
    load_file(study, Source(path=EMAILS, kind="outputs"), at=at)
    study.systems.filter(key="Human").update(kind=SystemKind.HUMAN)
    study = change_state(study, StudyState.OPEN, at=at)
    _simulate(study, at=at)
    return study


def _settings() -> dict[str, object]:
    return {**SUBJECT_LINES.settings, "description": _DESCRIPTION, "is_demo": True}


def _simulate(study: Study, *, at: datetime) -> None:
    expert, crowd = (study.groups.get(key=key) for key in ("expert", "crowd"))
    n_places = study.units.count() * crowd.judges_per_unit
    simulate_group(
        expert,
        Crowd(n_judges=2, quality=QUALITY, noise_sd=0.08, severity_sd=0.03),
        seed=SEED,
        at=at,
    )
    simulate_group(
        crowd,
        Crowd(
            n_judges=8,
            quality={system: 0.1 + 0.8 * level for system, level in QUALITY.items()},
            noise_sd=0.2,
            severity_sd=0.08,
            max_outputs=n_places - N_LEFT_OPEN,
        ),
        seed=SEED,
        at=at,
    )
    add_judge(crowd, at=at, note="the newcomer")
