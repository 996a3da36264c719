"""Opening a study and trying it with simulated judges, from the command line."""

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Judge
from tests.factories import (
    AssignmentFactory,
    DimensionFactory,
    JudgeGroupFactory,
    StudyFactory,
    UnitFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    study = StudyFactory(slug="mail", state="draft")
    DimensionFactory(phase__study=study)
    UnitFactory(output_version__output__item__study=study)
    JudgeGroupFactory(study=study, judges_per_unit=2)
    return study


def test_a_study_is_opened_simulated_and_closed(study, capsys):
    call_command("set_state", "mail", "open")
    call_command("simulate", "mail", "--seed", "4")
    call_command("set_state", "mail", "closed", "--reason", "enough")

    study.refresh_from_db()
    assert study.state == "closed"
    assert Judge.objects.filter(study=study, is_simulated=True).count() == 2
    assert study.events.filter(kind="state").last().reason == "enough"
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "The study mail is open now."
    assert said[1] == "2 simulated judges have rated; every report says so."


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["set_state", "other", "open"], "There is no study 'other'."),
        (["simulate", "other"], "There is no study 'other'."),
        (["set_state", "mail", "frozen"], "cannot become frozen"),
        (["simulate", "mail"], "Open it first"),
    ],
)
def test_what_cannot_be_is_said_and_ends_with_two(study, words, message):
    with pytest.raises(CommandError, match=message) as refusal:
        call_command(*words)

    assert refusal.value.returncode == 2
    study.refresh_from_db()
    assert study.state == "draft"


@pytest.mark.usefixtures("study")
@pytest.mark.parametrize("judges", ["0", "-1"])
def test_no_judge_is_no_simulation(judges):
    call_command("set_state", "mail", "open")

    with pytest.raises(CommandError, match="say how many"):
        call_command("simulate", "mail", "--judges", judges)


def test_people_are_never_mixed_with_the_simulated(study):
    call_command("set_state", "mail", "open")
    AssignmentFactory(unit__study=study, judge__group=study.groups.get())

    with pytest.raises(CommandError, match="People judge here"):
        call_command("simulate", "mail")

    assert not Judge.objects.filter(is_simulated=True).exists()
