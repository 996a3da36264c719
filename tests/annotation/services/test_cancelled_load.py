"""A load that is cancelled in its middle leaves nothing, says so, and can be begun again."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from annotation.models import Item, Output, OutputVersion, Unit, Upload
from annotation.services.loading_outputs import OutputLoader
from annotation.services.uploads import check_upload, receive_upload
from annotation.tasks import LOAD, load_upload_task
from jobs.models import JobState
from jobs.services import Progress, create_job, request_cancel
from jobs.services.claims import claim_job
from jobs.services.heartbeat import Heartbeat
from tests.factories import StudyFactory

pytestmark = pytest.mark.django_db(transaction=True)
N_ROWS = 12_000


@pytest.fixture
def upload(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    rows = "".join(f"i{n},A,Text {n}.\n" for n in range(N_ROWS))
    file = SimpleUploadedFile("outputs.csv", f"item_id,system,output\n{rows}".encode())
    row = receive_upload(StudyFactory(state="draft"), file, kind="outputs", at=timezone.now())
    check_upload(row, tell=lambda _done, _total: None)
    return queued(row)


def queued(row):
    job = create_job(
        "import", label="Load", task=LOAD, study_id=row.study_id, arguments={"upload": row.pk}
    )
    Upload.objects.filter(pk=row.pk).update(job=job)
    return Upload.objects.select_related("job", "study").get(pk=row.pk)


def stored():
    return [model.objects.count() for model in (Item, Output, OutputVersion, Unit)]


def cancelled_in_the_middle(monkeypatch):
    """Let the heartbeat hear of the wish once a part of the file is written."""
    works = []
    note, whole = Progress.note, OutputLoader.load_chunk

    def load_chunk(self, rows):
        whole(self, rows)
        works[-1].cancel()

    monkeypatch.setattr(
        Progress, "note", lambda self, *told: works.append(self) or note(self, *told)
    )
    monkeypatch.setattr(OutputLoader, "load_chunk", load_chunk)


def test_it_leaves_nothing_and_the_page_says_so(upload, monkeypatch, admin_client):
    with monkeypatch.context() as patch:
        cancelled_in_the_middle(patch)
        load_upload_task(upload.job_id)

    upload.refresh_from_db()
    upload.job.refresh_from_db()
    assert (upload.job.state, upload.state, stored()) == (JobState.CANCELLED, "checked", [0] * 4)
    page = admin_client.get(reverse("annotation:upload", args=[upload.study.slug, upload.pk]))
    assert "The load was cancelled, so nothing of the file was written." in page.content.decode()
    assert page.context["can_load"]

    load_upload_task(queued(upload).job_id)

    assert stored() == [N_ROWS] * 4


def test_a_heartbeat_hears_that_its_job_is_unwanted(upload):
    claim = claim_job(upload.job_id)
    heard = []
    heart = Heartbeat(claim, cancel=lambda: heard.append("cancel"))

    heart._beat()
    assert heard == []
    request_cancel(upload.job_id)
    heart._beat()
    assert heard == ["cancel"]


def test_the_page_asks_to_cancel_what_waits_or_runs(upload, admin_client):
    url = reverse("annotation:upload", args=[upload.study.slug, upload.pk])
    cancel = reverse("annotation:cancel_upload", args=[upload.study.slug, upload.pk])
    assert cancel in admin_client.get(url).content.decode()

    admin_client.post(cancel)
    again = admin_client.post(cancel, follow=True).content.decode()

    upload.job.refresh_from_db()
    assert upload.job.state == JobState.CANCELLED
    assert "there is nothing to cancel" in again
    assert cancel not in again


def test_only_who_manages_the_study_may_cancel(upload, client):
    cancel = reverse("annotation:cancel_upload", args=[upload.study.slug, upload.pk])

    assert client.post(cancel).status_code in {302, 403, 404}

    upload.job.refresh_from_db()
    assert upload.job.state == JobState.QUEUED
