import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import Item, OutputVersion, Rating, Upload
from tests.factories import DimensionFactory

GOOD = b"item_id,source,system,output\ni1,An e-mail.,A,One.\ni1,An e-mail.,B,Two.\n"
BAD = b"item_id,source,system,output\ni1,An e-mail.,A,One.\ni1,An e-mail.,A,Two.\n"


@pytest.fixture(autouse=True)
def _files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


def send(client, study, content, name="outputs.csv", kind="outputs"):
    return client.post(
        reverse("annotation:uploads", args=[study.slug]),
        {"kind": kind, "file": SimpleUploadedFile(name, content)},
    )


@pytest.mark.django_db(transaction=True)
def test_a_good_file_is_checked_first_and_loaded_on_request(owner_client):
    client, study = owner_client(state="draft")

    response = send(client, study, GOOD)
    upload = Upload.objects.get()
    page = client.get(response["Location"]).content.decode()

    assert (upload.state, upload.report["outcome"]) == ("checked", "accept")
    assert not Item.objects.exists()
    assert "rows can be loaded" in page

    client.post(reverse("annotation:load_upload", args=[study.slug, upload.pk]))

    upload.refresh_from_db()
    assert (upload.state, upload.report["loaded"]) == (
        "loaded",
        {"new": 2, "changed": 0, "unchanged": 0},
    )
    assert sorted(OutputVersion.objects.values_list("text", flat=True)) == ["One.", "Two."]


@pytest.mark.django_db(transaction=True)
def test_a_bad_file_shows_its_fault_and_cannot_be_loaded(owner_client):
    client, study = owner_client(state="draft")

    response = send(client, study, BAD)
    upload = Upload.objects.get()
    page = client.get(response["Location"]).content.decode()
    client.post(reverse("annotation:load_upload", args=[study.slug, upload.pk]))

    assert upload.report["outcome"] == "reject"
    assert "Upload a mended file" in page
    assert '<td class="num">3</td>' in page
    assert not Item.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_hostile_text_is_shown_as_text(owner_client):
    client, study = owner_client(state="draft")
    hostile = BAD.replace(b"i1,", b"<script>alert(1)</script>,")

    response = send(client, study, hostile, name="<b>x</b>.csv")

    page = client.get(response["Location"]).content.decode()
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


@pytest.mark.django_db
def test_a_file_that_is_too_large_is_refused(owner_client, settings):
    settings.CONCORD_MAX_UPLOAD_BYTES = 10
    client, study = owner_client(state="draft")

    response = send(client, study, GOOD)

    assert response.status_code == 422
    assert "10 are allowed here" in response.content.decode()
    assert not Upload.objects.exists()


@pytest.mark.django_db
def test_an_upload_of_another_study_is_not_found(owner_client):
    _, other = owner_client()
    upload = Upload.objects.create(
        study=other, kind="outputs", n_bytes=1, created_at="2026-01-01T12:00Z"
    )
    client, study = owner_client()

    for name in ("upload", "load_upload", "cancel_upload"):
        url = reverse(f"annotation:{name}", args=[study.slug, upload.pk])
        assert client.post(url).status_code in {404, 405}
    assert client.get(reverse("annotation:upload", args=[study.slug, upload.pk])).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_lengths_of_a_system_are_drawn_and_told_in_words(owner_client):
    client, study = owner_client(state="draft")
    texts = "".join(f"i{n},A,{'x' * 20}\ni{n},B,{'y' * 900}\n" for n in range(5))

    response = send(client, study, b"item_id,system,output\n" + texts.encode())

    page = client.get(response["Location"], headers={"Accept-Language": "de"}).content.decode()
    assert page.count('<svg viewBox="0 0 6 1"') == 2
    assert 'class="bar-off" x="0" y="0.0" width="0.9" height="1.0"' in page
    english = client.get(response["Location"]).content.decode()
    assert "5 outputs of 16 to 31 characters." in english
    assert "5 outputs of 512 to 1,023 characters." in english


@pytest.mark.django_db(transaction=True)
def test_comparisons_are_checked_and_loaded_like_ratings(owner_client):
    client, study = owner_client(state="draft")
    send(client, study, GOOD)
    client.post(reverse("annotation:load_upload", args=[study.slug, Upload.objects.get().pk]))
    DimensionFactory(phase__study=study, key="better", kind="pairwise", scale=None)
    choices = b"item_id,system_a,system_b,judge,dimension,choice\ni1,A,B,r1,better,B>A\n"

    response = send(client, study, choices, "choices.csv", kind="comparisons")
    upload = Upload.objects.get(kind="comparisons")
    assert upload.report["outcome"] == "accept"
    assert not Rating.objects.exists()
    for url in (
        response["Location"],
        reverse("annotation:upload_columns", args=[study.slug, upload.pk]),
    ):
        assert client.get(url).status_code == 200
    client.post(reverse("annotation:load_upload", args=[study.slug, upload.pk]))

    assert list(Rating.objects.values_list("text", flat=True)) == ["B>A"]


@pytest.mark.django_db(transaction=True)
def test_ranks_by_system_are_shown_bound_to_their_systems_and_loaded(owner_client):
    client, study = owner_client(state="draft")
    send(client, study, GOOD)
    client.post(reverse("annotation:load_upload", args=[study.slug, Upload.objects.get().pk]))
    DimensionFactory(phase__study=study, key="better", kind="pairwise", scale=None)
    ranks = b"item_id,judge,dimension,rank_A,rank_B\ni1,r1,better,2,1\n"

    send(client, study, ranks, "ranks.csv", kind="comparisons")
    upload = Upload.objects.get(kind="comparisons")
    columns = reverse("annotation:upload_columns", args=[study.slug, upload.pk])
    page = client.get(columns).content.decode()
    client.post(reverse("annotation:load_upload", args=[study.slug, upload.pk]))

    assert "system: A" in page
    assert list(Rating.objects.values_list("text", flat=True)) == ["B>A"]
