"""Language models that compare outputs: registered, run and planned, and what they answer."""

import re

from annotation.models import Dimension, Item, Rating
from metrics_app.loaders.judging import model_judge
from metrics_app.loaders.studies import study_named
from metrics_app.services.model_judges import JudgeChoice, register_model_judge
from metrics_app.services.model_judging import plan_judging, request_judging
from metrics_app.tasks import run_judging_task
from tests.annotation.comparing_studies import make_study
from tests.factories import NOON
from tests.metrics_app.llm_server import answer, says

NOTICES = re.compile(r"notice (\d+)")


def add_model(study, **choice):
    choice = JudgeChoice(**{"endpoint": "local", "model": "judge-1", "n_parallel": 1, **choice})
    return register_model_judge(study.pk, choice, at=NOON)


def run(study, judge_id, **arguments):
    judge = model_judge(study.pk, judge_id)
    named = study_named(study.slug)
    job = request_judging(named, judge, **{"dimensions": [], **arguments})
    run_judging_task(job.pk)
    job.refresh_from_db()
    return job


def plan(study, judge_id):
    return plan_judging(study_named(study.slug), model_judge(study.pk, judge_id), [])


def shown(body):
    """Return the numbers of the texts in a request, A before B."""
    return [int(number) for number in NOTICES.findall(body["messages"][0]["content"])]


def always(text):
    return lambda *_: answer(says(text))


def in_turn(*texts):
    return lambda _body, number: answer(says(texts[number - 1]))


def choices(study):
    rows = Rating.objects.filter(assignment__unit__study=study).order_by("assignment__unit")
    return list(rows.values_list("text", "missing_reason"))


def pair_study(*, allows_tie=True, n_items=1, n_systems=2):
    """Return a study of pairs without any judge's answer."""
    study = make_study(n_items=n_items, n_systems=n_systems).study
    question = "Which notice is clearer?"
    Dimension.objects.filter(phase__study=study).update(
        allows_tie=allows_tie, question=question, definition="How soon one knows what to do."
    )
    # Equal questions are asked once: each item has a source of its own.
    for item in study.items.all():
        Item.objects.filter(pk=item.pk).update(source=[f"Message of {item.key}."])
    return study
