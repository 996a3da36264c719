"""``manage.py add_member``: the way in without a browser."""

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from annotation.models import StudyMember
from tests.factories import StudyFactory, StudyMemberFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return StudyFactory(slug="mail")


def test_a_new_account_gets_an_invitation_that_opens(study, capsys, client):
    call_command(
        "add_member", "mail", "new", "--role", "owner", "--site", "https://concord.example.org/"
    )

    first, _, link = capsys.readouterr().out.splitlines()
    assert first == "new is owner in mail."
    assert link.startswith("https://concord.example.org/invitation/")
    assert client.get(link.removeprefix("https://concord.example.org")).status_code == 302
    assert study.members.get().role == "owner"


def test_without_a_site_the_path_is_printed(study, capsys):
    call_command("add_member", "mail", "new")

    assert capsys.readouterr().out.splitlines()[-1].startswith("/invitation/")
    assert study.members.get().role == "researcher"


def test_an_account_that_exists_gets_none(study, capsys):
    UserFactory(username="ann")

    call_command("add_member", "mail", "ann", "--role", "monitor")

    assert capsys.readouterr().out == "ann is monitor in mail.\n"
    assert study.members.get().user == User.objects.get()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (["nowhere", "ann"], "There is no study 'nowhere'"),
        (["mail", "a b"], "Enter a valid username"),
        (["mail", "member"], "already"),
        (["mail", "ann", "--role", "king"], "king"),
        (["mail", "ann", "--site", "concord.example.org"], "https://concord.example.org"),
        (["mail", "ann", "--site", "https://a/b"], "https://concord.example.org"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(study, said, told):
    StudyMemberFactory(study=study, user__username="member")

    with pytest.raises(CommandError, match=told):
        call_command("add_member", *said)

    assert StudyMember.objects.count() == User.objects.count() == 1
