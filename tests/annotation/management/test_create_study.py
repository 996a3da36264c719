import json

import pytest
from django.core.management import CommandError, call_command

from annotation.enums import Role
from annotation.models import Study, StudyMember
from annotation.selectors.doors.protocol import protocol_of
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


def test_a_preset_of_comparisons_takes_its_numbers():
    call_command("create_study", "sets", preset="best_worst", sets=3, set_size=5, seed=1)

    study = Study.objects.get(slug="sets")
    assert (study.sets_per_item, study.set_size, study.pairs_per_item) == (3, 5, None)
    assert [d.kind for d in study.phases.get().dimensions.all()] == ["best_worst"]


def test_pairs_may_tie_and_be_left_open():
    call_command(
        "create_study", "pairs", "--preset", "pairwise", "--pairs", "2", "--group", "crowd:5"
    )

    study = Study.objects.get(slug="pairs")
    dimension = study.phases.get().dimensions.get()
    assert (dimension.allows_tie, dimension.allows_no_answer) == (True, True)
    assert (study.pairs_per_item, study.groups.get().judges_per_unit) == (2, 5)


@pytest.mark.parametrize("said", [["--pairs", "0"], ["--sets", "x"], ["--set-size", "6"]])
def test_a_number_that_cannot_be_is_refused_and_no_study_made(said):
    with pytest.raises(CommandError):
        call_command("create_study", "pairs", "--preset", "pairwise", *said)

    assert not Study.objects.exists()


def test_exclusion_rules_are_declared_with_the_study():
    call_command(
        "create_study", "ruled", "--dimensions", "fluency", "--scale", "1-5",
        "--exclusion-rule", "fast:5", "--exclusion-rule", "disagreeing:0.1:20",
    )  # fmt: skip

    assert Study.objects.get(slug="ruled").exclusion_rules == [
        {"kind": "fast", "threshold": 5.0},
        {"kind": "disagreeing", "threshold": 0.1, "n_outputs": 20},
    ]


@pytest.mark.parametrize("rule", ["fast", "fast:x", "slow:5", "fast:-1", "fast:5:x", "fast:5:1"])
def test_an_exclusion_rule_that_is_none_is_refused_and_no_study_made(rule):
    with pytest.raises(CommandError):
        call_command(
            "create_study", "ruled", "--dimensions", "fluency", "--scale", "1-5",
            "--exclusion-rule", rule,
        )  # fmt: skip

    assert not Study.objects.exists()


def test_a_study_is_made_of_a_protocol_file(tmp_path):
    call_command("create_study", "first", preset="facts")
    path = tmp_path / "protocol.json"
    path.write_text(json.dumps(protocol_of(Study.objects.get().pk)))

    call_command("create_study", "second", protocol=path, group=["lab:4"])

    second = Study.objects.get(slug="second")
    assert [phase.key for phase in second.phases.all()] == ["fluency", "coverage", "contradiction"]
    assert list(second.groups.values_list("key", "judges_per_unit")) == [("lab", 4)]


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "No such file"), (b"{}", "phases: This field is required")],
)
def test_a_protocol_file_with_a_fault_makes_no_study(tmp_path, content, message):
    path = tmp_path / "protocol.json"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(CommandError, match=message) as refusal:
        call_command("create_study", "second", protocol=path)

    assert refusal.value.returncode == 2
    assert not Study.objects.exists()


def test_its_owner_sees_the_study_and_without_one_the_command_says_how(capsys):
    owner = UserFactory(username="ann")

    call_command("create_study", "seen", "--preset", "facts", "--owner", "ann")
    assert "add_member" not in capsys.readouterr().out
    call_command("create_study", "unseen", "--preset", "facts")

    assert "manage.py add_member unseen NAME --role owner" in capsys.readouterr().out
    member = StudyMember.objects.get()
    assert (member.study.slug, member.user, member.role) == ("seen", owner, Role.OWNER)


def test_an_owner_without_an_account_is_refused_and_no_study_made():
    with pytest.raises(CommandError, match="There is no account 'ann'"):
        call_command("create_study", "seen", "--preset", "facts", "--owner", "ann")

    assert not Study.objects.exists()
