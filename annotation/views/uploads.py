"""Material: files are received, checked in a worker, shown with their faults, and loaded."""

from functools import partial
from typing import Any

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.enums import UploadKind, UploadState
from annotation.forms.uploads import ChoicesForm, UploadForm
from annotation.models import Study, Upload
from annotation.selectors.access import MANAGE
from annotation.services.undoing import undo_upload, why_not_undone
from annotation.services.uploads import findings_path, receive_upload
from annotation.tasks import CHECK, LOAD
from annotation.views.access import study_page
from jobs.models import Job, JobState
from jobs.selectors import job_status
from jobs.services import create_job, request_cancel
from jobs.tasks import enqueue_job


@study_page(MANAGE)
@require_http_methods(["GET", "POST"])
def uploads(request: HttpRequest, study: Study) -> HttpResponse:
    """Show what was uploaded, and take a file."""
    form = UploadForm(request.POST or None, request.FILES or None)
    if form.is_valid():
        upload = receive_upload(
            study,
            form.cleaned_data["file"],
            kind=UploadKind(form.cleaned_data["kind"]),
            user=user_of(request),
            at=timezone.now(),
        )
        start_check(upload, request)
        return redirect("annotation:upload", slug=study.slug, pk=upload.pk)
    context = {
        "study": study,
        "tab": "material",
        "form": form,
        "uploads": study.uploads.select_related("job").order_by("-pk"),
        "n_items": study.items.count(),
    }
    return render(request, "annotation/uploads.html", context, status=422 if form.is_bound else 200)


@study_page(MANAGE)
@require_safe
def upload(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show the dry run of one file: its faults, its systems, and the way on."""
    row = get_object_or_404(study.uploads.select_related("job", "study"), pk=pk)
    kind = request.GET.get("kind", "")
    context = {
        **wizard(row, step="check"),
        "kind": kind,
        "findings": _findings(row, kind),
        "choices": ChoicesForm(upload=row),
        "why_not_undone": why_not_undone(row),
    }
    is_poll = request.headers.get("HX-Request") == "true"
    template = "annotation/_upload.html" if is_poll else "annotation/upload.html"
    return render(request, template, context)


@study_page(MANAGE)
@require_safe
def changes(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show what a file of outputs would change, and ask for the last word."""
    row = get_object_or_404(study.uploads.select_related("job", "study"), pk=pk)
    if not (row.report or {}).get("changes"):
        return redirect("annotation:upload", slug=study.slug, pk=pk)
    return render(request, "annotation/upload_changes.html", wizard(row, step="changes"))


@study_page(MANAGE)
@require_safe
def findings(request: HttpRequest, study: Study, pk: int) -> FileResponse:  # noqa: ARG001 -- a view
    """Give every finding of the last check as CSV."""
    row = get_object_or_404(study.uploads, pk=pk)
    path = findings_path(row)
    if not path.exists():
        raise Http404("The file has not been checked yet.")
    name = f"{row.name.split('.')[0]}-findings.csv"
    return FileResponse(path.open("rb"), as_attachment=True, filename=name)


@study_page(MANAGE)
@require_POST
def load(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Queue the load of a checked file; a file with errors is refused."""
    row = get_object_or_404(study.uploads.select_related("job"), pk=pk)
    if can_load(row):
        _start(row, task=LOAD, label=f"Load {row.name}", request=request)
    return redirect("annotation:upload", slug=study.slug, pk=pk)


@study_page(MANAGE)
@require_POST
def cancel(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Stop the check or the load of a file; a load that is stopped leaves nothing."""
    row = get_object_or_404(study.uploads.select_related("job"), pk=pk)
    if row.job is None or not request_cancel(row.job.pk, at=timezone.now()):
        messages.error(request, _("It has ended already; there is nothing to cancel."))
    return redirect("annotation:upload", slug=study.slug, pk=pk)


@study_page(MANAGE)
@require_POST
def undo(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Take a loaded file back."""
    row = get_object_or_404(study.uploads, pk=pk)
    try:
        undo_upload(row, at=timezone.now(), user=user_of(request))
    except ValidationError as refusal:
        messages.error(request, " ".join(refusal.messages))
    else:
        messages.success(request, _("The file is undone; the study is as it was."))
    return redirect("annotation:upload", slug=study.slug, pk=pk)


def wizard(row: Upload, *, step: str) -> dict[str, Any]:
    """Return what every page of an upload shows."""
    return {
        "study": row.study,
        "tab": "material",
        "upload": row,
        "step": step,
        "status": job_status(row.job) if row.job else None,
        "can_load": can_load(row),
        "is_busy": is_busy(row),
        "is_loading": is_busy(row) and row.job is not None and row.job.task == LOAD,
    }


def is_busy(row: Upload) -> bool:
    """Return whether a worker has the file, or will have it."""
    if row.job is None or row.state == UploadState.LOADED:
        return False  # loaded is loaded, though its job may have a last word to write
    return row.job.state in {JobState.QUEUED, JobState.RUNNING}


def can_load(row: Upload) -> bool:
    """Return whether the file is checked and nothing stands in its way."""
    outcome = (row.report or {}).get("outcome", "")
    is_checked = row.state == UploadState.CHECKED
    return is_checked and not is_busy(row) and outcome.startswith("accept")


def start_check(row: Upload, request: HttpRequest) -> Job:
    """Queue the dry run of a file."""
    return _start(row, task=CHECK, label=f"Check {row.name}", request=request)


def user_of(request: HttpRequest) -> User | None:
    """Return who asks, where it is an account."""
    return request.user if request.user.is_authenticated else None


def _findings(row: Upload, kind: str) -> list[dict[str, Any]]:
    found = (row.report or {}).get("findings", [])
    return [entry for entry in found if not kind or kind in (entry["kind"], entry["severity"])]


@transaction.atomic
def _start(row: Upload, *, task: str, label: str, request: HttpRequest) -> Job:
    job = create_job(
        "import",
        label=label[:200],
        task=task,
        study_id=row.study_id,
        arguments={"upload": row.pk},
        created_by=user_of(request),
    )
    row.job = job
    row.save(update_fields=["job"])
    transaction.on_commit(partial(enqueue_job, job.pk))
    return job
