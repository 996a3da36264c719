"""Blinding as members meet it: each role, and every byte of every page and download."""

import csv
import io
import json
import zipfile

import pytest
from django.urls import reverse

from annotation.enums import Role, StudyState
from annotation.exporting import FORMATS
from annotation.models import Study
from annotation.selectors import doors
from annotation.services.exports import write_export
from metrics_app.models import Analysis
from metrics_app.reports.options import ReportOptions
from metrics_app.services.analyses import request_analysis
from metrics_app.services.bundles import write_bundle
from metrics_app.tasks import run_analysis_task
from tests.factories import NOON, StudyMemberFactory, UserFactory
from tests.metrics_app.factories import rated_study, with_scores

pytestmark = pytest.mark.django_db
FEW = ReportOptions(seed=3, n_resamples=20)
NAMES = ("Alphabart", "Betapegasus")


@pytest.fixture
def blind():
    """Return an open study that hides the names of its systems, rated and scored."""
    study = rated_study(n_items=2, systems=NAMES)
    with_scores(study, "bleu", "length")
    Study.objects.filter(pk=study.pk).update(hides_systems=True, state=StudyState.OPEN)
    study.refresh_from_db()
    return study


@pytest.fixture
def hidden(blind):
    """Return the same study with its results hidden instead."""
    Study.objects.filter(pk=blind.pk).update(hides_systems=False, hides_results=True)
    blind.refresh_from_db()
    return blind


def _member(client, study, role):
    user = StudyMemberFactory(study=study, role=role).user
    client.force_login(user)
    return user


def _reported(study):
    analysis = request_analysis(doors.study_named(study.slug), at=NOON, options=FEW)
    run_analysis_task(analysis.job_id)
    return Analysis.objects.get(pk=analysis.pk)


def _page(name, study, *args):
    app = "annotation" if name in ANNOTATION else "metrics_app"
    return reverse(f"{app}:{name}", args=[study.slug, *args])


ANNOTATION = {"study", "audit", "blinding", "exports", "api_ratings", "set_blinding", "look_behind"}


def _bytes(response):
    if response.streaming:
        return b"".join(response.streaming_content).decode()
    return response.content.decode()


def test_no_page_or_download_of_a_researcher_names_a_system(client, blind):
    analysis = _reported(blind)
    _member(client, blind, Role.RESEARCHER)
    pages = [
        _page("report", blind), _page("stored_report", blind, analysis.pk), _page("runs", blind),
        _page("report_json", blind, analysis.pk), _page("ratings", blind),
        _page("datasheet", blind), _page("datasheet_file", blind, "json"), _page("study", blind),
        _page("audit", blind), _page("blinding", blind), _page("exports", blind),
        _page("api_ratings", blind), f"{_page('metric_failures', blind)}?metric=bleu",
    ]  # fmt: skip

    for page in pages:
        response = client.get(page)
        text = _bytes(response)
        assert response.status_code == 200, page
        assert not [name for name in NAMES if name in text], page
    assert "System A" in _bytes(client.get(pages[0]))


def test_no_file_of_a_blind_report_names_a_system(blind):
    for path, content in _reported(blind).files.values_list("path", "content"):
        text = bytes(content)
        if path.endswith((".xlsx",)):
            text = b"".join(_unzipped(io.BytesIO(text)))
        assert not [name for name in NAMES if name.encode() in text], path


@pytest.mark.parametrize("name", FORMATS)
def test_no_export_of_a_blind_study_names_a_system(blind, tmp_path, name):
    path = tmp_path / "export"

    write_export(blind, name, path)

    content = path.read_bytes()
    parts = list(_unzipped(path)) if zipfile.is_zipfile(path) else [content]
    for own in NAMES:
        assert not any(own.encode() in part for part in [content, *parts])


def test_the_bundle_of_a_blind_study_names_no_system(blind, tmp_path):
    path = tmp_path / "bundle.zip"

    write_bundle(doors.study_named(blind.slug), path, options=FEW)

    parts = list(_unzipped(path))
    assert any(b"System A" in part for part in parts)
    assert not [name for name in NAMES if any(name.encode() in part for part in parts)]


def _unzipped(path):
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            yield name.encode()
            yield content
            if zipfile.is_zipfile(io.BytesIO(content)):
                yield from _unzipped(io.BytesIO(content))


def test_numbers_are_those_of_the_named_study(blind):
    labelled = _reported(blind).result
    names = {label: name for name, label in doors.system_names(blind.pk).items()}
    Study.objects.filter(pk=blind.pk).update(state=StudyState.CLOSED)

    named = _reported(blind).result

    def means(report, of):
        rows = report["means"]
        return {(of(r["system"]), r["dimension"], r["group"]): r["mean"] for r in rows}

    assert means(labelled, names.get) == means(named, str)
    assert {row["system"] for row in named["means"]} == set(NAMES)
    assert labelled["overview"]["blinding"]["is_blind"]
    assert not named["overview"]["blinding"]["is_blind"]


def test_an_owner_sees_the_key_only_after_a_look_with_a_reason(client, blind):
    _member(client, blind, Role.OWNER)
    page = _page("blinding", blind)
    before = _bytes(client.get(page))

    client.post(_page("look_behind", blind), {"kind": "system_names_seen", "reason": ""})
    refused = _bytes(client.get(page))
    client.post(_page("look_behind", blind), {"kind": "system_names_seen", "reason": "a crash"})
    after = _bytes(client.get(page))

    assert not [name for name in NAMES if name in before + refused]
    assert "Say why you look" in refused
    assert all(name in after for name in NAMES)
    assert "a crash" in after


def test_a_look_stands_in_report_methods_and_datasheet_without_opening_them(client, blind):
    _member(client, blind, Role.OWNER)
    client.post(_page("look_behind", blind), {"kind": "system_names_seen", "reason": "a crash"})
    _reported(blind)

    page = client.get(_page("report", blind))
    sheet = json.loads(_bytes(client.get(_page("datasheet_file", blind, "json"))))

    assert "Before the closing an owner looked at the names of systems" in _bytes(page)
    assert "a crash" in page.context["page"].methods_text
    assert not [name for name in NAMES if name in _bytes(page)]
    answers = {entry["number"]: entry["answer"] for entry in sheet["entries"]}
    assert "names of systems hidden from the researchers" in answers["3.3.3.1"]
    assert "a crash" in answers["3.3.3.1"]


@pytest.mark.parametrize("name", ["set_blinding", "look_behind"])
def test_only_owners_change_the_rule_or_look(client, blind, name):
    for role in (Role.RESEARCHER, Role.MONITOR):
        _member(client, blind, role)
        assert client.post(_page(name, blind), {"reason": "curious"}).status_code == 404
    assert not blind.events.filter(kind__in=["blinding", "system_names_seen"]).exists()


def test_monitors_and_strangers_find_no_page_of_blinding(client, blind):
    _member(client, blind, Role.MONITOR)
    assert client.get(_page("blinding", blind)).status_code == 404
    assert not [name for name in NAMES if name in _bytes(client.get(_page("study", blind)))]
    client.force_login(UserFactory())
    assert client.get(_page("blinding", blind)).status_code == 404


def test_a_researcher_uploads_no_scores_for_systems_that_are_hidden(client, blind):
    _member(client, blind, Role.RESEARCHER)
    file = io.BytesIO(b"item_id,system,metric,score\n1,Gamma,bleu,0.5\n")
    file.name = "scores.csv"

    response = client.post(_page("upload_scores", blind), {"file": file, "direction": "higher"})

    assert response.status_code == 422
    assert "ask an owner" in _bytes(response)
    assert not [name for name in NAMES if name in _bytes(response)]


RESULTS = ["report", "runs", "ratings", "datasheet", "exports", "api_ratings"]


@pytest.mark.parametrize("name", RESULTS)
def test_hidden_results_are_closed_to_researcher_and_owner_until_a_look(client, hidden, name):
    analysis = _reported(hidden)
    for role in (Role.RESEARCHER, Role.OWNER):
        _member(client, hidden, role)
        assert client.get(_page(name, hidden)).status_code == 403
        assert client.get(_page("report_json", hidden, analysis.pk)).status_code == 403
        files = _page("report_file", hidden, analysis.pk, "tables/means.csv")
        assert client.get(files).status_code == 403

    client.post(_page("look_behind", hidden), {"kind": "results_seen", "reason": "an outage"})

    assert client.get(_page(name, hidden)).status_code == 200


def test_hidden_results_open_when_the_study_is_closed(client, hidden):
    Study.objects.filter(pk=hidden.pk).update(state=StudyState.CLOSED)
    _member(client, hidden, Role.RESEARCHER)

    rows = csv.DictReader(io.StringIO(_bytes(client.get(_page("ratings", hidden)))))

    assert {row["system"] for row in rows} == set(NAMES)
