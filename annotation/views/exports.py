"""Data out: formats to choose from, files that are being written, files to take."""

from functools import partial

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from annotation.exporting import FORMATS
from annotation.models import Study
from annotation.selectors.access import READ
from annotation.selectors.doors.blinding import may_see_results
from annotation.selectors.exports import export_file, exports_of
from annotation.services.exports import log_export, request_export
from annotation.views.access import study_page
from annotation.views.uploads import user_of
from jobs.tasks import enqueue_job


@study_page(READ)
@require_http_methods(["GET", "POST"])
def exports(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the formats and the files, and take a wish for one."""
    if not may_see_results(request.user, study.pk):
        return _hidden(request, study)
    now = timezone.now()
    if request.method == "POST":
        try:
            job = request_export(
                study, request.POST.get("format", ""), at=now, user=user_of(request)
            )
        except ValidationError as refusal:
            messages.error(request, " ".join(refusal.messages))
        else:
            transaction.on_commit(partial(enqueue_job, job.pk))
        return redirect("annotation:exports", slug=study.slug)
    files = exports_of(study, at=now)
    context = {
        "study": study,
        "tab": "exports",
        "formats": FORMATS.values(),
        "exports": files,
        "is_busy": any(not file.status.is_final for file in files),
    }
    is_poll = request.headers.get("HX-Request") == "true"
    template = "annotation/_export_files.html" if is_poll else "annotation/exports.html"
    return render(request, template, context)


@study_page(READ)
@require_safe
def download(request: HttpRequest, study: Study, pk: int) -> HttpResponseBase:
    """Give the file of an export."""
    if not may_see_results(request.user, study.pk):
        return _hidden(request, study)
    now = timezone.now()
    found = export_file(study, pk, at=now)
    if found is None:
        raise Http404("There is no such file, or it has expired.")
    export, path = found
    log_export(study, "export_downloaded", export.name, at=now, user=user_of(request))
    return FileResponse(path.open("rb"), as_attachment=True, filename=path.name)


def _hidden(request: HttpRequest, study: Study) -> HttpResponse:
    """Say that the study hides its ratings until it is closed."""
    context = {"study": study, "tab": "exports"}
    return render(request, "annotation/hidden.html", context, status=403)
