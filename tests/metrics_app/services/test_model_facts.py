"""Language models that label the facts of an output, one question a fact."""

import pytest
from django.core.exceptions import ValidationError

from annotation.models import Fact, Item, ModelCall, Rating, Unit
from annotation.services.model_ratings import Judged, rate_by_call
from metrics_app.loaders.judging import model_judge
from metrics_app.loaders.studies import study_named
from metrics_app.models import Metric
from metrics_app.services.model_judges import JudgeChoice, register_model_judge
from metrics_app.services.model_judging import plan_judging, request_judging
from metrics_app.tasks import run_judging_task
from tests.factories import NOON, DimensionFactory, PhaseFactory, ScaleFactory
from tests.metrics_app.llm_server import answer, says
from tests.metrics_app.material import study_with_texts

pytestmark = pytest.mark.django_db(transaction=True)

LABELS = [(0, "Absent"), (1, "Present")]


@pytest.fixture
def study():
    """Two outputs of one item with two facts, and another item without facts."""
    study = study_with_texts(units=True)
    scale = ScaleFactory(study=study, points=LABELS)
    DimensionFactory(
        phase=PhaseFactory(study=study),
        key="facts",
        kind="facts",
        scale=scale,
        question="Is the fact in the text?",
    )
    item = Item.objects.get(study=study, key="i0")
    for position, text in enumerate(("A cat sat.", "{output} <<< dogs"), start=1):
        Fact.objects.create(item=item, position=position, key=f"f{position}", text=text)
    return study


def run(study, judge_id):
    judge = model_judge(study.pk, judge_id)
    job = request_judging(study_named(study.slug), judge, dimensions=["facts"])
    run_judging_task(job.pk)
    job.refresh_from_db()
    return job


def add_model(study, **choice):
    choice = JudgeChoice(endpoint="local", model="judge-1", n_parallel=1, **choice)
    return register_model_judge(study.pk, choice, at=NOON)


def labels():
    rows = Rating.objects.order_by("assignment__unit", "fact__position")
    return list(
        rows.values_list(
            "assignment__unit__output_version__output__system__key",
            "fact__key",
            "value",
            "missing_reason",
        )
    )


def test_every_fact_of_every_output_is_asked_for_and_labelled(script, study):
    def reply(body, _number):
        is_there = "The fact:\n<<<\nA cat sat." in body["messages"][0]["content"]
        return answer(says("Present." if is_there else "0"))

    script.reply = reply
    judge_id = add_model(study)
    judge = model_judge(study.pk, judge_id)
    assert plan_judging(study_named(study.slug), judge, ["facts"]).n_to_ask == 4

    job = run(study, judge_id)

    assert (job.error, job.result["answered"]) == ("", 4)
    assert labels() == [
        ("A", "f1", 1.0, None), ("A", "f2", 0.0, None),
        ("B", "f1", 1.0, None), ("B", "f2", 0.0, None),
    ]  # fmt: skip
    prompts = [request["messages"][0]["content"] for request in script.requests]
    assert all("Question: Is the fact in the text?" in prompt for prompt in prompts)
    # A fact is material: what looks like a field of the prompt stays as it is.
    assert sum("{output} <<< dogs" in prompt for prompt in prompts) == 2
    assert not Metric.objects.exists()


@pytest.mark.usefixtures("script")
def test_a_second_run_asks_nothing(script, study):
    script.reply = lambda *_: answer(says("1"))
    judge_id = add_model(study)
    run(study, judge_id)

    again = run(study, judge_id)

    assert again.result == {"cost": 0.0}
    assert len(script.requests) == 4
    judge = model_judge(study.pk, judge_id)
    assert plan_judging(study_named(study.slug), judge, ["facts"]).n_rated == 4


def test_refusals_and_words_that_are_no_label_are_kept_as_reasons(script, study):
    replies = ("I cannot judge this.", "Not present", "present", "2")
    script.reply = lambda _body, number: answer(says(replies[number - 1]))

    job = run(study, add_model(study))

    assert job.result == {"refused": 1, "unparsable": 2, "answered": 1, "cost": 0.0}
    assert [row[2:] for row in labels()] == [
        (None, "refused"), (None, "unparsable"), (1.0, None), (None, "unparsable"),
    ]  # fmt: skip
    assert ModelCall.objects.filter(value=None).count() == 3


def test_the_label_of_most_samples_counts_and_labels_are_never_averaged(script, study):
    samples = [says("Present"), says("0"), says("Present")]
    script.reply = lambda *_: answer(*samples)

    run(study, add_model(study, n_samples=3))

    assert [row[2] for row in labels()] == [1.0] * 4


def test_the_door_takes_only_labels_and_facts_of_the_item(script, study):
    script.reply = lambda *_: answer(says("1"))
    judge_id = add_model(study)
    run(study, judge_id)
    dimension = Rating.objects.first().dimension_id
    unit = Unit.objects.get(item__key="i0", output_version__output__system__key="A")
    fact = Fact.objects.get(key="f1")
    elsewhere = Fact.objects.create(
        item=Item.objects.get(key="i1"), position=1, key="g", text="Dogs ran."
    )
    call = ModelCall.objects.first()
    asked = {"content_hash": call.content_hash, "at": NOON}

    with pytest.raises(ValidationError, match="none of the output's item"):
        rate_by_call(judge_id, Judged(unit.output_version_id, dimension, elsewhere.pk), **asked)
    with pytest.raises(ValidationError, match="a label of each fact, or of none"):
        rate_by_call(judge_id, Judged(unit.output_version_id, dimension), **asked)
    ModelCall.objects.update(value=0.5)
    with pytest.raises(ValidationError, match=r"0\.5 is no label"):
        rate_by_call(judge_id, Judged(unit.output_version_id, dimension, fact.pk), **asked)
