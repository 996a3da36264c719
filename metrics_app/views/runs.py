"""All reports of a study, and two of them beside each other."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from metrics_app.forms.runs import RunsForm
from metrics_app.loaders.analyses import finished_analyses, results_of
from metrics_app.loaders.studies import StudyRow
from metrics_app.reports.page.runs import change_lines
from metrics_app.reports.runs import compare_runs
from metrics_app.views.access import results_page_of


@results_page_of
@require_safe
def runs(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """List the study's reports; with two of them chosen, show what differs."""
    analyses = finished_analyses(study.id)
    form = RunsForm(request.GET or None, analyses=analyses)
    context: dict[str, Any] = {"study": study, "tab": "report", "analyses": analyses, "form": form}
    if form.is_valid():
        first, second = (int(form.cleaned_data[name]) for name in ("first", "second"))
        results = results_of(study.id, [first, second])
        compared = compare_runs(results[first], results[second])
        context |= {"compared": compared, "lines": change_lines(compared)}
    return render(request, "metrics_app/runs.html", context)
