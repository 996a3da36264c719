"""The page of members: each role, what it shows, and what it changes."""

import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from annotation.enums import Role
from annotation.models import StudyMember
from annotation.services.members import add_member
from tests.factories import NOON, StudyFactory, StudyMemberFactory, UnitFactory, UserFactory

pytestmark = pytest.mark.django_db


def _url(name, study, *args):
    return reverse(f"annotation:{name}", args=[study.slug, *args])


def _acts(member):
    """Return what an owner may send, with the fields."""
    study = member.study
    return [
        (_url("add_member", study), {"name": "new", "role": "owner"}),
        (_url("set_member_role", study, member.pk), {"role": "monitor"}),
        (_url("remove_member", study, member.pk), {}),
        (_url("invite_member", study, member.pk), {}),
    ]


@pytest.mark.parametrize("n_members", [1, 3])
def test_the_page_needs_the_same_queries_for_any_number(
    owner_client, django_assert_num_queries, n_members
):
    client, study = owner_client()
    StudyMemberFactory.create_batch(n_members - 1, study=study, role=Role.MONITOR)

    with django_assert_num_queries(5):  # session, user, study, members, role for the tabs
        page = client.get(_url("members", study)).content.decode()

    assert page.count("<summary>Change") == n_members


def test_each_member_is_shown_with_what_they_may_do(owner_client):
    client, study = owner_client()
    StudyMemberFactory(study=study, role=Role.RESEARCHER, user__username="zoe")
    StudyMemberFactory(study=study, role=Role.MONITOR, user__username="ann")
    add_member(study, "late", role=Role.MONITOR, at=NOON)

    page = client.get(_url("members", study)).content.decode()

    rows = re.findall(r"<tr>(.+?)</tr>", page, re.DOTALL)[1:]
    assert ["(you)" in row for row in rows] == [True, False, False, False]
    for row, name, may in [
        (rows[1], "zoe", "computes metrics and reports"),
        (rows[2], "ann", "no ratings, no results"),
        (rows[3], "late", "no ratings, no results"),
    ]:
        assert name in row
        assert may in row
    assert ["has not chosen a password yet" in row for row in rows] == [False] * 3 + [True]


@pytest.mark.parametrize("who", [Role.RESEARCHER, Role.MONITOR, "owner elsewhere", "stranger"])
def test_only_owners_find_the_page(client, who):
    study = StudyMemberFactory().study
    pending = add_member(study, "late", role=Role.MONITOR, at=NOON)
    if who in set(Role):
        client.force_login(StudyMemberFactory(study=study, role=who).user)
        assert "/members/" not in client.get(_url("study", study)).content.decode()
    else:
        client.force_login(StudyMemberFactory().user if who == "owner elsewhere" else UserFactory())
    n_before = study.members.count()

    assert client.get(_url("members", study)).status_code == 404
    for url, fields in _acts(pending):
        assert client.post(url, fields).status_code == 404
    pending.refresh_from_db()
    assert (study.members.count(), pending.role) == (n_before, "monitor")


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("n_outputs", [0, 1])
def test_no_role_is_shown_a_link_that_is_not_theirs(client, role, n_outputs):
    study = StudyMemberFactory().study
    UnitFactory.create_batch(n_outputs, output_version__output__item__study=study)
    client.force_login(StudyMemberFactory(study=study, role=role).user)

    pages = [client.get(url).content.decode() for url in ("/studies/", _url("study", study))]

    links = set(re.findall(r'href="(/[^"]+)"', "".join(pages)))
    links = {link for link in links if not link.startswith("/static/")}
    assert [link for link in links if client.get(link).status_code >= 400] == []
    assert (f"/studies/{study.slug}/report/" in links) == (role != Role.MONITOR)


def test_who_is_not_signed_in_is_asked_to(client):
    url = _url("members", StudyFactory())

    assert client.get(url)["Location"] == f"/sign-in/?next={url}"


def test_a_superuser_and_an_owner_are_led_to_the_page(client, owner_client):
    _, study = owner_client()
    assert _url("members", study) in client.get(_url("study", study)).content.decode()
    client.force_login(UserFactory(is_superuser=True))

    page = client.get(_url("members", StudyFactory())).content.decode()

    assert "No members yet" in page


def test_a_member_of_another_study_is_not_found(owner_client):
    client, study = owner_client()
    other = StudyMemberFactory(role=Role.MONITOR)

    for name in ("set_member_role", "remove_member", "invite_member"):
        assert client.post(_url(name, study, other.pk), {"role": "owner"}).status_code == 404

    other.refresh_from_db()
    assert other.role == "monitor"


def test_the_link_of_a_new_account_is_shown_once(owner_client):
    client, study = owner_client()

    shown = client.post(_url("add_member", study), {"name": "new", "role": "researcher"})
    after = client.get(_url("members", study)).content.decode()

    page = shown.content.decode()
    link = re.search(r'data-copy="(http://testserver/invitation/[^"]+/)"', page).group(1)
    assert f'value="{link}"' in page
    assert "no-store" in shown["Cache-Control"]
    assert "invitation/" not in after
    assert client.get(link).status_code == 302


def test_a_known_account_is_added_without_a_link(owner_client):
    client, study = owner_client()
    known = UserFactory(username="ann", email="ann@example.org")

    url = _url("add_member", study)
    response = client.post(url, {"name": "ann@example.org", "role": "monitor"}, follow=True)

    page = response.content.decode()
    assert "invitation/" not in page
    assert "ann@example.org is a member now." in page
    assert known.memberships.get().role == "monitor"


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"name": "", "role": "owner"}, "This field is required."),
        ({"name": "new", "role": "king"}, "Select a valid choice."),
        ({"name": "<b>x</b>", "role": "owner"}, "Enter a valid username."),
    ],
)
def test_what_is_wrong_is_said_at_the_field(owner_client, fields, told):
    client, study = owner_client()

    response = client.post(_url("add_member", study), fields)

    page = response.content.decode()
    assert response.status_code == 422
    assert told in page
    assert "<b>x</b>" not in page
    assert StudyMember.objects.count() == User.objects.count() == 1


def test_roles_change_and_members_go(owner_client):
    client, study = owner_client()
    member = StudyMemberFactory(study=study, role=Role.MONITOR)

    client.post(_url("set_member_role", study, member.pk), {"role": "researcher"})
    member.refresh_from_db()
    assert member.role == "researcher"
    response = client.post(_url("remove_member", study, member.pk))

    assert response["Location"] == _url("members", study)
    assert study.members.count() == 1
    told = client.get(_url("study", study)).content.decode()
    assert f"{member.user.username} was monitor and is researcher now." in told
    assert f"{member.user.username} is no longer a member." in told


@pytest.mark.parametrize("role", ["king", ""])
def test_a_role_that_does_not_exist_is_refused(owner_client, role):
    client, study = owner_client()
    member = StudyMemberFactory(study=study, role=Role.MONITOR)

    url = _url("set_member_role", study, member.pk)
    page = client.post(url, {"role": role}, follow=True).content.decode()

    assert "Choose one of the roles offered." in page
    member.refresh_from_db()
    assert member.role == "monitor"


def test_the_last_owner_is_told_to_make_another_first(owner_client):
    client, study = owner_client()
    owner = study.members.get()

    removing = client.post(_url("remove_member", study, owner.pk), follow=True)
    lowering = client.post(
        _url("set_member_role", study, owner.pk), {"role": "monitor"}, follow=True
    )

    for response in (removing, lowering):
        assert "Make somebody else an owner first." in response.content.decode()
    owner.refresh_from_db()
    assert owner.role == "owner"


@pytest.mark.parametrize(("role", "name"), [("", "study_list"), ("monitor", "study")])
def test_an_owner_who_leaves_is_led_to_a_page_that_is_theirs(owner_client, role, name):
    client, study = owner_client()
    StudyMemberFactory(study=study)
    me = study.members.order_by("pk").first()

    if role:
        response = client.post(_url("set_member_role", study, me.pk), {"role": role}, follow=True)
    else:
        response = client.post(_url("remove_member", study, me.pk), follow=True)

    assert response.status_code == 200
    assert response.resolver_match.url_name == name


def test_a_new_invitation_makes_the_old_link_void(owner_client):
    client, study = owner_client()
    first = client.post(_url("add_member", study), {"name": "new", "role": "monitor"})
    member = study.members.get(role=Role.MONITOR)

    second = client.post(_url("invite_member", study, member.pk))

    old, new = (
        re.search(r'data-copy="http://testserver([^"]+)"', page.content.decode()).group(1)
        for page in (first, second)
    )
    assert client.get(old).status_code == 410
    assert client.get(new).status_code == 302


def test_who_has_a_password_is_not_invited_again(owner_client):
    client, study = owner_client()
    member = StudyMemberFactory(study=study, role=Role.MONITOR)

    page = client.post(_url("invite_member", study, member.pk), follow=True).content.decode()

    assert "needs no invitation" in page
    assert "/invitation/" not in page


def test_names_of_accounts_are_only_text(owner_client):
    client, study = owner_client()
    name = '<script>alert("{role}")</script>'
    member = StudyMemberFactory(study=study, role=Role.MONITOR, user__username=name)

    client.post(_url("set_member_role", study, member.pk), {"role": "researcher"})

    for page in ("members", "study"):
        text = client.get(_url(page, study)).content.decode()
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert(&quot;{role}&quot;)&lt;/script&gt;" in text
