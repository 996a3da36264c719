"""A load whose worker is killed in its middle leaves nothing, and a second one is whole."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from annotation.models import Item, Output, OutputVersion, Unit, Upload
from annotation.services.uploads import check_upload, receive_upload
from annotation.tasks import LOAD, load_upload_task
from jobs.models import Job, JobState
from jobs.services import create_job, sweep_jobs
from tests.annotation.services.killing import kill_in_the_middle
from tests.factories import StudyFactory

pytestmark = pytest.mark.django_db(transaction=True)
N_ROWS = 30_000
# The child stops in the middle of its transaction, says so, and waits for its end.
CHILD = """
import os, sys, time, django
django.setup()
from django.conf import settings
settings.MEDIA_ROOT = sys.argv[3]
from django.db import connection
connection.settings_dict["NAME"] = sys.argv[2]
from annotation.services import loading_outputs
from annotation.tasks import load_upload_task
whole = loading_outputs.OutputLoader.load_chunk
def load_chunk(self, rows):
    whole(self, rows)
    if self.loaded.n_new >= 10_000:
        print("half", flush=True)
        time.sleep(60)
loading_outputs.OutputLoader.load_chunk = load_chunk
load_upload_task(int(sys.argv[1]))
"""


@pytest.fixture
def upload(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    rows = "".join(f"i{n},A,Text {n}.\n" for n in range(N_ROWS))
    file = SimpleUploadedFile("outputs.csv", f"item_id,system,output\n{rows}".encode())
    row = receive_upload(StudyFactory(state="draft"), file, kind="outputs", at=timezone.now())
    check_upload(row, tell=lambda _done, _total: None)
    job = create_job(
        "import", label="Load", task=LOAD, study_id=row.study_id, arguments={"upload": row.pk}
    )
    Upload.objects.filter(pk=row.pk).update(job=job)
    return Upload.objects.select_related("job").get(pk=row.pk)


def stored():
    return [model.objects.count() for model in (Item, Output, OutputVersion, Unit)]


def test_a_killed_load_leaves_nothing_and_the_next_attempt_is_whole(upload, tmp_path, admin_client):
    kill_in_the_middle(CHILD, upload.job_id, tmp_path)

    upload.refresh_from_db()
    assert upload.job.state == JobState.RUNNING
    assert (stored(), upload.state) == ([0, 0, 0, 0], "checked")

    later = timezone.now() + dt.timedelta(seconds=20)
    assert sweep_jobs(later) == [upload.job_id]
    page = admin_client.get(
        reverse("annotation:upload", args=[upload.study.slug, upload.pk])
    ).content.decode()
    assert "Its worker was lost" in page or "this waits" in page

    load_upload_task(upload.job_id)
    load_upload_task(upload.job_id)

    upload.refresh_from_db()
    assert Job.objects.get().state == JobState.DONE
    assert (stored(), upload.state) == ([N_ROWS] * 4, "loaded")
