"""Members: what each change leaves behind, what is refused, and changes made at once."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from annotation.enums import Role
from annotation.models import StudyEvent, StudyMember
from annotation.selectors import doors
from annotation.selectors.members import is_pending
from annotation.services import members as service
from annotation.services.members import add_member, change_role, invite_again, remove_member
from tests.annotation.services.at_once import at_once
from tests.factories import NOON, StudyFactory, StudyMemberFactory, UserFactory

pytestmark = pytest.mark.django_db


def _invite(study, name="new", role=Role.RESEARCHER, **more):
    return add_member(study, name, role=role, at=NOON, **more)


def _told(study):
    return list(study.events.order_by("pk").values_list("kind", "detail__user", "detail__role"))


@pytest.mark.parametrize("called", ["ann", " Ann ", "ann@example.org", "ANN@example.ORG"])
def test_an_account_is_added_by_name_or_address(called):
    owner = StudyMemberFactory()
    ann = UserFactory(username="ann", email="ann@example.org")

    member = add_member(owner.study, called, role=Role.MONITOR, actor=owner.user, at=NOON)

    assert (member.user, member.role, is_pending(member)) == (ann, "monitor", False)
    assert User.objects.count() == 2
    assert _told(owner.study) == [("member_added", "ann", "monitor")]
    assert owner.study.events.get().actor == owner.user


@pytest.mark.parametrize(
    ("called", "email"), [("new", ""), ("new@example.org", "new@example.org"), ("new@home", "")]
)
def test_an_account_that_does_not_exist_is_made_without_a_password(called, email):
    study = StudyFactory()

    member = _invite(study, called)

    user = User.objects.get()
    assert (user.username, user.email, user.has_usable_password()) == (called, email, False)
    assert (user.is_staff, user.is_superuser) == (False, False)
    assert is_pending(member)
    assert _told(study) == [("member_invited", called, "researcher")]


@pytest.mark.parametrize("called", ["a b", "<b>", "o'neil@example.org", "   ", "x" * 151])
def test_what_cannot_be_a_user_name_is_refused_and_makes_no_account(called):
    with pytest.raises(ValidationError):
        _invite(StudyFactory(), called)

    assert not User.objects.exists()
    assert not StudyEvent.objects.exists()


def test_a_member_is_not_added_twice():
    member = StudyMemberFactory(role=Role.MONITOR)

    with pytest.raises(ValidationError, match="already"):
        _invite(member.study, member.user.username, role=Role.OWNER)

    member.refresh_from_db()
    assert member.role == "monitor"


def test_a_name_of_several_accounts_is_refused_unless_it_is_exact():
    UserFactory(username="ann@example.org")
    UserFactory(username="smith", email="ann@example.org")
    small, _ = UserFactory(username="bob"), UserFactory(username="Bob")

    for called in ["ann@example.org", "BOB"]:
        with pytest.raises(ValidationError, match="Several accounts"):
            _invite(StudyFactory(), called)

    assert _invite(StudyFactory(), "bob").user == small


def test_nobody_else_adds_an_account_whose_link_is_still_out():
    _invite(StudyFactory())
    other = StudyFactory()

    with pytest.raises(ValidationError, match="not chosen a password yet"):
        _invite(other)
    taken_up = User.objects.get()
    taken_up.set_password("something long")
    taken_up.save()

    assert _invite(other).user == taken_up
    assert not any(is_pending(member) for member in StudyMember.objects.all())


def test_a_stopped_account_is_no_invitation_to_be_given_out_again():
    member = _invite(StudyFactory())
    # Taken up, used, and its password taken away by an administrator.
    User.objects.update(last_login=NOON)
    member.user.refresh_from_db()

    with pytest.raises(ValidationError, match="needs no invitation"):
        invite_again(member, at=NOON)


def test_invite_again_makes_the_old_link_void():
    from annotation.selectors.invitations import invitation_path, invitation_tokens

    member = _invite(StudyFactory())
    old = invitation_path(member.user).split("/")[-2]

    again = invite_again(member, at=NOON)

    new = invitation_path(again.user).split("/")[-2]
    user = User.objects.get()
    assert not invitation_tokens.check_token(user, old)
    assert invitation_tokens.check_token(user, new)
    assert _told(member.study)[-1] == ("member_invited_again", "new", "researcher")


def test_change_role_is_told_with_what_it_was():
    owner = StudyMemberFactory()
    member = StudyMemberFactory(study=owner.study, role=Role.MONITOR)

    change_role(member, Role.OWNER, actor=owner.user, at=NOON)
    change_role(member, Role.OWNER, actor=owner.user, at=NOON)

    member.refresh_from_db()
    assert member.role == "owner"
    assert [event.detail["before"] for event in owner.study.events.all()] == ["monitor"]


@pytest.mark.parametrize("others", ["none", "researcher", "shut", "pending"])
def test_the_last_owner_who_can_sign_in_stays(others):
    owner = StudyMemberFactory()
    if others == "researcher":
        StudyMemberFactory(study=owner.study, role=Role.RESEARCHER)
    elif others == "shut":
        StudyMemberFactory(study=owner.study, user__is_active=False)
    elif others == "pending":
        _invite(owner.study, role=Role.OWNER)
    n_before = owner.study.events.count()

    for act in (
        lambda: remove_member(owner, at=NOON),
        lambda: change_role(owner, Role.RESEARCHER, at=NOON),
    ):
        with pytest.raises(ValidationError, match="needs an owner"):
            act()

    owner.refresh_from_db()
    assert owner.role == "owner"
    assert owner.study.events.count() == n_before


def test_removing_keeps_the_account_and_takes_an_open_invitation_along():
    owner = StudyMemberFactory()
    member = StudyMemberFactory(study=owner.study, role=Role.RESEARCHER)
    invited = _invite(owner.study)

    remove_member(member, actor=owner.user, at=NOON)
    remove_member(invited, actor=owner.user, at=NOON)

    assert list(owner.study.members.all()) == [owner]
    assert set(User.objects.all()) == {owner.user, member.user}
    assert [kind for kind, *_ in _told(owner.study)][-2:] == ["member_removed"] * 2


def test_who_is_no_owner_any_more_changes_nothing():
    owner, gone = StudyMemberFactory(), StudyMemberFactory()
    acts = [
        lambda: _invite(owner.study, actor=gone.user),
        lambda: remove_member(owner, actor=gone.user, at=NOON),
        lambda: change_role(owner, Role.MONITOR, actor=gone.user, at=NOON),
    ]

    for act in acts:
        with pytest.raises(ValidationError, match="no longer an owner"):
            act()

    assert not StudyEvent.objects.exists()


def test_a_member_removed_meanwhile_is_said_to_be_gone():
    owner = StudyMemberFactory()
    member = StudyMemberFactory(study=owner.study, role=Role.MONITOR)
    remove_member(StudyMember.objects.get(pk=member.pk), at=NOON)

    with pytest.raises(ValidationError, match="no longer a member"):
        change_role(member, Role.OWNER, at=NOON)


def test_nobody_lets_in_any_number_of_people_within_an_hour(monkeypatch):
    monkeypatch.setattr(service, "MAX_PER_HOUR", 2)
    owner = StudyMemberFactory()
    second = StudyMemberFactory(user=owner.user).study
    _invite(owner.study, "one", actor=owner.user)
    _invite(second, "two", actor=owner.user)

    with pytest.raises(ValidationError, match="within an hour"):
        _invite(owner.study, "three", actor=owner.user)
    later = NOON + dt.timedelta(hours=1)
    add_member(owner.study, "three", role=Role.MONITOR, actor=owner.user, at=later)

    assert set(User.objects.values_list("username", flat=True)) > {"one", "two", "three"}


def test_members_make_no_report_stale_and_leave_with_no_data():
    study = StudyFactory()
    mark = doors.watermark(study.pk)
    _invite(study, "somebody@example.org")

    assert doors.events_since(study.pk, mark) == 0
    assert list(doors.exclusion_rows(study.pk)) == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("act", ["remove", "lower", "leave"])
@pytest.mark.parametrize("_run", range(3))
def test_two_owners_at_once_leave_one(act, _run):
    one = StudyMemberFactory()
    two = StudyMemberFactory(study=one.study)
    acts = {
        "remove": lambda member, actor: remove_member(member, actor=actor.user, at=NOON),
        "lower": lambda member, actor: change_role(member, Role.MONITOR, actor=actor.user, at=NOON),
        "leave": lambda _, actor: remove_member(actor, actor=actor.user, at=NOON),
    }

    answers = at_once(lambda: acts[act](two, one), lambda: acts[act](one, two))

    expected = {"leave": "A study needs an owner"}.get(act, "You are no longer an owner")
    assert [answer.startswith((expected, "done")) for answer in answers] == [True, True]
    assert answers.count("done") == 1
    assert one.study.members.filter(role=Role.OWNER).count() == 1
    assert one.study.events.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("_run", range(3))
def test_one_name_invited_to_two_studies_at_once_is_one_account_of_one(_run):
    first, second = StudyFactory(), StudyFactory()

    answers = at_once(lambda: _invite(first), lambda: _invite(second))

    assert answers.count("done") == 1
    assert User.objects.get().memberships.count() == 1
