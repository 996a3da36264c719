from importlib.util import find_spec

import pytest
from django.core.exceptions import ValidationError

from annotation.models import Reference
from jobs.models import Job, JobState
from jobs.services import claim_job, request_cancel
from metrics_app.loaders.material import scorable_outputs
from metrics_app.loaders.studies import study_named
from metrics_app.metrics.crew import Crew
from metrics_app.metrics.registry import REGISTRY, compute
from metrics_app.models import Metric, Score
from metrics_app.services import metric_runs
from metrics_app.services.metric_runs import request_metric_run
from metrics_app.tasks import run_metrics_task
from tests.metrics_app.material import new_version, study_with_texts

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _one_process(settings):
    settings.CONCORD_METRIC_PROCESSES = 1


def run(study, *names):
    job = request_metric_run(study_named(study.slug), names)
    run_metrics_task(job.pk)
    job.refresh_from_db()
    return job


def values(study, key):
    scores = Score.objects.filter(
        metric__study=study, metric__key=key, output_version__is_current=True
    )
    rows = scores.values_list(
        "output_version__output__item__key", "output_version__output__system__key", "value"
    )
    return {(item, system): value for item, system, value in rows}


def test_a_run_stores_a_score_per_output_with_its_signature():
    study = study_with_texts()

    job = run(study, "length", "rouge1_r")

    assert job.state == JobState.DONE
    assert job.result == {"computed": 8, "kept": 0, "copied": 0, "undefined": {}}
    assert values(study, "length") == {
        ("i0", "A"): 7, ("i0", "B"): 8, ("i1", "A"): 7, ("i1", "B"): 8
    }  # fmt: skip
    metric = Metric.objects.get(study=study, key="rouge1(measure=r)")
    assert metric.signature.startswith("rouge1|measure:r|")
    assert metric.direction == "higher"
    assert values(study, metric.key)["i0", "A"] == pytest.approx(4 / 5)


def test_a_second_run_computes_only_what_changed():
    study = study_with_texts()
    run(study, "length", "rouge1")
    new_version(study, "i0", "A", "one two")
    Reference.objects.filter(item__key="i1", role="reference").update(text="a cat")

    job = run(study, "length", "rouge1")

    # Of each metric: the changed output, and the two outputs of the item with a new reference.
    assert job.result["computed"] == 6
    assert job.result["kept"] == 2
    assert values(study, "length")["i0", "A"] == 2


def test_weights_of_the_whole_study_make_the_signature():
    if find_spec("wordllama") is None:
        pytest.skip("the extra 'embeddings' is not installed")
    study = study_with_texts()
    name = "bertscore(idf=yes)"
    assert run(study, name).result["computed"] == 4
    before = Metric.objects.get(study=study, key=name).signature
    assert "|idf:yes-" in before
    assert run(study, name).result["kept"] == 4
    Reference.objects.filter(item__key="i1", role="reference").update(text="a cat")
    # Another reference anywhere changes the weights of all.
    assert run(study, name).result["computed"] == 4
    assert Metric.objects.get(study=study, key=name).signature != before


def test_equal_texts_are_copied_and_not_computed_again(monkeypatch):
    run(study_with_texts(), "length")
    monkeypatch.setattr(metric_runs, "compute", None)

    job = run(study_with_texts(), "length")

    assert job.result == {"computed": 0, "kept": 0, "copied": 4, "undefined": {}}


def test_a_new_signature_takes_the_place_of_the_old_scores():
    study = study_with_texts()
    run(study, "length")
    Metric.objects.update(signature="length|older")

    job = run(study, "length")

    assert job.result["computed"] + job.result["copied"] == 4
    assert Metric.objects.get().signature == REGISTRY["length"].signature


def test_an_uploaded_metric_of_the_same_name_is_left_alone():
    study = study_with_texts()
    Metric.objects.create(study=study, key="length", position=0)

    run(study, "length")
    run(study, "length")

    assert list(Metric.objects.values_list("key", "position")) == [
        ("length", 0),
        ("length (computed)", 1),
    ]


def test_outputs_without_a_reference_are_listed_and_the_rest_goes_on():
    study = study_with_texts()
    Reference.objects.filter(item__key="i0", role="reference").delete()

    job = run(study, "chrf", "length")

    assert job.result["undefined"] == {"chrf": {"no_reference": 2}}
    assert set(Score.objects.filter(value=None).values_list("undefined")) == {("no_reference",)}
    assert job.result["computed"] == 8
    # A second run computes nothing, and what has no score has none still.
    again = run(study, "chrf", "length")
    assert (again.result["kept"], again.result["undefined"]) == (8, job.result["undefined"])


def test_a_run_that_lost_its_worker_goes_on_where_it_was(monkeypatch):
    study = study_with_texts(n_items=6)
    job = request_metric_run(study_named(study.slug), ["length"])
    seen = []

    def dies_in_the_second_chunk(metric, batch):
        seen.append(len(batch))
        if len(seen) == 2:
            raise KeyboardInterrupt  # what kills a worker passes every handler
        return compute(metric, batch)

    compute = metric_runs.compute
    monkeypatch.setattr(metric_runs, "compute", dies_in_the_second_chunk)
    with pytest.raises(KeyboardInterrupt):
        run_metrics_task(job.pk)
    assert Score.objects.count() == metric_runs.FIRST_CHUNK
    Job.objects.update(state=JobState.QUEUED)

    run_metrics_task(job.pk)

    job.refresh_from_db()
    assert (job.state, job.attempt) == (JobState.DONE, 2)
    assert job.result == {"computed": 4, "kept": 8, "copied": 0, "undefined": {}}


def test_a_cancelled_run_keeps_what_is_ready(monkeypatch):
    study = study_with_texts(n_items=6)
    job = request_metric_run(study_named(study.slug), ["length"])
    compute = metric_runs.compute

    def cancelled_meanwhile(metric, batch):
        if Score.objects.exists():
            request_cancel(job.pk)
        return compute(metric, batch)

    monkeypatch.setattr(metric_runs, "compute", cancelled_meanwhile)
    run_metrics_task(job.pk)

    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert Score.objects.count() == metric_runs.FIRST_CHUNK


def test_what_another_worker_took_over_is_not_stored_twice():
    study = study_with_texts()
    job = request_metric_run(study_named(study.slug), ["length"])
    assert claim_job(job.pk)

    run_metrics_task(job.pk)

    assert not Score.objects.exists()


def test_slow_metrics_are_spread_over_processes_which_compute_while_scores_are_stored(
    settings, monkeypatch
):
    settings.CONCORD_METRIC_PROCESSES = 2
    monkeypatch.setattr(metric_runs, "SECONDS_WORTH_SPREADING", 0)
    begin, n_stored = Crew.begin, []

    def counted(crew, metric, batch):
        n_stored.append(Score.objects.count())
        return begin(crew, metric, batch)

    monkeypatch.setattr(Crew, "begin", counted)
    study = study_with_texts(n_items=50)

    job = run(study, "ter")

    assert n_stored[:3] == [0, 0, metric_runs.FIRST_CHUNK]
    assert job.result["computed"] == 100
    outputs = scorable_outputs(study.pk)
    alone = compute(REGISTRY["ter"], [out.example for out in outputs]).values
    assert values(study, "ter") == {
        (out.item, out.system): score for out, score in zip(outputs, alone, strict=True)
    }


def test_the_next_metric_begins_while_the_last_chunk_of_the_former_is_computed(
    settings, monkeypatch
):
    settings.CONCORD_METRIC_PROCESSES = 2
    monkeypatch.setattr(metric_runs, "SECONDS_WORTH_SPREADING", 0)
    begin, begun = Crew.begin, []

    def noted(crew, metric, batch):
        begun.append((metric.key, len(batch), Score.objects.count()))
        return begin(crew, metric, batch)

    monkeypatch.setattr(Crew, "begin", noted)
    study = study_with_texts(n_items=4)

    job = run(study, "chrf", "length")

    assert begun == [("chrf", 8, 0), ("length", 8, 0)]
    assert (job.state, job.result["computed"]) == ("done", 16)
    assert len(values(study, "chrf")) == len(values(study, "length")) == 8


def test_metrics_that_come_later_count_for_whether_to_start_processes(settings, monkeypatch):
    settings.CONCORD_METRIC_PROCESSES = 2
    study = study_with_texts(n_items=6)
    seconds = 12 * (REGISTRY["length"].cost + REGISTRY["ter"].cost)
    monkeypatch.setattr(metric_runs, "SECONDS_WORTH_SPREADING", 0.99 * seconds)
    monkeypatch.setattr(metric_runs, "compute", None)

    job = run(study, "length", "ter")

    # Once they are there, they compute the metrics that are cheap as well: nothing is done here.
    assert job.result["computed"] == 24
    assert values(study, "length")["i0", "A"] == 7


def test_a_short_run_starts_no_processes(settings, monkeypatch):
    settings.CONCORD_METRIC_PROCESSES = 2
    monkeypatch.setattr(Crew, "begin", None)

    assert run(study_with_texts(n_items=6), "length", "ter").result["computed"] == 24


@pytest.mark.parametrize(
    ("names", "problem"),
    [
        ([], "Choose at least one"),
        (["rouge9"], "no metric 'rouge9'"),
        (["bertscore(model=bert)"], "no model 'bert'"),
    ],
)
def test_a_request_that_cannot_run_is_refused(names, problem):
    study = study_with_texts()

    with pytest.raises(ValidationError, match=problem):
        request_metric_run(study_named(study.slug), names)

    assert not Job.objects.exists()


def test_a_study_without_outputs_says_so():
    study = study_with_texts(n_items=0)

    job = run(study, "length")

    assert (job.state, job.error) == ("failed", "The study has no outputs yet; upload some first.")
