"""The page on which a draft is deleted."""

import pytest
from django.urls import reverse

from annotation.models import Study
from annotation.views import studies
from jobs.services import create_job
from tests.factories import StudyFactory, StudyMemberFactory, UnitFactory, UserFactory

pytestmark = pytest.mark.django_db


def address(study):
    return reverse("annotation:delete_study", args=[study.slug])


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_the_page_says_what_goes_in_the_same_number_of_queries(
    owner_client, django_assert_num_queries, n_outputs
):
    client, study = owner_client(state="draft", title="Lines <b>")
    UnitFactory.create_batch(n_outputs, output_version__output__item__study=study)

    # session, user, study, ratings, jobs, outputs, judges, members, role for the tabs
    with django_assert_num_queries(9):
        page = client.get(address(study)).content.decode()

    assert "Lines &lt;b&gt;" in page
    assert ("1 output, with its source" if n_outputs == 1 else "3 outputs, with their") in page
    assert page.count("button-danger") == 1
    assert Study.objects.filter(pk=study.pk).exists()


def test_a_draft_is_deleted_and_the_list_says_so(owner_client):
    client, study = owner_client(state="draft", title="Lines")
    assert address(study) in client.get(f"/studies/{study.slug}/").content.decode()

    response = client.post(address(study), follow=True)

    assert response.redirect_chain == [("/studies/", 302)]
    assert "The study Lines is deleted." in response.content.decode()
    assert not Study.objects.exists()
    assert client.get(address(study)).status_code == 404


def test_a_study_that_was_opened_offers_no_deletion_and_refuses_it(owner_client):
    client, study = owner_client(state="open")
    UnitFactory(output_version__output__item__study=study)
    Study.objects.update(opened_at=study.created_at)
    assert address(study) not in client.get(f"/studies/{study.slug}/").content.decode()

    assert "button-danger" not in client.get(address(study)).content.decode()
    response = client.post(address(study))

    assert response.status_code == 422
    assert "has been opened or holds ratings" in response.content.decode()
    assert study.units.count() == 1


def test_work_under_way_is_named(owner_client):
    client, study = owner_client(state="draft")
    create_job("export", label="Export <as> csv", task="no.task", study_id=study.pk)

    response = client.post(address(study))

    assert response.status_code == 422
    assert "Export &lt;as&gt; csv" in response.content.decode()
    assert study.jobs.count() == 1


@pytest.mark.parametrize("who", ["researcher", "monitor", "owner elsewhere", "stranger"])
def test_only_owners_find_the_page(client, who):
    study = StudyMemberFactory(study=StudyFactory(state="draft")).study
    if who in {"researcher", "monitor"}:
        client.force_login(StudyMemberFactory(study=study, role=who).user)
        assert address(study) not in client.get(f"/studies/{study.slug}/").content.decode()
    else:
        client.force_login(StudyMemberFactory().user if who == "owner elsewhere" else UserFactory())

    assert client.get(address(study)).status_code == 404
    assert client.post(address(study)).status_code == 404
    assert Study.objects.filter(pk=study.pk).exists()


@pytest.mark.parametrize("act", ["delete_study", "set_state"])
def test_whoever_comes_too_late_is_told_that_it_is_gone(owner_client, monkeypatch, act):
    client, study = owner_client(state="draft")
    service = {"delete_study": "delete_study", "set_state": "change_state"}[act]
    own = getattr(studies, service)

    def after_another(row, *args, **more):
        Study.objects.filter(pk=row.pk).delete()
        return own(row, *args, **more)

    monkeypatch.setattr(studies, service, after_another)

    response = client.post(reverse(f"annotation:{act}", args=[study.slug]), {"state": "open"})

    assert response.status_code == 404
