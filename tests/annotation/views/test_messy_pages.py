import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.models import OutputVersion, Rating, Upload
from tests.annotation.importing.test_messy_uploads import FILES, RATINGS
from tests.factories import (
    DimensionFactory,
    ItemFactory,
    OutputVersionFactory,
    PhaseFactory,
    ScaleFactory,
    SystemFactory,
    UnitFactory,
)

pytestmark = pytest.mark.django_db(transaction=True)
POINTS = [(1, "1"), (2, "2"), (3, "3"), (4, "4"), (5, "5")]


@pytest.fixture(autouse=True)
def _files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def material(owner_client):
    """Return a client and a study that knows what the messy ratings are about."""
    client, study = owner_client(state="draft")
    scale = ScaleFactory(study=study, points=POINTS)
    DimensionFactory(phase=PhaseFactory(study=study), key="fluency", scale=scale)
    systems = [SystemFactory(study=study, key=key) for key in ("A", "bart", "t5")]
    for n in range(1, 9):
        item = ItemFactory(study=study, key=f"i{n}")
        for system in systems:
            version = OutputVersionFactory(output__item=item, output__system=system)
            UnitFactory(output_version=version)
    return client, study


def send(client, study, path):
    client.post(
        reverse("annotation:uploads", args=[study.slug]),
        {
            "kind": "ratings" if path.name in RATINGS else "outputs",
            "file": SimpleUploadedFile(path.name, path.read_bytes()),
        },
    )
    return Upload.objects.get()


def act(client, upload, name, data=None):
    return client.post(
        reverse(f"annotation:{name}", args=[upload.study.slug, upload.pk]), data or {}
    )


def form_of(client, upload):
    """Return what a browser would send if the button of the proposed columns were pressed."""
    url = reverse("annotation:upload_columns", args=[upload.study.slug, upload.pk])
    form = client.get(url).context["mapping"]
    values = {name: form[name].value() for name in form.fields}
    return {name: "on" if value is True else value or "" for name, value in values.items()}


@pytest.mark.parametrize("name", FILES)
def test_a_messy_file_comes_to_its_outcome_and_is_loaded_or_not(material, study_data, name):
    folder = study_data("messy_uploads")
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))[name]
    client, study = material

    upload = send(client, study, folder / name)

    assert upload.report["outcome"] == expected["outcome"]
    assert set(expected["findings"]) <= set(upload.report["counts"])
    assert (OutputVersion.objects.count(), Rating.objects.count()) == (24, 0)
    page = client.get(reverse("annotation:upload", args=[study.slug, upload.pk])).content.decode()
    assert all(f"<code>{kind}</code>" in page for kind in expected["findings"])

    act(client, upload, "load_upload")

    upload.refresh_from_db()
    is_loaded = expected["outcome"].startswith("accept")
    assert (upload.state == "loaded") == is_loaded
    assert ((OutputVersion.objects.count(), Rating.objects.count()) > (24, 0)) == is_loaded


@pytest.mark.parametrize(
    ("name", "after"),
    [
        ("16_duplicate_headers_extra_columns.csv", (25, 0)),
        ("18_ratings_wide_per_rater.csv", (24, 24)),
        ("19_real_yelp_broken_utf8.csv", (27, 0)),
        ("22_real_list_in_cell.csv", (189, 0)),
    ],
)
def test_what_asks_is_one_click_from_loading(material, study_data, name, after):
    client, study = material
    upload = send(client, study, study_data("messy_uploads") / name)

    act(client, upload, "set_mapping", form_of(client, upload))
    upload.refresh_from_db()
    assert upload.report["outcome"].startswith("accept")
    act(client, upload, "load_upload")

    assert (OutputVersion.objects.count(), Rating.objects.count()) == after


def test_a_sheet_for_each_item_is_named_as_a_layout_that_needs_a_mapping(material, study_data):
    client, study = material
    upload = send(client, study, study_data("messy_uploads") / "23_real_annotation_workbook.xlsx")

    url = reverse("annotation:upload_columns", args=[study.slug, upload.pk])
    page = client.get(url).content.decode()

    assert upload.report["outcome"] == "ask"
    assert upload.report["understood"]["shape"] == "sheet_per_item"
    assert "one row an output" in page


def test_a_sheet_for_each_item_is_loaded_once_it_is_said_what_stands_where(material, study_data):
    client, study = material
    upload = send(client, study, study_data("messy_uploads") / "23_real_annotation_workbook.xlsx")

    act(client, upload, "set_reading", {"header_row": "12", "cells": "B1:B8, B10"})
    columns = client.get(
        reverse("annotation:upload_columns", args=[study.slug, upload.pk])
    ).context["columns"]
    said = {"E": "system", "F": "output", "B1:B8": "source", "B10": "reference"}
    values = {field.html_name: said.get(column["name"], "") for column, field, _ in columns}
    act(client, upload, "set_mapping", {**values, "column_0": "item_id"})
    act(client, upload, "load_upload")

    upload.refresh_from_db()
    assert upload.report["loaded"] == {"new": 28, "changed": 0, "unchanged": 0}
    assert len(study.items.get(key="case2").source) == 8
