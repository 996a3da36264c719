import pytest
from django.urls import reverse

from annotation.models import Assignment
from annotation.services import openings
from annotation.tasks import open_study_task
from jobs import selectors
from jobs.models import Job, JobState
from tests.factories import DimensionFactory, JudgeGroupFactory, StudyFactory, UnitFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def large_draft(owner_client, monkeypatch):
    """Return a client with a role in a draft that a worker has to open."""
    monkeypatch.setattr(openings, "AT_ONCE", 0)

    def make(role="owner"):
        client, study = owner_client(role=role, state="draft")
        DimensionFactory(phase__study=study)
        UnitFactory(output_version__output__item__study=study)
        JudgeGroupFactory(study=study, judges_per_unit=3)
        return client, study

    return make


def url(name, study):
    return reverse(f"annotation:{name}", args=[study.slug])


def test_a_large_study_is_opened_by_a_worker_and_its_page_follows(large_draft, monkeypatch):
    client, study = large_draft()
    sent = []
    monkeypatch.setattr("annotation.views.studies.enqueue_job", sent.append)
    monkeypatch.setattr("annotation.views.studies.transaction.on_commit", lambda call: call())

    page = client.post(url("set_state", study), {"state": "open"}, follow=True).content.decode()

    job = Job.objects.get()
    assert sent == [job.pk]
    assert Assignment.objects.count() == 0
    assert f'hx-get="{url("opening", study)}"' in page
    assert url("cancel_opening", study) in page
    assert "Open for judges" not in page
    assert "HX-Refresh" not in client.get(url("opening", study))

    open_study_task(job.pk)

    assert client.get(url("opening", study))["HX-Refresh"] == "true"
    page = client.get(url("study", study)).content.decode()
    assert "The study was opened." in page
    assert "0 of 3" in page
    assert 'id="opening"' not in page


def test_the_page_says_that_no_worker_is_running(large_draft, monkeypatch):
    client, study = large_draft()
    client.post(url("set_state", study), {"state": "open"})
    monkeypatch.setattr(selectors, "_is_quiet", lambda _job, _now: True)
    monkeypatch.setattr(selectors, "worker_is_alive", lambda: False)

    assert "No worker is running" in client.get(url("opening", study)).content.decode()


def test_an_opening_is_cancelled_and_the_study_can_be_opened_again(large_draft):
    client, study = large_draft()
    client.post(url("set_state", study), {"state": "open"})

    page = client.post(url("cancel_opening", study), follow=True).content.decode()

    assert Job.objects.get().state == JobState.CANCELLED
    assert "The opening was cancelled; the study is a draft as before." in page
    assert "Open for judges" in page
    again = client.post(url("cancel_opening", study), follow=True).content.decode()
    assert "there is nothing to cancel" in again


def test_an_opening_that_failed_says_why(large_draft):
    client, study = large_draft()
    client.post(url("set_state", study), {"state": "open"})
    study.groups.all().delete()

    open_study_task(Job.objects.get().pk)

    page = client.get(url("study", study)).content.decode()
    assert "The opening did not come to its end; the study is a draft as before." in page
    assert "It has no group of judges: add one." in page


@pytest.mark.parametrize("role", ["researcher", "monitor"])
def test_others_see_the_opening_and_cannot_cancel_it(large_draft, role):
    client, study = large_draft(role)
    job = openings.request_opening(study, "open")

    page = client.get(url("study", study)).content.decode()

    assert 'id="opening"' in page
    assert url("cancel_opening", study) not in page
    assert client.post(url("cancel_opening", study)).status_code == 404
    job.refresh_from_db()
    assert job.state == JobState.QUEUED


@pytest.mark.parametrize("name", ["opening", "cancel_opening"])
def test_the_opening_of_another_users_study_is_not_found(stranger_client, name):
    study = StudyFactory(state="draft")
    call = stranger_client.get if name == "opening" else stranger_client.post

    assert call(url(name, study)).status_code == 404
