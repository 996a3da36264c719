"""Material: files are received, checked in a worker, shown with their faults, and loaded."""

from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.enums import UploadKind, UploadState
from annotation.forms.uploads import UploadForm
from annotation.models import Study, Upload
from annotation.selectors.access import MANAGE
from annotation.services.uploads import receive_upload
from annotation.tasks import CHECK, LOAD
from annotation.views.access import study_page
from jobs.models import Job, JobState
from jobs.selectors import job_status
from jobs.services import create_job
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
            options={"good_rows_only": form.cleaned_data["good_rows_only"]},
            user=_user(request),
            at=timezone.now(),
        )
        _start(upload, task=CHECK, label=f"Check {upload.name}", request=request)
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
    row = get_object_or_404(study.uploads.select_related("job"), pk=pk)
    context = {
        "study": study,
        "tab": "material",
        "upload": row,
        "status": job_status(row.job) if row.job else None,
        "can_load": _can_load(row),
    }
    is_poll = request.headers.get("HX-Request") == "true"
    template = "annotation/_upload.html" if is_poll else "annotation/upload.html"
    return render(request, template, context)


@study_page(MANAGE)
@require_POST
def load(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Queue the load of a checked file; a file with errors is refused."""
    row = get_object_or_404(study.uploads.select_related("job"), pk=pk)
    if _can_load(row):
        _start(row, task=LOAD, label=f"Load {row.name}", request=request)
    return redirect("annotation:upload", slug=study.slug, pk=pk)


def _can_load(row: Upload) -> bool:
    is_busy = row.job is not None and row.job.state in {JobState.QUEUED, JobState.RUNNING}
    outcome = (row.report or {}).get("outcome", "")
    return row.state == UploadState.CHECKED and not is_busy and outcome.startswith("accept")


@transaction.atomic
def _start(row: Upload, *, task: str, label: str, request: HttpRequest) -> Job:
    job = create_job(
        "import",
        label=label[:200],
        task=task,
        study_id=row.study_id,
        arguments={"upload": row.pk},
        created_by=_user(request),
    )
    row.job = job
    row.save(update_fields=["job"])
    transaction.on_commit(partial(enqueue_job, job.pk))
    return job


def _user(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None
