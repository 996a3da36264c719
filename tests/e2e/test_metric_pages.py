"""Metrics by hand: chosen, planned, computed, failed, cancelled, uploaded; a model that judges."""

import gzip
import json
import sys
import time
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import expect

from annotation.models import Rating, Reference, Study
from jobs.models import Job
from jobs.services import Progress, claim_job, create_job
from metrics_app.models import Metric, Score
from tests.e2e.looks import look
from tests.factories import DimensionFactory, StudyMemberFactory
from tests.metrics_app.factories import rated_study
from tests.metrics_app.llm_server import answer, llm_server, says
from tests.metrics_app.material import study_with_texts
from tests.metrics_app.services.comparing_models import add_model, pair_study
from tests.metrics_app.services.comparing_models import run as run_model

pytestmark = [pytest.mark.e2e, pytest.mark.django_db(transaction=True)]
NAMES = [f"metric{number}" for number in range(26)]
DATA = Path(__file__).parents[3] / "shared" / "data" / "opinsummeval"
TEN = (
    "ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4", "BLEU", "chrF", "METEOR", "Length",
    "Compression", "Copy rate",
)  # fmt: skip
PATIENCE = 120_000  # milliseconds, for machines that do much else


@pytest.fixture(autouse=True)
def _one_process(settings):
    settings.CONCORD_METRIC_PROCESSES = 1


class Stopwatch:
    """Times the steps of a walk."""

    def __init__(self):
        self._begun = self._last = time.perf_counter()
        self._laps = []

    def lap(self, name):
        now = time.perf_counter()
        self._laps.append(f"{name} {now - self._last:.1f} s")
        self._last = now

    def tell(self):
        whole = f"in all {self._last - self._begun:.1f} s"
        sys.stdout.write(f"\n{', '.join(self._laps)}; {whole}\n")


@pytest.fixture
def visit(page, live_server, sign_in):
    """Return a function that opens a page of a study for one of its owners."""

    def visit(study, name="metrics", *more):
        sign_in(StudyMemberFactory(study=study).user)
        page.goto(live_server.url + reverse(f"metrics_app:{name}", args=[study.slug, *more]))

    return visit


def test_a_researcher_computes_metrics_and_sees_which_outputs_have_none(page, visit):
    study = study_with_texts(n_items=6)
    Reference.objects.filter(item__key="i3", role="reference").delete()
    visit(study)
    look(page, "metrics-empty")

    for label in ("ROUGE-1", "chrF", "Length"):
        page.get_by_role("checkbox", name=label, exact=False).first.check()
    page.get_by_label("With other parameters").fill("bleu(max_n=9)")
    page.get_by_role("button", name="See what it takes").click()
    expect(page.get_by_text("max_n must be one of").first).to_be_visible()
    look(page, "metrics-refused")
    expect(page.get_by_role("checkbox", name="chrF").first).to_be_checked()

    page.get_by_label("With other parameters").fill("bleu(max_n=2), rouge1_r")
    page.get_by_role("button", name="See what it takes").click()
    expect(page.get_by_role("heading", name="Before the run")).to_be_visible()
    look(page, "metrics-plan")
    page.get_by_role("button", name="Compute them").click()
    expect(page.get_by_text("computed 60")).to_be_visible()
    look(page, "metrics-computed")
    assert Score.objects.filter(value__isnull=False).count() == 5 * 12 - 4 * 2

    page.get_by_role("row", name="chrf").get_by_role("link", name="2").click()
    expect(page.get_by_role("row", name="i3")).to_have_count(2)
    look(page, "metrics-without-score")


@pytest.mark.skipif(find_spec("wordllama") is None, reason="the extra is not installed")
def test_embeddings_and_update_summaries(page, visit):
    study = study_with_texts(n_items=3)
    visit(study)
    for label in ("BERTScore", "Sentence mover", "Nouveau-ROUGE-2"):
        page.get_by_role("checkbox", name=label).first.check()
    page.get_by_role("button", name="See what it takes").click()
    look(page, "metrics-plan-models")
    page.get_by_role("button", name="Compute them").click()
    expect(page.get_by_text("computed 18")).to_be_visible()
    assert set(Metric.objects.values_list("key", flat=True)) == {
        "bertscore", "sms", "nouveau_rouge2"
    }  # fmt: skip


def test_a_run_that_waits_that_works_and_that_is_cancelled(page, visit):
    study = study_with_texts()
    job = create_job("metrics", label="Metrics: ter", task="tests.nothing", study_id=study.pk)
    visit(study)
    look(page, "metrics-waiting")

    progress = Progress(claim_job(job.pk))
    progress(120, 400, "TER")
    expect(page.get_by_text("120 of 400")).to_be_visible()
    look(page, "metrics-working")
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("The run stops; what it has computed is kept.")).to_be_visible()
    progress.claim.end("cancelled")
    expect(page.get_by_text("a new run goes on from there")).to_be_visible()
    look(page, "metrics-cancelled")


def test_scores_of_26_metrics_are_uploaded_with_gaps(page, visit, tmp_path):
    study = study_with_texts(n_items=3)
    rows = [
        [f"i{item}", system, *("" if (item + place) % 5 == 0 else f"0.{place}{item}"
                               for place in range(26))]
        for item in range(3) for system in "AB"
    ]  # fmt: skip
    good = "\n".join(",".join(row) for row in [["item_id", "system", *NAMES], *rows])
    path = tmp_path / "scores.csv"
    path.write_text(good.replace("0.12", "none so far", 1).replace("i2,B", "i9,B"))
    visit(study)

    def send():
        page.get_by_label("File").set_input_files(path)
        page.get_by_label("Better values").select_option("Lower is better")
        page.get_by_role("button", name="Upload scores").click()

    send()
    expect(page.get_by_text("line 7, column item_id")).to_have_count(1)
    expect(page.get_by_text("The file of scores was not loaded.")).to_be_visible()
    look(page, "scores-refused")
    assert not Score.objects.exists()
    path.write_text(good)
    send()
    expect(page.get_by_text("scores of 26 metrics are loaded")).to_be_visible()
    look(page, "scores-loaded")
    assert Metric.objects.filter(direction="lower").count() == 26
    assert Score.objects.count() == good.count("0.")


def test_a_metric_is_trained_on_the_ratings(page, visit):
    study = rated_study(n_items=12)
    visit(study)
    page.get_by_label("What is trained").select_option("estimator")
    page.get_by_role("button", name="Train it").click()
    expect(page.get_by_role("row", name="estimator")).to_be_visible()
    look(page, "metrics-trained")


@pytest.fixture
def endpoint(settings):
    with llm_server() as (url, script):
        settings.CONCORD_LLM_ENDPOINTS = {"local": url}
        settings.CONCORD_LLM_KEYS = {"local": "a secret"}
        yield script


def test_a_language_model_judges_and_its_faults_are_kept(page, visit, endpoint):
    study = study_with_texts(units=True)
    DimensionFactory(phase__study=study, key="fluency", name="Fluency")
    visit(study, "model_judges")
    look(page, "models-none")
    page.get_by_label("Model", exact=True).fill("judge-1")
    page.get_by_label("Price of a million tokens in").fill("2.5")
    page.get_by_role("button", name="Add it").click()
    expect(page.get_by_text("4 questions to ask")).to_be_visible()
    look(page, "model-before")

    replies = {1: answer(says("I cannot judge this.")), 2: answer(says("five stars"))}
    endpoint.reply = lambda _body, number: replies.get(number, answer(says("3")))
    page.get_by_role("button", name="Ask the model").click()
    expect(page.get_by_role("row", name="judge-1")).to_be_visible()
    look(page, "models-one")
    assert Rating.objects.filter(value=3).count() == 2
    page.get_by_role("link", name="J0").first.click()
    look(page, "model-record")


def test_an_endpoint_that_is_down_or_refuses_is_said(page, visit, endpoint, settings):
    study = study_with_texts(units=True)
    DimensionFactory(phase__study=study, key="fluency", name="Fluency")
    visit(study, "model_judges")
    page.get_by_label("Model", exact=True).fill("judge-1")
    page.get_by_role("button", name="Add it").click()
    endpoint.reply = lambda _body, _number: (401, {"error": {"message": "no such key"}}, {})
    page.get_by_role("button", name="Ask the model").click()
    expect(page.get_by_text("no such key")).to_be_visible()
    look(page, "model-refused")
    assert Job.objects.get().state == "failed"

    settings.CONCORD_LLM_ENDPOINTS = {"local": "http://127.0.0.1:9/v1"}
    page.get_by_role("link", name="J0").first.click()
    expect(page.get_by_text("It does not answer")).to_be_visible()
    look(page, "model-down")
    settings.CONCORD_LLM_ENDPOINTS = {}
    visit(study, "model_judges")
    look(page, "models-no-endpoint")


def made_up_files(folder):
    """Write outputs of 14 systems for 100 items, and ratings of two judges."""
    rng = np.random.default_rng(1)
    words = [f"word{number}" for number in range(900)]
    text = lambda n: " ".join(rng.choice(words, n))  # noqa: E731 -- one line each
    systems = [f"system{number}" for number in range(14)]
    with gzip.open(folder / "outputs.jsonl.gz", "wt") as file:
        for item in range(100):
            outputs = {system: text(50) for system in systems}
            row = {"item_id": f"i{item}", "source": [text(60)], "references": [text(50)]}
            file.write(json.dumps({**row, "outputs": outputs}) + "\n")
    with gzip.open(folder / "ratings.csv.gz", "wt") as file:
        file.write("item_id,system,judge,dimension,value\n")
        for item, system, judge in product(range(100), systems, "AB"):
            file.write(f"i{item},{system},{judge},readability,{rng.integers(1, 6)}\n")
    return folder


def test_from_upload_to_the_heat_map_of_ten_metrics(page, visit, settings, tmp_path):
    """The walk of a researcher on 14 x 100 outputs; its times are printed (pytest -s)."""
    files = DATA if DATA.exists() else made_up_files(tmp_path)
    settings.CONCORD_METRIC_PROCESSES = 2
    settings.MEDIA_ROOT = tmp_path / "files"
    call_command("create_study", "opin", preset="opinion_summaries")
    study = Study.objects.get()
    visit(study)
    page.set_default_timeout(PATIENCE)
    clock = Stopwatch()
    for name, kind in (("outputs.jsonl.gz", "outputs"), ("ratings.csv.gz", "ratings")):
        page.goto(page.url.split("/studies/")[0] + reverse("annotation:uploads", args=["opin"]))
        page.get_by_label("What the file holds").select_option(kind)
        page.get_by_label("File", exact=True).set_input_files(files / name)
        page.get_by_role("button", name="Upload and check").click()
        page.get_by_role("button", name="Load ").click()
        page.get_by_text("Loaded.", exact=True).wait_for()
        clock.lap(name)

    page.get_by_role("link", name="Metrics", exact=True).click()
    for label in TEN:
        page.get_by_role("checkbox", name=label).first.check()
    page.get_by_role("button", name="See what it takes").click()
    expect(page.get_by_text("14,000 scores to compute")).to_be_visible(timeout=PATIENCE)
    clock.lap("plan")
    page.get_by_role("button", name="Compute them").click()
    expect(page.get_by_text("computed 14,000")).to_be_visible(timeout=PATIENCE)
    clock.lap("ten metrics")
    page.get_by_role("link", name="Report", exact=True).click()
    page.get_by_role("button", name="Compute the report").click()
    expect(page.locator(".heat-table")).to_be_visible(timeout=PATIENCE)
    clock.lap("report with heat map")
    assert page.locator(".heat-table tbody tr").count() == 10
    clock.tell()


def test_the_page_of_a_model_that_compares_says_whether_the_order_decides(page, visit, endpoint):
    endpoint.reply = lambda _body, _number: answer(says("A"))
    study = pair_study(n_items=2)
    judge_id = add_model(study)
    run_model(study, judge_id)
    visit(study, "model_judge", judge_id)
    expect(page.get_by_role("heading", name="Does the order decide?")).to_be_visible()
    look(page, "model-pairs")
