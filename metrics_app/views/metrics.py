"""The metrics of a study: which are there, what a run would take, the run itself."""

from dataclasses import replace
from functools import partial

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from jobs.models import Job
from jobs.selectors import job_status
from jobs.services import request_cancel
from jobs.tasks import enqueue_job
from metrics_app.forms.metrics import MetricsForm, ScoresForm, TrainingForm
from metrics_app.loaders.judging import asked_of
from metrics_app.loaders.runs import latest_run, run_of
from metrics_app.loaders.scores import failures_of, metric_named, metrics_of, n_outputs, reasons_of
from metrics_app.loaders.studies import StudyRow, system_names
from metrics_app.metrics.choices import names_of
from metrics_app.services.metric_plans import plan_run
from metrics_app.services.metric_runs import request_metric_run
from metrics_app.services.model_judging import KIND as JUDGING
from metrics_app.services.trained_metrics import request_training
from metrics_app.views.access import report_page_of
from metrics_app.views.metric_choices import metric_families


@report_page_of
@require_safe
def metrics(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Show the study's metrics, and offer to compute and to upload others."""
    return _page(request, study, MetricsForm(), ScoresForm())


@report_page_of
@require_safe
def plan(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Say what a run of the chosen metrics would need, compute and take."""
    form = MetricsForm(request.GET)
    if not form.is_valid():
        return _page(request, study, form, ScoresForm(), status=422)
    context = {"study": study, "tab": "metrics", "plan": plan_run(study.id, form.chosen)}
    return render(request, "metrics_app/metric_plan.html", context)


@report_page_of
@require_POST
def run(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Store a run of the chosen metrics and queue it once it is committed."""
    form = MetricsForm(request.POST)
    if not form.is_valid():
        return _page(request, study, form, ScoresForm(), status=422)
    try:
        with transaction.atomic():
            job = request_metric_run(study, names_of(form.chosen), by=user_of(request))
            transaction.on_commit(partial(enqueue_job, job.pk))
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    return redirect("metrics_app:metrics", slug=study.slug)


@report_page_of
@require_safe
def run_progress(request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Say how far a run is; when it is over, the page loads itself anew."""
    job = found_run(study, pk)
    status = job_status(job)
    context = {"study": study, "run": job, "status": status}
    response = render(request, "metrics_app/_run.html", context)
    if status.is_final:
        response["HX-Refresh"] = "true"
    return response


@report_page_of
@require_POST
def cancel_run(request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Cancel a run; what it has stored is kept."""
    job = found_run(study, pk)
    if request_cancel(job.pk, at=timezone.now()):
        messages.info(request, "The run stops; what it has computed is kept.")
    page = "model_judges" if job.kind == JUDGING else "metrics"
    return redirect(f"metrics_app:{page}", slug=study.slug)


@report_page_of
@require_safe
def failures(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """List the outputs that have no score of one metric, with the reasons."""
    metric = metric_named(study.id, request.GET.get("metric", ""))
    if metric is None:
        raise Http404
    names = system_names(study.id)
    rows = [replace(row, system=names[row.system]) for row in failures_of(metric)]
    context = {"study": study, "tab": "metrics", "metric": metric, "rows": rows}
    context["reasons"] = reasons_of(metric)
    return render(request, "metrics_app/metric_failures.html", context)


def show_metrics(request: HttpRequest, study: StudyRow, scores_form: ScoresForm) -> HttpResponse:
    """Show the page with a form of scores that was not taken."""
    return _page(request, study, MetricsForm(), scores_form, status=422)


@report_page_of
@require_POST
def train(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Store the training of a metric and queue it once it is committed."""
    form = TrainingForm(request.POST, dimensions=dimensions_of(study))
    if form.is_valid():
        with transaction.atomic():
            job = request_training(study, form.training, by=user_of(request))
            transaction.on_commit(partial(enqueue_job, job.pk))
    else:
        messages.error(request, "Choose a dimension that is rated, and a metric to train.")
    return redirect("metrics_app:metrics", slug=study.slug)


def dimensions_of(study: StudyRow) -> list[tuple[str, str]]:
    """Return the dimensions that a metric can be trained for."""
    return [(each.key, each.question.dimension) for each in asked_of(study) if each.is_scored]


def found_run(study: StudyRow, pk: int) -> Job:
    """Return the run of the study, or answer that there is none."""
    job = run_of(study.id, pk)
    if job is None:
        raise Http404
    return job


def user_of(request: HttpRequest) -> User | None:
    """Return who asks."""
    return request.user if isinstance(request.user, User) else None


def _page(
    request: HttpRequest,
    study: StudyRow,
    form: MetricsForm,
    scores_form: ScoresForm,
    status: int = 200,
) -> HttpResponse:
    job = latest_run(study.id, "metrics", "trained-metric")
    context = {
        "study": study,
        "tab": "metrics",
        "metrics": metrics_of(study.id),
        "n_outputs": n_outputs(study.id),
        "families": metric_families(),
        "form": form,
        "ticked": request.GET.getlist("metric"),
        "scores_form": scores_form,
        "training_form": TrainingForm(dimensions=dimensions_of(study)),
        "run": job,
        "status": job_status(job) if job else None,
    }
    return render(request, "metrics_app/metrics.html", context, status=status)
