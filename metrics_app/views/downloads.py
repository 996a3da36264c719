"""Files of a report: its JSON, its tables and charts, and the tidy ratings."""

import csv
import json
import mimetypes
from collections.abc import Iterator
from typing import TypeVar

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from metrics_app.loaders.analyses import analysis_of, file_of
from metrics_app.loaders.studies import StudyRow, ratings_of_study
from metrics_app.loaders.tidy import TIDY_COLUMNS
from metrics_app.reports.charts.words import FIGURES
from metrics_app.reports.page.figures import figure_table
from metrics_app.views.access import results_page_of

Response = TypeVar("Response", bound=HttpResponseBase)


@results_page_of
@require_safe
def report_json(_request: HttpRequest, study: StudyRow, pk: int) -> HttpResponse:
    """Send ``report.json`` of one report."""
    analysis = analysis_of(study.id, pk)
    if analysis is None or analysis.result is None:
        raise Http404
    text = json.dumps(analysis.result, ensure_ascii=False, indent=1)
    return _attachment(HttpResponse(text, content_type="application/json"), "report.json")


@results_page_of
@require_safe
def report_file(_request: HttpRequest, study: StudyRow, pk: int, path: str) -> HttpResponse:
    """Send one table or chart of a report."""
    file = file_of(study.id, pk, path)
    if file is None:
        raise Http404
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    response = HttpResponse(bytes(file.content), content_type=kind)
    return _attachment(response, path.rpartition("/")[2])


@results_page_of
@require_safe
def figure_rows(request: HttpRequest, study: StudyRow, pk: int, name: str) -> HttpResponse:
    """Show the rows behind a chart as a table, for who cannot see it and who wants its numbers."""
    file = file_of(study.id, pk, f"charts/{name}.csv")
    if file is None or name not in FIGURES:
        raise Http404
    table = figure_table(bytes(file.content).decode("utf-8"))
    context = {"title": FIGURES[name].title, "table": table}
    return render(request, "metrics_app/_figure_rows.html", context)


@results_page_of
@require_safe
def ratings(_request: HttpRequest, study: StudyRow) -> HttpResponseBase:
    """Stream the tidy table of the study's ratings as they are now."""
    response = StreamingHttpResponse(_csv_lines(study), content_type="text/csv; charset=utf-8")
    return _attachment(response, f"{study.slug}-ratings.csv")


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, text: str) -> str:
        return text


def _csv_lines(study: StudyRow) -> Iterator[str]:
    writer = csv.writer(_Echo(), lineterminator="\n")
    yield writer.writerow(TIDY_COLUMNS)
    for row in ratings_of_study(study):
        yield writer.writerow(row)


def _attachment(response: Response, name: str) -> Response:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
