"""The datasheet of a study over HTTP, and beside the report of the command."""

import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from tests.factories import StudyMemberFactory
from tests.metrics_app.factories import rated_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return rated_study()


def _signed_in(client, study, role):
    client.force_login(StudyMemberFactory(study=study, role=role).user)
    return client


def test_the_page_shows_answers_and_marks_what_is_open(client, study):
    page = _signed_in(client, study, "researcher").get(
        reverse("metrics_app:datasheet", args=[study.slug])
    )

    text = page.content.decode()
    assert page.status_code == 200
    assert "There is no report yet" in text
    assert "4 Quality criterion" in text


@pytest.mark.parametrize("suffix", ["json", "tex", "html"])
def test_every_format_is_sent(client, study, suffix):
    reader = _signed_in(client, study, "owner")

    sent = reader.get(reverse("metrics_app:datasheet_file", args=[study.slug, suffix]))

    assert sent.status_code == 200
    assert sent["Content-Disposition"].endswith(f'-heds.{suffix}"')


def test_unknown_formats_and_people_who_may_not_read_ratings_get_404(client, study):
    address = reverse("metrics_app:datasheet", args=[study.slug])
    unknown = reverse("metrics_app:datasheet_file", args=[study.slug, "docx"])

    assert _signed_in(client, study, "owner").get(unknown).status_code == 404
    assert _signed_in(client, study, "monitor").get(address).status_code == 404
    client.logout()
    assert client.get(address).status_code == 302


def test_the_command_writes_the_sheet_of_a_study_with_its_numbers(study, tmp_path):
    call_command("report", f"--study={study.slug}", f"--out={tmp_path}", "--resamples=20")

    sheet = json.loads((tmp_path / "datasheet" / "heds.json").read_text())
    report = json.loads((tmp_path / "report.json").read_text())
    answers = {entry["number"]: entry["answer"] for entry in sheet["entries"]}
    assert sheet["data_hash"] == report["data_hash"]
    assert answers["3.1.1"] == "8 outputs of 2 systems: Alpha 4, Beta 4"
    assert answers["3.2.1"].startswith("5 in all: 2 in the group Expert")
    assert answers["4.3.11.2"].startswith("Krippendorff's alpha, ordinal: expert: ")
