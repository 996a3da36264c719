import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from annotation.models import Assignment, Judge, ModelCall, Rating, RatingEvent
from annotation.selectors import doors
from annotation.services.model_ratings import Judged, rate_by_call
from jobs.services import request_cancel
from metrics_app.loaders.judging import model_judge, model_records
from metrics_app.loaders.studies import source_of_study, study_named
from metrics_app.models import Metric, Score
from metrics_app.reports.groups import named_groups
from metrics_app.services.model_judges import JudgeChoice, register_model_judge
from metrics_app.services.model_judging import plan_judging, request_judging
from metrics_app.tasks import run_judging_task
from tests.factories import NOON, DimensionFactory, PhaseFactory, ScaleFactory
from tests.metrics_app.llm_server import answer, llm_server, says
from tests.metrics_app.material import study_with_texts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def script(settings):
    """Give the script of a server that is the endpoint "local"."""
    with llm_server() as (url, script):
        settings.CONCORD_LLM_ENDPOINTS = {"local": url}
        settings.CONCORD_LLM_KEYS = {"local": "secret"}
        yield script


def judged_study(**fields):
    """Return a study of four outputs and two dimensions on a scale of 1 to 4."""
    study = study_with_texts(units=True, **fields)
    phase, scale = PhaseFactory(study=study), ScaleFactory(study=study)
    for key in ("fluency", "overall"):
        DimensionFactory(phase=phase, key=key, scale=scale, question=f"How is the {key}?")
    return study


def add_model(study, **choice):
    choice = {"endpoint": "local", "model": "judge-1", "n_parallel": 1, **choice}
    return register_model_judge(study.pk, JudgeChoice(**choice), at=NOON)


def run(study, judge_id, *, dimensions=(), cap=None):
    row = study_named(study.slug)
    judge = model_judge(study.pk, judge_id)
    job = request_judging(row, judge, dimensions=dimensions, cap=cap)
    run_judging_task(job.pk)
    job.refresh_from_db()
    return job


def test_a_model_rates_every_output_as_a_judge_and_as_a_metric(script):
    study = judged_study()
    script.reply = lambda *_: answer(says("3", tokens=[("3", {"3": 0.75, "4": 0.25})]))

    judge_id = add_model(study, price_in=10.0, price_out=100.0)
    job = run(study, judge_id)

    assert (job.state, job.error) == ("done", "")
    assert job.result == {"answered": 8, "cost": 8 * (100 * 10 + 2 * 100) / 1e6}
    assert set(Rating.objects.values_list("value")) == {(3.25,)}
    assert Rating.objects.filter(model_call__outcome="answered").count() == 8
    judge = Judge.objects.get(pk=judge_id)
    assert (judge.kind, judge.group.kind, judge.group.judges_per_unit) == ("model", "model", 1)
    assert Assignment.objects.filter(judge=judge, slot=1, submitted_at__isnull=False).count() == 4
    assert all(row.valid for row in doors.rating_rows(study.pk, study.slug))
    metrics = Metric.objects.filter(study=study)
    assert [(m.key, m.targets) for m in metrics] == [
        ("judge-1: fluency (J001)", "fluency"),
        ("judge-1: overall (J001)", "overall"),
    ]
    assert set(Score.objects.values_list("value")) == {(3.25,)}


def test_what_is_sent_and_kept_repeats_the_question(script):
    study = judged_study(n_items=1)

    run(study, add_model(study, temperature=0.5), dimensions=["fluency"])

    sent = script.requests[0]
    assert (sent["model"], sent["temperature"], sent["logprobs"]) == ("judge-1", 0.5, True)
    prompt = sent["messages"][0]["content"]
    assert "How is the fluency?" in prompt
    assert "the cat sat on the mat 0" in prompt
    call = ModelCall.objects.order_by("pk").first()
    assert (call.prompt, call.parameters["temperature"]) == (prompt, 0.5)
    assert call.answers[0]["message"]["content"] == "3"
    assert (call.n_tokens_in, call.n_tokens_out) == (100, 2)


def test_a_second_run_asks_nothing_and_a_second_judge_only_what_is_new(script):
    study = judged_study()
    first = add_model(study)
    run(study, first)

    again = run(study, first)
    other = run(study, add_model(study), dimensions=["fluency"])

    assert again.result == {"cost": 0.0}
    assert other.result == {"answered": 4, "reused": 4, "cost": 0.0}
    assert len(script.requests) == 8
    assert set(Assignment.objects.filter(judge__pseudonym="J002").values_list("slot")) == {(2,)}
    assert RatingEvent.objects.filter(source="model").count() == 12


def test_refusals_and_nonsense_are_kept_as_reasons(script):
    study = judged_study(n_items=1)
    said = {1: "I cannot rate this.", 2: "Lovely!"}
    script.reply = lambda _body, number: answer(says(said[number]))

    judge_id = add_model(study)
    job = run(study, judge_id, dimensions=["fluency"])

    assert job.result == {"refused": 1, "unparsable": 1, "cost": 0.0}
    assert set(Rating.objects.values_list("value", "missing_reason")) == {
        (None, "refused"),
        (None, "unparsable"),
    }
    assert set(Score.objects.values_list("undefined", flat=True)) == {"refused", "unparsable"}
    record = model_records(study.pk)[judge_id]
    assert (record.n_ratings, record.n_refused, record.n_unparsable) == (2, 1, 1)


def test_what_an_odd_server_says_is_kept_and_stops_no_run(script):
    study = judged_study(n_items=1)
    odd = {
        1: b'{"choices": [{"message": {"content": "3\\u0000 \\ud800"}}], "usage": 7}',
        2: b'{"choices": [{"message": "3"}], "usage": {"prompt_tokens": 1e99, "completion_tokens":'
        b" 99999999999}}",
        3: b'{"choices": [{"message": {"content": [{"text": "4"}]}, "logprobs": {"content":'
        b' [{"token": "4", "top_logprobs": [{"token": "4", "logprob": NaN}]}]}}]}',
        4: b'{"choices": [{"message": {"content": null, "refusal": "No."}}]}',
    }
    script.reply = lambda _body, number: (200, odd[number], {})

    job = run(study, add_model(study))

    assert (job.state, job.error) == ("done", "")
    assert job.result == {"answered": 2, "unparsable": 1, "refused": 1, "cost": 0.0}
    assert sorted(Rating.objects.exclude(value=None).values_list("value", flat=True)) == [3, 4]
    said = [call.answers[0]["message"] for call in ModelCall.objects.order_by("pk")]
    assert said[:2] == [{"content": "3\ufffd ?"}, "3"]


def test_an_endpoint_that_sends_elsewhere_ends_the_run_with_the_address(script):
    study = judged_study()
    script.reply = lambda *_: (307, {}, {"Location": "http://other.invalid/v1"})

    job = run(study, add_model(study))

    assert "307 " in job.error
    assert "sends on to http://other.invalid/v1; if that is right, name that address" in job.error


def test_samples_that_the_server_does_not_give_at_once_are_asked_for(script):
    study = judged_study(n_items=1)
    script.reply = lambda _body, number: answer(says(str(1 + number % 2)))

    run(study, add_model(study, n_samples=4), dimensions=["fluency"])

    assert [body["n"] for body in script.requests] == [4, 3, 2, 1] * 2
    assert set(Rating.objects.values_list("value")) == {(1.5,)}


def test_the_cap_ends_the_run_and_a_higher_one_goes_on(script):
    study = judged_study()
    judge_id = add_model(study, price_out=1e6)  # 2 a question, at most 8

    stopped = run(study, judge_id, cap=9.5)
    script.reply = lambda *_: answer(says("2"))
    ended = run(study, judge_id, cap=None)

    assert stopped.state == "failed"
    assert stopped.error.startswith("The cap of 9.5 is reached: 2 is spent")
    assert Rating.objects.filter(value=3).count() == 1
    assert ended.result == {"answered": 7, "cost": 14.0}


def test_an_endpoint_that_goes_down_ends_the_run_and_loses_nothing(script, monkeypatch):
    study = judged_study()
    judge_id = add_model(study)
    monkeypatch.setattr("metrics_app.metrics.judging.endpoint.LONGEST_PAUSE", 0.0)
    script.reply = lambda _body, number: answer(says("3")) if number <= 3 else (500, {}, {})

    job = run(study, judge_id)

    assert job.state == "failed"
    assert "local is down: 5 questions in a row had no answer after 5 attempts (500" in job.error
    assert Rating.objects.count() == 3
    assert ModelCall.objects.filter(outcome="failed").count() == 5
    script.reply = lambda *_: answer(says("4"))
    assert run(study, judge_id).result == {"answered": 5, "cost": 0.0}
    assert not ModelCall.objects.filter(outcome="failed").exists()


def test_a_key_that_is_refused_ends_the_run_at_once(script):
    study = judged_study()
    script.reply = lambda *_: (401, {"error": {"message": "bad key"}}, {})

    job = run(study, add_model(study))

    assert "local does not take the request (401 Unauthorized: bad key)" in job.error
    assert len(script.requests) == 1


def test_a_cancelled_run_keeps_its_answers(script):
    study = judged_study()
    judge_id = add_model(study)
    row = study_named(study.slug)
    job = request_judging(row, model_judge(study.pk, judge_id), dimensions=[])

    def reply(_body, number):
        if number == 3:
            request_cancel(job.pk)
            connection.close()  # the server's thread has one of its own
        return answer(says("3"))

    script.reply = reply
    run_judging_task(job.pk)

    job.refresh_from_db()
    assert job.state == "cancelled"
    assert Rating.objects.count() == 2


@pytest.mark.usefixtures("script")
def test_a_plan_says_what_is_asked_and_what_it_may_cost():
    study = judged_study()
    judge = model_judge(study.pk, add_model(study, price_out=1.0, max_tokens=8))
    run(study, judge.judge_id, dimensions=["fluency"])

    plan = plan_judging(study_named(study.slug), judge, [])

    assert (plan.n_questions, plan.n_rated, plan.n_to_ask, plan.problem) == (8, 4, 4, "")
    assert plan.cost == pytest.approx(4 * 8 / 1e6)


def test_a_plan_says_that_the_endpoint_is_down(settings):
    settings.CONCORD_LLM_ENDPOINTS = {"local": "http://127.0.0.1:9/v1"}
    study = judged_study()
    judge = model_judge(study.pk, add_model(study))

    assert "It does not answer" in plan_judging(study_named(study.slug), judge, []).problem
    settings.CONCORD_LLM_ENDPOINTS = {}
    assert "no endpoint 'local'" in plan_judging(study_named(study.slug), judge, []).problem


@pytest.mark.usefixtures("script")
def test_models_are_never_pooled_with_people():
    from tests.metrics_app.factories import rated_study

    study = rated_study()
    run(study, add_model(study))

    evaluation = source_of_study(study_named(study.slug)).evaluation

    assert evaluation.groups == ("expert", "crowd", "models")
    assert named_groups(evaluation)[-1] == ("all", ("expert", "crowd"))


@pytest.mark.usefixtures("script")
@pytest.mark.parametrize(
    ("choice", "problem"),
    [
        ({"endpoint": "other"}, "no endpoint 'other'"),
        ({"template": "Rate it."}, "must contain {output}"),
        ({"n_samples": 0}, "at_least_once"),
        ({"temperature": -1.0}, "no_negative_setting"),
    ],
)
def test_a_judge_that_cannot_work_is_refused(choice, problem):
    study = judged_study()

    with pytest.raises(ValidationError, match=problem):
        add_model(study, **choice)

    assert not Judge.objects.exists()


@pytest.mark.usefixtures("script")
def test_the_door_takes_only_models_on_the_scale_of_this_study():
    study = judged_study(n_items=1)
    judge_id = add_model(study)
    run(study, judge_id, dimensions=["fluency"])
    call = ModelCall.objects.first()
    fluency = next(row for row in doors.dimension_rows(study.pk) if row.key == "fluency")
    other = DimensionFactory()
    version = Assignment.objects.first().unit.output_version_id
    asked = {"content_hash": call.content_hash, "at": NOON}

    with pytest.raises(ValidationError, match="not asked in this study"):
        rate_by_call(judge_id, Judged(version, other.pk), **asked)
    ModelCall.objects.update(value=9)
    with pytest.raises(ValidationError, match="9 is outside the scale"):
        rate_by_call(judge_id, Judged(version, fluency.id), **asked)
    Judge.objects.update(kind="person")
    with pytest.raises(ValidationError, match="no language model"):
        rate_by_call(judge_id, Judged(version, fluency.id), **asked)
    Judge.objects.update(kind="model")
    type(study).objects.update(state="frozen")
    with pytest.raises(ValidationError, match="frozen"):
        rate_by_call(judge_id, Judged(version, fluency.id), **asked)
