"""Accounts under /admin/: the last owner of a study is kept."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.urls import reverse

from annotation import admin
from annotation.enums import Role
from annotation.services.members import add_member
from tests.factories import NOON, StudyFactory, StudyMemberFactory, UserFactory

pytestmark = pytest.mark.django_db
LIST = reverse("admin:auth_user_changelist")
SENTENCE = "The study Lines needs an owner who can sign in"


@pytest.fixture
def owner():
    return StudyMemberFactory(study__title="Lines")


def delete_one(client, *users):
    (user,) = users
    page = reverse("admin:auth_user_delete", args=[user.pk])
    return client.post(page, {"post": "yes"}, follow=True)


def delete_many(client, *users):
    chosen = [user.pk for user in users]
    said = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    return client.post(LIST, said, follow=True)


@pytest.mark.parametrize("delete", [delete_one, delete_many])
def test_the_last_owner_of_a_study_is_not_deleted(admin_client, owner, delete):
    StudyMemberFactory(study=owner.study, role=Role.RESEARCHER)
    add_member(owner.study, "invited", role=Role.OWNER, at=NOON)
    shut_out = UserFactory(is_active=False)
    StudyMemberFactory(study=owner.study, user=shut_out)

    response = delete(admin_client, owner.user)

    assert response.redirect_chain == [(LIST, 302)]
    assert SENTENCE in response.content.decode()
    assert User.objects.filter(pk=owner.user_id).exists()
    assert not LogEntry.objects.exists()


def test_the_page_that_asks_refuses_too(admin_client, owner):
    page = reverse("admin:auth_user_delete", args=[owner.user_id])

    assert SENTENCE in admin_client.get(page, follow=True).content.decode()


@pytest.mark.parametrize("delete", [delete_one, delete_many])
def test_an_owner_beside_another_is_deleted_and_the_log_of_the_study_says_so(
    admin_client, admin_user, owner, delete
):
    StudyMemberFactory(study=owner.study)

    response = delete(admin_client, owner.user)

    assert "uccessfully" in response.content.decode()
    assert not User.objects.filter(pk=owner.user_id).exists()
    (event,) = owner.study.events.all()
    assert (event.kind, event.actor) == ("member_removed", admin_user)
    assert event.detail == {"user": owner.user.username, "role": "owner"}


def test_owners_who_are_deleted_together_leave_nobody(admin_client, owner):
    second = StudyMemberFactory(study=owner.study)
    other = StudyMemberFactory(role=Role.RESEARCHER)

    response = delete_many(admin_client, owner.user, second.user, other.user)

    assert SENTENCE in response.content.decode()
    assert owner.study.members.count() == 2
    assert other.study.members.count() == 1


@pytest.mark.parametrize("delete", [delete_one, delete_many])
def test_an_owner_who_is_left_alone_meanwhile_is_kept(admin_client, monkeypatch, owner, delete):
    second = StudyMemberFactory(study=owner.study)

    def look_and_lose(_users):
        second.delete()
        return []

    monkeypatch.setattr(admin, "left_without_owner", look_and_lose)

    response = delete(admin_client, owner.user)

    assert SENTENCE in response.content.decode()
    assert User.objects.filter(pk=owner.user_id).exists()
    assert not LogEntry.objects.exists()


def test_the_last_owner_is_not_shut_out_and_anybody_else_is(admin_client, owner):
    second = StudyMemberFactory(study=owner.study, role=Role.RESEARCHER)

    def shut_out(user):
        page = reverse("admin:auth_user_change", args=[user.pk])
        form = admin_client.get(page).context["adminform"].form
        said = {name: form[name].value() for name in form.fields if form[name].value()}
        said = {
            name: value for name, value in said.items() if name not in {"is_active", "password"}
        }
        moment = {"date_joined_0": "2026-01-01", "date_joined_1": "12:00:00"}
        return admin_client.post(page, said | moment)

    assert SENTENCE in shut_out(owner.user).content.decode()
    assert shut_out(second.user).status_code == 302
    active = User.objects.filter(is_active=True)
    assert owner.user in active
    assert second.user not in active


@pytest.mark.parametrize("n_studies", [1, 3])
def test_what_would_be_left_is_found_in_one_query(django_assert_num_queries, n_studies):
    user = UserFactory()
    for study in StudyFactory.create_batch(n_studies):
        StudyMemberFactory(study=study, user=user)

    with django_assert_num_queries(1):
        assert len(admin.left_without_owner([user])) == n_studies
