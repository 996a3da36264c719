"""The Human Evaluation Datasheet of a study: shown, and sent in three formats."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from metrics_app.loaders.analyses import latest_result
from metrics_app.loaders.studies import StudyRow
from metrics_app.reports.datasheet.sheet import Datasheet
from metrics_app.reports.datasheet.writers import WRITERS
from metrics_app.services.datasheets import datasheet_of
from metrics_app.views.access import results_page_of

_KINDS = {"json": "application/json", "tex": "text/x-tex", "html": "text/html"}


@results_page_of
@require_safe
def datasheet(request: HttpRequest, study: StudyRow) -> HttpResponse:
    """Show the sheet, what waits for a person marked as open."""
    context = {"study": study, "tab": "report", "sheet": _sheet(study)}
    return render(request, "metrics_app/datasheet.html", context)


@results_page_of
@require_safe
def datasheet_file(_request: HttpRequest, study: StudyRow, suffix: str) -> HttpResponse:
    """Send the sheet as JSON, LaTeX or HTML."""
    if suffix not in WRITERS:
        raise Http404
    text = WRITERS[suffix](_sheet(study))
    response = HttpResponse(text, content_type=f"{_KINDS[suffix]}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{study.slug}-heds.{suffix}"'
    return response


def _sheet(study: StudyRow) -> Datasheet:
    analysis = latest_result(study.id)
    return datasheet_of(study, analysis.result if analysis else None)
