"""Language models as judges: how each is asked, what it has answered, and its next run."""

import json
from functools import partial

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from jobs.selectors import job_status
from jobs.tasks import enqueue_job
from metrics_app.forms.model_judges import JudgingForm, ModelJudgeForm
from metrics_app.loaders.judge_records import answer_lines, record_of, unread_answers
from metrics_app.loaders.judging import (
    ModelJudgeRow,
    asked_of,
    model_judge,
    model_judge_rows,
    model_records,
    position_records,
    set_position_records,
)
from metrics_app.loaders.runs import latest_run
from metrics_app.loaders.studies import StudyRow, study_for
from metrics_app.metrics.judging.question import PAIR_TEMPLATE, SET_TEMPLATE
from metrics_app.services.model_judges import endpoint_names, register_model_judge
from metrics_app.services.model_judging import KIND, plan_judging, request_judging
from metrics_app.services.model_questions import parsers_of
from metrics_app.views.access import OWNERS, owner_page_of, report_page_of
from metrics_app.views.metrics import user_of


@report_page_of
@require_safe
def model_judges(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Show the study's model judges; owners may add one."""
    return _page(request, study, ModelJudgeForm())


@owner_page_of
@require_POST
def add(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Add a language model to the judges."""
    form = ModelJudgeForm(request.POST)
    if form.is_valid():
        try:
            pk = register_model_judge(study.id, form.choice, at=timezone.now())
        except ValidationError as refusal:
            form.add_error(None, " ".join(refusal.messages))
        else:
            return redirect("metrics_app:model_judge", slug=study.slug, pk=pk)
    return _page(request, study, form, status=422)


@report_page_of
@require_safe
def one(request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Show the whole record of one model judge; owners see what a run would ask and cost."""
    return _record(request, study, _judge(study, pk), JudgingForm(None, asked=asked_of(study)))


@report_page_of
@require_safe
def record(_request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Send the record of one model judge as a file."""
    judge = _judge(study, pk)
    text = json.dumps(record_of(study.id, judge), ensure_ascii=False, indent=1)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{judge.pseudonym}.json"'
    return response


@report_page_of
@require_safe
def answers(_request: HttpRequest, study: StudyRow, pk: int) -> StreamingHttpResponse:
    """Send every question to one model judge with all that came back, a line each."""
    judge = _judge(study, pk)
    response = StreamingHttpResponse(
        answer_lines(judge.judge_id), content_type="application/jsonl; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{judge.pseudonym}.jsonl"'
    return response


@owner_page_of
@require_POST
def run(request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Store a run of the model and queue it once it is committed."""
    judge = _judge(study, pk)
    form = JudgingForm(request.POST, asked=asked_of(study))
    if not form.is_valid():
        return _record(request, study, judge, form, status=422)
    try:
        with transaction.atomic():
            job = request_judging(
                study,
                judge,
                dimensions=form.cleaned_data["dimension"],
                cap=form.cleaned_data["cap"],
                by=user_of(request),
            )
            transaction.on_commit(partial(enqueue_job, job.pk))
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
        return redirect("metrics_app:model_judge", slug=study.slug, pk=pk)
    return redirect("metrics_app:model_judges", slug=study.slug)


def _judge(study: StudyRow, pk: int) -> ModelJudgeRow:
    judge = model_judge(study.id, pk)
    if judge is None:
        raise Http404
    return judge


def _is_owner(request: HttpRequest, study: StudyRow) -> bool:
    return study_for(request.user, study.slug, roles=OWNERS) is not None


def _page(
    request: HttpRequest, study: StudyRow, form: ModelJudgeForm, status: int = 200
) -> HttpResponse:
    job = latest_run(study.id, KIND)
    records = model_records(study.id)
    context = {
        "study": study,
        "tab": "metrics",
        "rows": [(row, records.get(row.judge_id)) for row in model_judge_rows(study.id)],
        "form": form,
        "has_endpoints": bool(endpoint_names()),
        "is_owner": _is_owner(request, study),
        "run": job,
        "status": job_status(job) if job else None,
    }
    return render(request, "metrics_app/model_judges.html", context, status=status)


def _record(
    request: HttpRequest,
    study: StudyRow,
    judge: ModelJudgeRow,
    form: JudgingForm,
    status: int = 200,
) -> HttpResponse:
    is_owner, asked = _is_owner(request, study), asked_of(study)
    compared = {each.compares for each in asked}
    context = {
        "study": study,
        "tab": "metrics",
        "judge": judge,
        "record": model_records(study.id).get(judge.judge_id),
        "positions": position_records(judge.judge_id),
        "set_positions": set_position_records(judge.judge_id),
        "unread": unread_answers(judge.judge_id),
        "pair_template": PAIR_TEMPLATE if "pair" in compared else "",
        "set_template": SET_TEMPLATE if "set" in compared else "",
        "parsers": parsers_of(judge, asked),
        "asked": asked,
        "form": form,
        "is_owner": is_owner,
        # Only who may start a run makes the server ask the endpoint.
        "plan": plan_judging(study, judge, []) if is_owner else None,
    }
    return render(request, "metrics_app/model_judge.html", context, status=status)
