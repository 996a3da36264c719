import pytest
from django.core.management import call_command

from jobs.models import JobState
from metrics_app.models import Analysis
from metrics_app.tasks import run_analysis_task

pytestmark = pytest.mark.django_db


def test_the_demo_has_one_report_that_a_worker_can_make(capsys):
    for _ in range(2):
        call_command("load_demo")
    analysis = Analysis.objects.get()
    assert analysis.job.state == JobState.QUEUED

    run_analysis_task(analysis.job_id)

    analysis.refresh_from_db()
    assert analysis.name == ""  # the report of the study, not one of its variants
    rows = {(row["group"], row["system"]) for row in analysis.result["means"]}
    assert {("expert", "Human"), ("crowd", "Drift")} <= rows
    metrics = {row["metric"] for row in analysis.result["correlation"]}
    assert {"rouge1", "chrf", "length"} <= metrics
    assert capsys.readouterr().out.count("waits for a worker") == 1
