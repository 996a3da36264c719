"""Tables of published studies, chosen on the report page."""

import csv
import io

import pytest
from django.urls import reverse

from annotation.selectors import doors
from metrics_app.models import Analysis
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.presets import PRESETS
from metrics_app.services.analyses import request_analysis
from metrics_app.tasks import run_analysis_task
from tests.factories import NOON, StudyMemberFactory
from tests.metrics_app.factories import rated_study, with_scores

pytestmark = pytest.mark.django_db


def _signed_in(client, study):
    client.force_login(StudyMemberFactory(study=study, role="researcher").user)
    return client


def _url(name, study):
    return reverse(f"metrics_app:{name}", args=[study.slug])


def _run(study, preset):
    options = ReportOptions(seed=3, n_resamples=20, preset=preset)
    analysis = request_analysis(doors.study_named(study.slug), at=NOON, options=options)
    run_analysis_task(analysis.job_id)
    return Analysis.objects.get(pk=analysis.pk)


def test_every_preset_is_offered_before_and_after_the_first_report(client):
    study = rated_study(n_items=4)
    client = _signed_in(client, study)

    before = client.get(_url("report", study)).content.decode()
    _run(study, "")
    after = client.get(_url("report", study)).content.decode()

    for page in (before, after):
        assert [f'name="preset" value="{key}"' in page for key in PRESETS] == [True] * 4
        assert all(preset.title in page for preset in PRESETS.values())
    assert "Cohen’s kappa within each batch and system" in after


def test_the_chosen_preset_is_stored_with_the_request(client):
    study = rated_study(n_items=4)

    _signed_in(client, study).post(_url("request_report", study), {"preset": "aeslc"})

    assert Analysis.objects.get().parameters["preset"] == "aeslc"


def test_an_unknown_preset_is_refused(client):
    study = rated_study(n_items=4)

    page = _signed_in(client, study).post(
        _url("request_report", study), {"preset": "nobody"}, follow=True
    )

    assert "There is no preset nobody." in page.content.decode()
    assert not Analysis.objects.exists()


def test_the_tables_of_the_preset_are_among_the_downloads(client):
    study = rated_study(n_items=6)
    with_scores(study, "bleu")
    analysis = _run(study, "aeslc")
    client = _signed_in(client, study)

    page = client.get(_url("report", study)).content.decode()
    address = next(part for part in page.split('"') if part.endswith("preset/metrics.csv"))
    rows = list(csv.DictReader(io.StringIO(client.get(address).content.decode())))

    assert "table as the published study prints it" in page
    assert 'name="preset" value="aeslc" checked' in page
    assert {row["level"] for row in rows} == {"global"}
    wanted = [
        row for row in analysis.result["correlation"]
        if row["level"] == "global" and row["statistic"] in ("pearson", "spearman")
    ]  # fmt: skip
    assert len(rows) == len(wanted) > 0
