"""One's own account: taken up by a link, its password changed, sign-in that resists guessing."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.enums import Role
from annotation.selectors.invitations import InvitationTokens, invitation_path
from annotation.services.members import add_member, remove_member
from annotation.views.accounts import TakeInvitation
from tests.factories import NOON, StudyFactory, StudyMemberFactory, UserFactory

pytestmark = pytest.mark.django_db
GOOD = "a goose on the ice"
STUDIES = "/studies/"


@pytest.fixture
def invited():
    """Return a researcher who was invited, and the path of the link."""
    member = add_member(StudyFactory(), "new@example.org", role=Role.RESEARCHER, at=NOON)
    return member, invitation_path(member.user)


def _fields(first=GOOD, second=None):
    return {"new_password1": first, "new_password2": first if second is None else second}


def _take_up(client, path, fields=None, **query):
    form = client.get(path, query)["Location"]
    return client.post(form, fields or _fields())


def test_the_link_leads_to_a_password_and_signs_in(client, invited):
    member, path = invited

    page = client.get(path, follow=True).content.decode()
    response = _take_up(client, path)

    assert "Your user name is <strong>new@example.org</strong>" in page
    assert path.split("/")[-2] not in page
    assert response["Location"] == STUDIES
    assert member.study.title in client.get(STUDIES).content.decode()
    later = Client()
    assert later.login(username="new@example.org", password=GOOD)


def test_a_link_works_once(client, invited):
    _, path = invited
    form = Client()
    opened_before = form.get(path)["Location"]
    _take_up(client, path)

    for response in (Client().get(path), form.post(opened_before, _fields("another goose here"))):
        assert response.status_code == 410
        assert "This invitation is not valid any more" in response.content.decode()
    assert User.objects.get().check_password(GOOD)


def test_two_who_have_the_link_do_not_both_set_a_password(client, invited, monkeypatch):
    _, path = invited
    form = client.get(path)["Location"]
    # The other one is faster: between the check of the link and the storing of the password.
    check = TakeInvitation.get_form_kwargs

    def overtaken(view):
        if view.request.method == "POST":
            user = User.objects.get()
            user.set_password("the faster goose")
            user.save()
        return check(view)

    monkeypatch.setattr(TakeInvitation, "get_form_kwargs", overtaken)
    response = client.post(form, _fields())

    assert response.status_code == 410
    assert User.objects.get().check_password("the faster goose")
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize(("days", "status"), [(6.9, 302), (7.1, 410)])
def test_a_link_is_good_for_a_week(client, invited, monkeypatch, days, status):
    _, path = invited
    then = dt.datetime.now() + dt.timedelta(days=days)  # noqa: DTZ005 -- as Django's tokens count
    monkeypatch.setattr(InvitationTokens, "_now", lambda _: then)

    assert client.get(path).status_code == status


@pytest.mark.parametrize("what", ["garbled", "of another", "withdrawn", "shut", "password reset"])
def test_other_links_open_nothing(client, invited, what):
    from django.contrib.auth.tokens import default_token_generator

    member, path = invited
    _, _, named, token, _ = path.split("/")
    if what == "garbled":
        path = f"/invitation/{named}/{token[:-1]}x-/"
    elif what == "of another":
        path = f"/invitation/{invitation_path(UserFactory()).split('/')[2]}/{token}/"
    elif what == "withdrawn":
        StudyMemberFactory(study=member.study)
        remove_member(member, at=NOON)
    elif what == "shut":
        User.objects.update(is_active=False)
    else:
        path = f"/invitation/{named}/{default_token_generator.make_token(member.user)}/"

    response = client.get(path)

    assert response.status_code == 410
    assert "ask the person who invited you" in response.content.decode()


def test_the_form_cannot_be_opened_without_the_link(client, invited):
    _, path = invited
    named = path.split("/")[2]

    assert client.get(f"/invitation/{named}/set-password/").status_code == 410


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("short", None, "at least 10 characters"),
        ("1357924680", None, "entirely numeric"),
        ("password123", None, "too common"),
        ("new@example.org", None, "too similar"),
        (GOOD, "a duck on the ice", "match"),
        ("", None, "This field is required."),
    ],
)
def test_a_weak_password_is_refused_at_the_field(client, invited, first, second, told):
    _, path = invited

    response = _take_up(client, path, _fields(first, second))

    page = response.content.decode()
    assert 'class="field-error" id="id_new_password' in page
    assert told in page.partition('class="field-error"')[2]
    assert not User.objects.get().has_usable_password()
    assert _take_up(client, path)["Location"] == STUDIES


def test_who_is_signed_in_as_somebody_else_is_warned_and_changed(client, invited):
    member, path = invited
    other = UserFactory(username="<i>other</i>")
    client.force_login(other)

    page = client.get(path, follow=True).content.decode()
    _take_up(client, path)

    assert "You are signed in as &lt;i&gt;other&lt;/i&gt;" in page
    assert client.session["_auth_user_id"] == str(member.user.pk)


def test_no_way_in_leads_out_of_the_site(client, invited):
    _, path = invited

    assert _take_up(client, path, next="https://evil.example/")["Location"] == STUDIES
    user = User.objects.get()
    for away in ("https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil"):
        fields = {"username": user.username, "password": GOOD, "next": away}
        assert Client().post(reverse("annotation:sign_in"), fields)["Location"] == STUDIES
        fields = {"old_password": GOOD, **_fields()}
        changed = client.post(f"{reverse('annotation:change_password')}?next={away}", fields)
        assert changed["Location"] == STUDIES


@pytest.fixture
def own(client):
    user = UserFactory(username="ann")
    user.set_password(GOOD)
    user.save()
    client.force_login(user)
    return user


def test_changing_the_password_keeps_me_signed_in_and_nobody_else(client, own):
    elsewhere = Client()
    elsewhere.login(username="ann", password=GOOD)
    fields = {"old_password": GOOD, **_fields("a swan on the lake")}

    page = client.post(reverse("annotation:change_password"), fields, follow=True)

    assert "Your password is changed." in page.content.decode()
    assert reverse("annotation:change_password") in page.content.decode()
    own.refresh_from_db()
    assert own.check_password("a swan on the lake")
    assert elsewhere.get(STUDIES).status_code == 302


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"old_password": "wrong", **_fields("a swan on the lake")}, "entered incorrectly"),
        ({"old_password": GOOD, **_fields("ann")}, "at least 10 characters"),
        ({"old_password": GOOD, **_fields("a swan on the lake", "other")}, "match"),
    ],
)
def test_a_change_that_cannot_be_is_refused_at_the_field(client, own, fields, told):
    page = client.post(reverse("annotation:change_password"), fields).content.decode()

    assert told in page.partition('class="field-error"')[2]
    own.refresh_from_db()
    assert own.check_password(GOOD)


def test_the_password_is_not_changed_by_a_visitor(client):
    url = reverse("annotation:change_password")

    assert client.get(url)["Location"] == f"/sign-in/?next={url}"


def test_who_signs_in_by_link_only_is_offered_no_change(client):
    user = UserFactory()
    user.set_unusable_password()
    user.save()
    client.force_login(user)

    assert reverse("annotation:change_password") not in client.get(STUDIES).content.decode()


@pytest.mark.usefixtures("own")
def test_ten_wrong_passwords_close_the_sign_in_for_a_while(client, settings):
    settings.AXES_ENABLED = True
    client.logout()
    url = reverse("annotation:sign_in")
    wrong = {"username": "ann", "password": "wrong"}

    statuses = [client.post(url, wrong).status_code for _ in range(10)]
    refused = client.post(url, {"username": "ann", "password": GOOD})

    assert statuses == [200] * 9 + [429]
    assert refused.status_code == 429
    assert "After 10 wrong passwords" in refused.content.decode()
    assert "_auth_user_id" not in client.session
