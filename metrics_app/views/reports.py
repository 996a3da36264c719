"""The report of a study: shown, asked for, followed, cancelled."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from jobs.selectors import job_status
from jobs.tasks import enqueue_job
from metrics_app.forms.reports import ReportForm
from metrics_app.loaders.analyses import (
    analysis_of,
    file_list,
    latest_request,
    latest_result,
    staleness,
)
from metrics_app.loaders.scores import metrics_of
from metrics_app.loaders.studies import StudyRow, texts_of
from metrics_app.models import Analysis
from metrics_app.reports.options import ReportOptions
from metrics_app.reports.page.figures import shown_figures
from metrics_app.reports.page.page import report_page
from metrics_app.reports.presets import PRESETS
from metrics_app.services.analyses import cancel_analysis, request_analysis
from metrics_app.views.access import results_page_of


@results_page_of
@require_safe
def report(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Show the newest report of the study, or how to get the first one."""
    return _shown(request, study, latest_result(study.id), is_newest=True)


@results_page_of
@require_safe
def stored_report(request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Show one stored report under its own address."""
    analysis = _analysis(study, pk)
    if analysis.result is None:
        raise Http404
    return _shown(request, study, analysis)


def _shown(
    request: HttpRequest, study: StudyRow, analysis: Analysis | None, *, is_newest: bool = False
) -> HttpResponse:
    asked = latest_request(study.id)
    status = job_status(asked.job) if asked else None
    context = {
        "study": study,
        "tab": "report",
        "analysis": analysis,
        "presets": PRESETS.values(),
        "chosen": _chosen(analysis) if analysis else {},
    }
    if asked and status and (status.state == "failed" or not status.is_final):
        # The page of the newest report loads anew once there are numbers, and at the end.
        is_newer = analysis is None or analysis.pk != asked.pk
        waits = is_newest and is_newer and not asked.name
        context |= {"asked": asked, "status": status, "waits": waits}
    if analysis is not None and analysis.result is not None:
        chosen = {name: request.GET.get(name, "") for name in ("dimension", "group")}
        page = report_page(analysis.result, **chosen)
        files = file_list(analysis)
        paths = {path for file in files for _, path, _ in file.formats}
        context |= {
            "page": page,
            "texts": texts_of(study.id, [(one.item, one.system) for one in page.disputed]),
            "staleness": staleness(analysis),
            "files": files,
            "figures": shown_figures(paths),
        }
    return render(request, "metrics_app/report.html", context)


@results_page_of
@require_POST
def request_report(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Ask for a new report and queue its job once it is committed."""
    form = ReportForm(request.POST, metrics=[metric.key for metric in metrics_of(study.id)])
    if not form.is_valid():
        messages.error(request, form.first_error)
        return redirect("metrics_app:report", slug=study.slug)
    options = ReportOptions(seed=study.seed, **form.cleaned_data)
    with transaction.atomic():
        analysis = request_analysis(
            study,
            at=timezone.now(),
            by=request.user if isinstance(request.user, User) else None,
            name="With excluded judges" if options.with_excluded else "",
            options=options,
        )
        transaction.on_commit(partial(enqueue_job, analysis.job_id))
    return redirect("metrics_app:report", slug=study.slug)


def _chosen(analysis: Analysis) -> dict[str, Any]:
    """Return what the report was asked for beside the usual, so that it can be asked for again."""
    return {
        "takes_time": analysis.parameters.get("takes_time", False),
        "predictors": analysis.parameters.get("predictors", []),
        "preset": analysis.parameters.get("preset", ""),
    }


@results_page_of
@require_safe
def progress(request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Say how far a requested report is; when it is over, the page loads itself anew.

    So it does when the numbers are there before the files, where the page ``waits`` for them.
    """
    asked = _analysis(study, pk)
    status = job_status(asked.job)
    waits = "waits" in request.GET
    context = {"study": study, "asked": asked, "status": status, "waits": waits}
    response = render(request, "metrics_app/_progress.html", context)
    if status.is_final or (waits and asked.result is not None):
        response["HX-Refresh"] = "true"
    return response


@results_page_of
@require_POST
def cancel_report(_request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Cancel a requested report."""
    cancel_analysis(_analysis(study, pk), at=timezone.now())
    return redirect("metrics_app:report", slug=study.slug)


def _analysis(study: StudyRow, pk: int) -> Analysis:
    analysis = analysis_of(study.id, pk)
    if analysis is None:
        raise Http404
    return analysis
