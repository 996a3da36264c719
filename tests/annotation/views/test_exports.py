import csv
import datetime as dt
import io

import pytest
from django.urls import reverse

from annotation.exporting import FORMATS
from annotation.models import Rating, StudyEvent
from jobs.models import Job
from tests.factories import NOON, AssignmentFactory, DimensionFactory, JudgeFactory, PhaseFactory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def rated(owner_client):
    """Return a client of a role, and a study with one rating by J007."""

    def make(role="owner"):
        client, study = owner_client(role=role)
        judge = JudgeFactory(group__study=study, pseudonym="J007")
        work = AssignmentFactory(judge=judge, submitted_at=NOON)
        dimension = DimensionFactory(phase=PhaseFactory(study=study), key="fluency")
        Rating.objects.create(assignment=work, dimension=dimension, value=3, rated_at=NOON)
        return client, study

    return make


def page(study):
    return reverse("annotation:exports", args=[study.slug])


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written_by_a_worker_and_can_be_taken(rated, name):
    client, study = rated("researcher")

    client.post(page(study), {"format": name})
    job = Job.objects.get()
    response = client.get(reverse("annotation:export_file", args=[study.slug, job.pk]))
    content = b"".join(response.streaming_content)

    assert (job.state, job.result["bytes"]) == ("done", len(content))
    assert f"{study.slug}-{FORMATS[name].suffix}" in response["Content-Disposition"]
    assert list(StudyEvent.objects.values_list("kind", "detail__format")) == [
        ("export_requested", name),
        ("export_downloaded", name),
    ]


def test_the_tidy_csv_holds_the_rating(rated):
    client, study = rated()

    client.post(page(study), {"format": "csv"})
    url = reverse("annotation:export_file", args=[study.slug, Job.objects.get().pk])
    text = b"".join(client.get(url).streaming_content).decode()

    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["judge"], row["dimension"], row["value"], row["valid"]) == (
        "J007",
        "fluency",
        "3",
        "true",
    )


def test_monitors_get_no_exports(rated):
    client, study = rated("monitor")

    assert client.get(page(study)).status_code == 404
    assert client.post(page(study), {"format": "csv"}).status_code == 404
    assert client.get(reverse("annotation:api_ratings", args=[study.slug])).status_code == 404
    assert not Job.objects.exists()


def test_the_file_of_another_study_is_not_found(rated):
    client, study = rated()
    client.post(page(study), {"format": "csv"})
    job = Job.objects.get()
    other_client, other = rated()

    url = reverse("annotation:export_file", args=[other.slug, job.pk])

    assert other_client.get(url).status_code == 404


def test_a_file_expires_after_a_week_and_is_deleted_by_the_next_export(rated, tmp_path):
    client, study = rated()
    client.post(page(study), {"format": "csv"})
    old = Job.objects.get()
    Job.objects.update(finished_at=old.finished_at - dt.timedelta(days=7, seconds=1))

    url = reverse("annotation:export_file", args=[study.slug, old.pk])
    assert client.get(url).status_code == 404
    assert "expired; write it again" in client.get(page(study)).content.decode()

    client.post(page(study), {"format": "jsonl"})

    assert not (tmp_path / old.result["file"]).exists()
    assert len([path for path in (tmp_path / "exports").rglob("*") if path.is_file()]) == 1


def test_an_unknown_format_is_said(rated):
    client, study = rated()

    response = client.post(page(study), {"format": "sav"}, follow=True)

    assert "There is no format" in response.content.decode()
    assert not Job.objects.exists()


@pytest.mark.parametrize("n_exports", [1, 3])
def test_the_page_needs_the_same_queries_for_any_number(
    rated, django_assert_num_queries, n_exports
):
    client, study = rated()
    for _ in range(n_exports):
        client.post(page(study), {"format": "csv"})

    with django_assert_num_queries(6):  # session, user, study, blinding, jobs, role
        response = client.get(page(study))

    assert response.content.decode().count("kept until") == n_exports
